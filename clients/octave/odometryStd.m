function value = odometryStd(handler, value)
% value = odometryStd(handler)
% odometryStd(handler, value)
%   Error of the executed motion: standard deviations, m and rad a cycle.
    if nargin < 2
        value = robotone_mex('get', handler, 'Odometry.Std');
        return
    end
    names = {'Odometry.Std.Linear', 'Odometry.Std.Angular'};
    if numel(value) ~= numel(names)
        error('robotone:argument', 'odometryStd: expected %d numbers, got %d', numel(names), numel(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end
