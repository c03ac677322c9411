function value = getRobotOne(handler, name)
% value = getRobotOne(handler, name)
%   A number, or a row of numbers, by its name, such as 'Pose.X'.
    value = robotone_mex('get', handler, name);
end
