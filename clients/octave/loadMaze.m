function loadMaze(handler, maze)
% loadMaze(handler, maze)
%   Loads another maze: the name of a file, or bytes (uint8) of a text map or picture.
    if ischar(maze)
        file = fopen(maze, 'rb');
        if file < 0
            error('robotone:argument', 'cannot read %s', maze);
        end
        maze = fread(file, Inf, 'uint8=>uint8');
        fclose(file);
    end
    robotone_mex('load', handler, 'World.Maze.Load', maze(:)');
    warnOfLimits(handler);
end
