function value = gps(handler)
% value = gps(handler)
%   Measured x, y (m) and heading (rad).
    value = robotone_mex('get', handler, 'GPS');
end
