function version = versionRobotOne(handler)
% version = versionRobotOne(handler)
%   Version of these functions.
    version = 1.0;
end
