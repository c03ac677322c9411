function angle = fixAngle(angle)
% angle = fixAngle(angle)
%   The same angle within -pi to pi.
    angle = angle - 2 * pi * round(angle / (2 * pi));
end
