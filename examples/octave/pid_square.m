% The PID controller of the thesis (section 4.1): to the corners of a square of 10 m.
%
%   rolima run maze &
%   octave-cli --path clients/octave examples/octave/pid_square.m [FILE.svg]
%
% Draws the path that the robot took into FILE.svg.
disconnectRobotOne(1);
handler = connectRobotOne('127.0.0.1');
traceRobotOne(handler, true);

Vmax = 1.0;
erro = 0.05;
Krho = 1;
Kp = 1;
Ki = 0.01;
Kd = 0.01;
sum_alpha = 0;
alpha_1 = 0;

GS = [0 0; 10 0; 10 10; 0 10];
pose(handler, [0 0 0]);
path = [0 0];
time = 0;

for i = 1:size(GS, 1)
    rho = Inf;
    while rho > erro
        P = pose(handler);
        path(end + 1, :) = P(1:2);
        dx = GS(i, 1) - P(1);
        dy = GS(i, 2) - P(2);
        rho = sqrt(dx * dx + dy * dy);
        if rho <= erro
            break
        end
        alpha = fixAngle(atan2(dy, dx) - P(3));
        % At full speed to all corners but the last, where the robot must not overshoot.
        if i < size(GS, 1)
            v = Vmax;
        else
            v = min(Krho * rho, Vmax);
        end
        w = Kp * alpha + Ki * sum_alpha + Kd * (alpha - alpha_1);
        alpha_1 = alpha;
        sum_alpha = sum_alpha + alpha;
        velocity(handler, [v w]);
        time = time + waitRobotOne(handler);
    end
    printf('corner %d after %.1f s\n', i, time);
end

% The trace stays on the page, to be looked at.
disconnectRobotOne(handler);

arguments = argv();
if numel(arguments) > 0
    addpath(fileparts(mfilename('fullpath')));
    savePath(arguments{end}, path, GS);
end
