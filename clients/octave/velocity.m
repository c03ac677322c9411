function value = velocity(handler, value)
% value = velocity(handler)
% velocity(handler, value)
%   Commanded speed, m/s and rad/s; drives with it.
    if nargin < 2
        value = robotone_mex('get', handler, 'Velocity');
        return
    end
    setNumbers(handler, 'velocity', {'Velocity.Linear', 'Velocity.Angular'}, '[v w] in m/s and rad/s', value);
    warnOfLimits(handler, value);
end
