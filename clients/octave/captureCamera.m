function rgb = captureCamera(handler)
% rgb = captureCamera(handler)
%   The newest picture, or the next if this program has that one: 240 x 320 x 3, uint8.
    rgb = robotone_mex('capture', handler);
end
