function savePath(file, path, goals)
% savePath(file, path, goals)
%   Draws a path (rows of x, y) and goals as SVG, also where there is no screen.
    points = [path; goals];
    margin = 0.05 * max(max(points) - min(points));
    low = min(points) - margin;
    span = max(points) + margin - low;
    scale = 600 / max(span);
    at = @(p) [(p(:, 1) - low(1)) * scale, (low(2) + span(2) - p(:, 2)) * scale];
    out = fopen(file, 'w');
    fprintf(out, '<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f">\n', span * scale);
    fprintf(out, '<rect width="100%%" height="100%%" fill="white"/>\n<polyline fill="none" points="');
    fprintf(out, '%.1f,%.1f ', at(path)');
    fprintf(out, '" stroke="#1f77b4" stroke-width="2"/>\n');
    fprintf(out, '<circle cx="%.1f" cy="%.1f" r="5" fill="#2ca02c"/>\n', at(goals)');
    fprintf(out, '</svg>\n');
    fclose(out);
end
