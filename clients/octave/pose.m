function value = pose(handler, value)
% value = pose(handler)
% pose(handler, value)
%   True x, y (m) and heading (rad); puts the robot elsewhere.
    if nargin < 2
        value = robotone_mex('get', handler, 'Pose');
        return
    end
    names = {'Pose.X', 'Pose.Y', 'Pose.Theta'};
    if numel(value) ~= numel(names)
        error('robotone:argument', 'pose: expected %d numbers, got %d', numel(names), numel(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end
