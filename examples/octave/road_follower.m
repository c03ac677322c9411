% The road follower of the thesis (section 4.2): keeps a grey road in the middle of the picture.
%
%   rolima run road &         (or realistic: a road over hills)
%   octave-cli --path clients/octave examples/octave/road_follower.m [SECONDS]
%
% Runs for SECONDS of simulated time, or until the robot is back where it started.
disconnectRobotOne(1);
handler = connectRobotOne('127.0.0.1');

V = 2;
longest = Inf;
arguments = argv();
if numel(arguments) > 0
    longest = str2double(arguments{end});
end
minval = [0 0 0] / 255;
maxval = [255 90 180] / 255;
start = pose(handler);
time = 0;
farthest = 0;
away = 0;

while time < longest && ~(farthest > 20 && away < 3)
    rgb = captureCamera(handler);
    % Only the rows that count, which is quicker than the whole picture.
    hsv = rgb2hsv(rgb(150:160, :, :));
    mask = true(size(hsv, 1), size(hsv, 2));
    for p = 1:3
        mask = mask & (hsv(:, :, p) >= minval(p) & hsv(:, :, p) <= maxval(p));
    end
    [row, col] = find(mask);

    w = 0;
    if ~isempty(col)
        x = sum(col) / length(col);
        w = 0.6 * atan2(160 - x, 80);
    end
    velocity(handler, [V w]);
    time = time + waitRobotOne(handler);
    P = pose(handler);
    away = norm(P(1:2) - start(1:2));
    farthest = max(farthest, away);
end

disconnectRobotOne(handler);
if farthest > 20 && away < 3
    printf('a lap in %.1f s\n', time);
else
    printf('no whole lap in %.1f s\n', time);
end
