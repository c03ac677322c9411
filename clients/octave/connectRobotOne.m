function handler = connectRobotOne(address, dialect)
% handler = connectRobotOne(address)
%   Connects to a simulator: 'HOST' or 'HOST:PORT'; this machine's, if no address is given.
% handler = connectRobotOne(address, 'release')
%   Speaks as the released programs do (port 5046) rather than as the thesis says (port 5047).
    if nargin < 1
        address = '';
    end
    if nargin < 2
        dialect = 'thesis';
    end
    number = find(strcmp(dialect, {'thesis', 'release'})) - 1;
    if isempty(number)
        error('robotone:argument', 'expected the dialect ''thesis'' or ''release''');
    end
    handler = robotone_mex('open', address, number);
    warnOfLimits(handler);
end
