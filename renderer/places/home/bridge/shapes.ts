const WAVE = 140;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/**
 * Returns SVG curve segments of a waved vertical line around `x`, in pixels. `phase` shifts the waves, so that shores
 * differ; `swing` is their reach to each side.
 */
function shoreline(x: number, height: number, phase: number, swing: number): string[] {
  const points = Array.from({ length: Math.ceil(height / WAVE) + 2 }, (_, at) => ({
    x: x + swing * Math.sin(at * 1.9 + phase),
    y: (at - 0.5) * WAVE,
  }));
  return points.slice(1).map((point, at) => {
    const before = points[at] ?? point;
    const middle = (before.y + point.y) / 2;
    const numbers = [before.x, middle, point.x, middle, point.x, point.y].map(rounded);
    return `C${numbers.join(' ')}`;
  });
}

/** Returns an SVG path of a shore, a little longer than `height`, in pixels. */
export function shorePath(x: number, height: number, phase: number, swing = 7): string {
  const start = rounded(x + swing * Math.sin(phase));
  return `M${start} ${-WAVE / 2}${shoreline(x, height, phase, swing).join('')}`;
}

/** Returns an SVG path around the water between two shores with these phases. */
export function waterPath(
  left: number,
  right: number,
  height: number,
  phases: readonly [number, number],
): string {
  const down = shorePath(left, height, phases[0]);
  const end = rounded((Math.ceil(height / WAVE) + 0.5) * WAVE);
  const points = Array.from({ length: Math.ceil(height / WAVE) + 2 }, (_, at) => ({
    x: right + 7 * Math.sin(at * 1.9 + phases[1]),
    y: (at - 0.5) * WAVE,
  })).reverse();
  const first = points[0] ?? { x: right, y: end };
  const up = points.slice(1).map((point, at) => {
    const before = points[at] ?? point;
    const middle = (before.y + point.y) / 2;
    return `C${[before.x, middle, point.x, middle, point.x, point.y].map(rounded).join(' ')}`;
  });
  return `${down}L${rounded(first.x)} ${end}${up.join('')}Z`;
}

/** Returns an SVG curve between two points. */
export function roadPath(fromX: number, fromY: number, toX: number, toY: number): string {
  const bend = (toX - fromX) * 0.55;
  return `M${[fromX, fromY].map(rounded).join(' ')}C${[fromX + bend, fromY, toX - bend, toY, toX, toY].map(rounded).join(' ')}`;
}

/** Returns SVG points, joined by `L`, from `top` to `bottom` at `x`; teeth point right (`towards` 1) or left (-1). */
export function tornEdge(x: number, top: number, bottom: number, towards: 1 | -1): string {
  const step = (bottom - top) / 4;
  const teeth = [0, 5, -3, 4, -1].map(
    (tooth, at) => `${rounded(x + towards * tooth)} ${rounded(top + at * step)}`,
  );
  return teeth.join('L');
}
