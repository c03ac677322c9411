% Where the beams of two robots' lidars ended in the world: robot, x and y.
handler = connectRobotOne();
waitRobotOne(handler);
for robot = 0:1
    selectRobot(handler, robot);
    at = pose(handler);
    turn = [cos(at(3)) -sin(at(3)); sin(at(3)) cos(at(3))];
    points = readLidar(handler).points;
    for k = 1:size(points, 1)
        place = turn * points(k, :)';
        printf('%d %.9f %.9f\n', robot, at(1) + place(1), at(2) + place(2));
    end
end
disconnectRobotOne(handler);
