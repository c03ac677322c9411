function value = setRobotOne(handler, name, value)
% setRobotOne(handler, name, value)
%   Sets a number by its name.
    robotone_mex('set', handler, name, value);
end
