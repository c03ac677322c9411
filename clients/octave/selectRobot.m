function selectRobot(handler, robot)
% selectRobot(handler, robot)
%   Commands this robot from now on, from 0.
    robotone_mex('set', handler, 'World.Robot', robot);
    warnOfLimits(handler);
end
