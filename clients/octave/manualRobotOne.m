function on = manualRobotOne(handler, on)
% on = manualRobotOne(handler)
% manualRobotOne(handler, on)
%   Whether people may drive while this program is connected.
    if nargin < 2
        on = robotone_mex('get', handler, 'Controller.Manual') ~= 0;
    else
        robotone_mex('set', handler, 'Controller.Manual', double(logical(on)));
    end
end
