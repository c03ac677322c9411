function value = odometryStd(handler, value)
% value = odometryStd(handler)
% odometryStd(handler, value)
%   Error of the executed motion: standard deviations, m and rad a cycle.
    if nargin < 2
        value = robotone_mex('get', handler, 'Odometry.Std');
        return
    end
    setNumbers(handler, 'odometryStd', {'Odometry.Std.Linear', 'Odometry.Std.Angular'}, '[linear angular] in m and rad a cycle', value);
end
