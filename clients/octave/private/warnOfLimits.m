function warnOfLimits(handler, value)
% warnOfLimits(handler, value)
%   Warns, once a robot, of a speed above the robot's limit: it drives slower, around the same curve.
% warnOfLimits(handler)
%   Forgets what is known: another connection, robot or world.
    persistent limits
    if isempty(limits)
        limits = {};
    end
    if nargin < 2
        limits{handler} = [];
        return
    end
    if numel(limits) < handler || isempty(limits{handler})
        try
            limits{handler} = robotone_mex('get', handler, 'Velocity.Limits');
        catch
            limits{handler} = [Inf Inf];    % another server: nothing is known
        end
    end
    if numel(limits{handler}) < 2
        limits{handler} = [Inf Inf];    % the same, in the release's dialect
    end
    units = {'m/s', 'rad/s'};
    for i = find(abs(value(:)') > limits{handler})
        warning('robotone:limit', ...
                'velocity: %g %s is above the robot''s limit of %g %s: it drives slower, around the same curve', ...
                value(i), units{i}, limits{handler}(i), units{i});
        limits{handler}(i) = Inf;
    end
end
