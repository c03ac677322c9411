function on = manual(handler, varargin)
% on = manual(handler)
% manual(handler, on)
%   Whether people may drive while this program is connected.
    on = manualRobotOne(handler, varargin{:});
end
