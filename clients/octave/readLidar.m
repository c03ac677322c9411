function readings = readLidar(handler)
% readings = readLidar(handler)
%   The newest scan, from the left to the right:
%     readings.size       how many
%     readings.distances  m; what is out of reach reads 8
%     readings.angles     rad; 0 straight ahead, negative to the left
%     readings.pos        where the beams ended: to the right and ahead, m
%   Of 36 beams, beam i (from 1) looks 90 - 5 i degrees to the left.
    distances = robotone_mex('get', handler, 'Lidar.Read');
    count = numel(distances);
    readings.size = count;
    readings.distances = distances;
    readings.angles = (1:count) * pi / count - pi / 2;
    readings.pos = [-distances .* cos(pi / 2 + readings.angles); ...
                     distances .* sin(pi / 2 + readings.angles)]';
end
