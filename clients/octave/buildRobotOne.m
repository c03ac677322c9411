function buildRobotOne(include, library, output)
% buildRobotOne(include, library)
%   Builds robotone_mex here, once: from the folder of robotOne.h and that of librobotOne.
% buildRobotOne(include, library, output)
%   Builds it in another folder.
    here = fileparts(mfilename('fullpath'));
    if nargin < 3
        output = here;
    end
    library = absolute(library);
    source = fullfile(here, 'robotone_mex.c');
    target = fullfile(output, ['robotone_mex.' mexext()]);
    if exist('OCTAVE_VERSION', 'builtin')
        mex(['-I' include], ['-L' library], '-lrobotOne', ['-Wl,-rpath,' library], ...
            '-o', target, source);
    else
        mex(['-I' include], ['-L' library], '-lrobotOne', ...
            ['LDFLAGS=$LDFLAGS -Wl,-rpath,' library], '-outdir', output, source);
    end
end

function path = absolute(path)
% The same folder by its whole name, so that the MEX file finds the library from anywhere.
    if ~any(path(1) == '/\\') && isempty(strfind(path, ':'))
        path = fullfile(pwd(), path);
    end
end
