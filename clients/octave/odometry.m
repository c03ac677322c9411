function value = odometry(handler, value)
% value = odometry(handler)
% odometry(handler, value)
%   Where the robot believes to be by its wheels: x, y (m) and heading (rad).
    if nargin < 2
        value = robotone_mex('get', handler, 'Odometry');
        return
    end
    names = {'Odometry.X', 'Odometry.Y', 'Odometry.Theta'};
    if numel(value) ~= numel(names)
        error('robotone:argument', 'odometry: expected %d numbers, got %d', numel(names), numel(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end
