function setNumbers(handler, caller, names, expected, value)
% setNumbers(handler, caller, names, expected, value)
%   Sets several numbers by their names; tells what the caller expects if there are others.
    if ~(isnumeric(value) || islogical(value)) || numel(value) ~= numel(names)
        error('robotone:argument', '%s: expected %d numbers, %s, got %s', ...
              caller, numel(names), expected, shown(value));
    end
    for i = 1:numel(names)
        robotone_mex('set', handler, names{i}, value(i));
    end
end

function text = shown(value)
    if isnumeric(value) || islogical(value)
        text = sprintf('%d: %s', numel(value), mat2str(value));
    else
        text = ['a ' class(value)];
    end
end
