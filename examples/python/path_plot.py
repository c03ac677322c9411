"""Draws a path as SVG, without other packages."""


def save_path(file, path, goals=(), walls=(), other=()):
    """Draw a path, dots at goals, walls as (x1, y1, x2, y2), and another path dashed."""
    xs = [p[0] for p in path] + [g[0] for g in goals] + [w[i] for w in walls for i in (0, 2)]
    ys = [p[1] for p in path] + [g[1] for g in goals] + [w[i] for w in walls for i in (1, 3)]
    margin = 0.05 * max(max(xs) - min(xs), max(ys) - min(ys), 1e-3)
    left, top = min(xs) - margin, max(ys) + margin
    width, height = max(xs) + margin - left, top - min(ys) + margin
    scale = 600 / max(width, height)

    def at(x, y):
        return f"{(x - left) * scale:.1f},{(top - y) * scale:.1f}"

    def line(points, style):
        return f'<polyline fill="none" points="{" ".join(at(*p[:2]) for p in points)}" {style}/>'

    parts = [line([w[:2], w[2:]], 'stroke="black" stroke-width="3"') for w in walls]
    parts.append(line(path, 'stroke="#1f77b4" stroke-width="2"'))
    if other:
        parts.append(line(other, 'stroke="#d62728" stroke-width="1" stroke-dasharray="6 4"'))
    for goal in goals:
        x, y = at(*goal[:2]).split(",")
        parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#2ca02c"/>')
    size = f'width="{width * scale:.0f}" height="{height * scale:.0f}"'
    with open(file, "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n')
        out.write('<rect width="100%" height="100%" fill="white"/>\n')
        out.write("\n".join(parts) + "\n</svg>\n")
