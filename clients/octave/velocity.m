function value = velocity(handler, value)
% value = velocity(handler)
% velocity(handler, value)
%   Commanded speed, m/s and rad/s; drives with it.
    if nargin < 2
        value = robotone_mex('get', handler, 'Velocity');
        return
    end
    names = {'Velocity.Linear', 'Velocity.Angular'};
    if numel(value) ~= numel(names)
        error('robotone:argument', 'velocity: expected %d numbers, got %d', numel(names), numel(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end
