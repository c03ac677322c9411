function value = odometry(handler, value)
% value = odometry(handler)
% odometry(handler, value)
%   Where the robot believes to be by its wheels: x, y (m) and heading (rad).
    if nargin < 2
        value = robotone_mex('get', handler, 'Odometry');
        return
    end
    setNumbers(handler, 'odometry', {'Odometry.X', 'Odometry.Y', 'Odometry.Theta'}, '[x y theta] in m, m and rad', value);
end
