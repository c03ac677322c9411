function readings = readLidar(handler)
% readings = readLidar(handler)
%   The newest scan, from the left to the right:
%     readings.size       how many beams
%     readings.distances  m; what is out of reach reads 8; also readings.readings
%   In the robot's frame, x forward, y to the left, angles counter-clockwise:
%     readings.bearings   rad; 0 straight ahead, positive to the left
%     readings.points     where the beams ended, m: a row of x and y a beam
%   As in the released functions:
%     readings.angles     rad; 0 straight ahead, negative to the left
%     readings.pos        where the beams ended: to the right and ahead of the lidar, m
%   Of 36 beams, beam i (from 1) looks 90 - 5 i degrees to the left.
    scan = placed(handler);
    if isempty(scan)
        % Another server: the released name, over half a circle.
        distances = robotone_mex('get', handler, 'Lidar.Read');
        step = pi / max(numel(distances), 1);
        scan = [0 0 (pi / 2 - step) -step distances];
    end
    distances = scan(5:end);
    readings.size = numel(distances);
    readings.distances = distances;
    readings.readings = distances;
    readings.bearings = scan(3) + (0:readings.size - 1) * scan(4);
    readings.points = [scan(1) + distances .* cos(readings.bearings); ...
                       scan(2) + distances .* sin(readings.bearings)]';
    readings.angles = -readings.bearings;
    readings.pos = [distances .* sin(readings.angles); distances .* cos(readings.angles)]';
end

function scan = placed(handler)
    try
        scan = robotone_mex('get', handler, 'Lidar.Scan');
    catch
        scan = [];
    end
    if numel(scan) < 4
        scan = [];
    end
end
