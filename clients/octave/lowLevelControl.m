function on = lowLevelControl(handler, on)
% on = lowLevelControl(handler)
% lowLevelControl(handler, on)
%   Whether wheels are commanded, rather than the robot's velocity.
    if nargin < 2
        on = robotone_mex('get', handler, 'Controller.LowLevel') ~= 0;
    else
        robotone_mex('set', handler, 'Controller.LowLevel', double(logical(on)));
    end
end
