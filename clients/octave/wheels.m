function value = wheels(handler, value)
% value = wheels(handler)
% wheels(handler, value)
%   Speeds of the left and the right wheel, rad/s; obeyed under low-level control.
    if nargin < 2
        value = robotone_mex('get', handler, 'Velocity.Wheels');
        return
    end
    setNumbers(handler, 'wheels', {'Velocity.Angular.Left', 'Velocity.Angular.Right'}, '[left right] in rad/s', value);
end
