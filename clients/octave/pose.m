function value = pose(handler, value)
% value = pose(handler)
% pose(handler, value)
%   True x, y (m) and heading (rad); puts the robot elsewhere.
    if nargin < 2
        value = robotone_mex('get', handler, 'Pose');
        return
    end
    setNumbers(handler, 'pose', {'Pose.X', 'Pose.Y', 'Pose.Theta'}, '[x y theta] in m, m and rad', value);
end
