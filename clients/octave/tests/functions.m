% Every function, against a robot at the origin with a wall 3 m ahead.
disconnectRobotOne(1);
near = @(a, b) all(abs(a(:) - b(:)) < 1e-4);
for dialect = {'thesis', 'release'}
    handler = connectRobotOne('127.0.0.1', dialect{1});
    assert(handler == 1);
    pose(handler, [1 0.5 0.25]);
    assert(near(pose(handler), [1 0.5 0.25]));
    assert(near(odometry(handler), [1 0.5 0.25]));
    assert(near(getRobotOne(handler, 'Pose.Y'), 0.5));
    odometryStd(handler, [0.5 0.25]);
    assert(near(odometryStd(handler), [0.5 0.25]));
    odometryStd(handler, [0 0]);
    gpsStd(handler, [0.5 0.25 0.125]);
    assert(near(gpsStd(handler), [0.5 0.25 0.125]));
    gpsStd(handler, [0 0 0]);
    assert(near(gps(handler), [1 0.5 0.25]));
    lidarStd(handler, 0.5);
    assert(near(lidarStd(handler), 0.5));
    lidarStd(handler, 0);
    for switches = {@traceRobotOne, @lowLevelControl, @manualRobotOne, @manual}
        f = switches{1};
        assert(~f(handler));
        f(handler, true);
        assert(f(handler));
        f(handler, false);
        assert(~f(handler));
    end
    resetRobotOne(handler);
    velocity(handler, [1 0]);
    assert(near(velocity(handler), [1 0]));
    waitRobotOne(handler);
    assert(near(waitRobotOne(handler), 1 / 60));
    lowLevelControl(handler, true);
    wheels(handler, [-5 5]);
    assert(near(wheels(handler), [-5 5]));
    lowLevelControl(handler, false);
    selectRobot(handler, 0);
    assert(versionRobotOne(handler) == 1);

    pose(handler, [0 0 0]);
    readings = readLidar(handler);
    assert(readings.size == 36 && near(readings.distances(18), 3) && near(readings.angles(18), 0));
    assert(near(readings.pos(18, :), [0 3]) && readings.pos(1, 1) < -7.9);
    % The same in the robot's frame: x forward, y to the left, counter-clockwise.
    assert(isequal(readings.readings, readings.distances) && near(readings.bearings(1), 85 * pi / 180));
    assert(near(readings.points(18, :), [3 0]) && readings.points(1, 2) > 7.9);

    rgb = captureCamera(handler);
    assert(isequal(size(rgb), [240 320 3]) && isa(rgb, 'uint8'));
    assert(rgb(240, 160, 2) > rgb(240, 160, 1) && rgb(240, 160, 2) > rgb(240, 160, 3), 'grass');
    assert(rgb(1, 1, 3) > rgb(1, 1, 1), 'sky');
    hsv = rgb2hsv(rgb);
    assert(isequal(size(hsv), [240 320 3]));

    loadMaze(handler, uint8(sprintf('W 2 -5 2 5\n')));
    readings = readLidar(handler);
    assert(near(readings.distances(18), 2));
    loadMaze(handler, uint8(sprintf('W 3 -2 3 2\n')));
    disconnectRobotOne(handler);
end

function expect(what, word)
    try
        what();
    catch problem
        assert(~isempty(strfind(problem.message, word)), problem.message);
        return
    end
    error('expected a failure about %s', word);
end
handler = connectRobotOne();
odometry(handler, [1 2 3]);
assert(near(odometry(handler), [1 2 3]));
expect(@() getRobotOne(handler, 'Pose.Z'), 'there is no `Pose.Z`');
expect(@() selectRobot(handler, 5), 'there is no robot 5: there are 1, from 0');
expect(@() pose(handler, [1 2]), '3 numbers');
expect(@() velocity(handler, 1.0), 'velocity: expected 2 numbers, [v w] in m/s and rad/s, got 1: 1');
expect(@() velocity(handler, 'fast'), 'got a char');
lastwarn('');
velocity(handler, [4 1]);
assert(isempty(lastwarn()));
velocity(handler, [10 1]);
assert(~isempty(strfind(lastwarn(), '10 m/s is above the robot''s limit of 4 m/s')), lastwarn());
lastwarn('');
velocity(handler, [10 1]);
assert(isempty(lastwarn()), 'once');
expect(@() pose(9), 'connectRobotOne');
expect(@() pose('x'), 'handler');
expect(@() connectRobotOne('127.0.0.1:1'), 'cannot connect');
expect(@() connectRobotOne('127.0.0.1', 'latin'), 'dialect');
disconnectRobotOne(handler);
assert(abs(fixAngle(3 * pi / 2) + pi / 2) < 1e-9 && fixAngle(0.5) == 0.5);
disp('done')
