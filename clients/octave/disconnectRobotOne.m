function disconnectRobotOne(handler)
% disconnectRobotOne(handler)
%   Ends the connection: the robot stops, and people can drive it. One that is not open is fine, as
%   programs begin with it.
    try
        robotone_mex('close', handler);
    catch problem
        if ~strcmp(problem.identifier, 'robotone:handler')
            rethrow(problem);
        end
    end
end
