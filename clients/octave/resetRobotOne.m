function resetRobotOne(handler)
% resetRobotOne(handler)
%   Puts the robot back to its start, at rest.
    robotone_mex('set', handler, 'World.Reset', 1);
end
