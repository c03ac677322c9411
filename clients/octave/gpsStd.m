function value = gpsStd(handler, value)
% value = gpsStd(handler)
% gpsStd(handler, value)
%   Errors of GPS and compass: standard deviations, m, m, rad.
    if nargin < 2
        value = robotone_mex('get', handler, 'GPS.Std');
        return
    end
    names = {'GPS.Std.X', 'GPS.Std.Y', 'GPS.Std.Theta'};
    if numel(value) ~= numel(names)
        error('robotone:argument', 'gpsStd: expected %d numbers, got %d', numel(names), numel(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end
