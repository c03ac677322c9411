function value = wheels(handler, value)
% value = wheels(handler)
% wheels(handler, value)
%   Speeds of the left and the right wheel, rad/s; obeyed under low-level control.
    if nargin < 2
        value = robotone_mex('get', handler, 'Velocity.Wheels');
        return
    end
    names = {'Velocity.Angular.Left', 'Velocity.Angular.Right'};
    if numel(value) ~= numel(names)
        error('robotone:argument', 'wheels: expected %d numbers, got %d', numel(names), numel(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end
