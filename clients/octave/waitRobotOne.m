function passed = waitRobotOne(handler)
% passed = waitRobotOne(handler)
%   Waits for the next cycle of the simulation (1/60 s); how much simulated time has passed since
%   the wait before, s.
    passed = robotone_mex('get', handler, 'Time.Wait');
end
