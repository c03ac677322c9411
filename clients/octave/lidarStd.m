function value = lidarStd(handler, value)
% value = lidarStd(handler)
% lidarStd(handler, value)
%   Error of a distance: standard deviation, m.
    if nargin < 2
        value = robotone_mex('get', handler, 'Lidar.Std');
    else
        robotone_mex('set', handler, 'Lidar.Std', value);
    end
end
