function on = traceRobotOne(handler, on)
% on = traceRobotOne(handler)
% traceRobotOne(handler, on)
%   Whether true path and believed path are drawn.
    if nargin < 2
        on = robotone_mex('get', handler, 'Trace') ~= 0;
    else
        robotone_mex('set', handler, 'Trace', double(logical(on)));
    end
end
