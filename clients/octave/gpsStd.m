function value = gpsStd(handler, value)
% value = gpsStd(handler)
% gpsStd(handler, value)
%   Errors of GPS and compass: standard deviations, m, m, rad.
    if nargin < 2
        value = robotone_mex('get', handler, 'GPS.Std');
        return
    end
    setNumbers(handler, 'gpsStd', {'GPS.Std.X', 'GPS.Std.Y', 'GPS.Std.Theta'}, '[x y theta] in m, m and rad', value);
end
