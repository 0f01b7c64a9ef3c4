/** Device-independent pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SavedBounds extends Rectangle {
  readonly maximized: boolean;
}

export const MINIMUM = { width: 900, height: 600 } as const;
const DEFAULT = { width: 1180, height: 780 } as const;

/** Needed on a display to drag the window by its title bar. */
const GRIP = { width: 120, height: 24 } as const;

/** Returns by how much two ranges overlap; negative if they don't. */
const overlap = (fromA: number, sizeA: number, fromB: number, sizeB: number): number =>
  Math.min(fromA + sizeA, fromB + sizeB) - Math.max(fromA, fromB);

/** Returns whether the area shows enough of the window's title bar to move it. */
function holdsTitleBar(area: Rectangle, window: Rectangle): boolean {
  return (
    overlap(window.x, window.width, area.x, area.width) >= GRIP.width &&
    overlap(window.y, GRIP.height, area.y, area.height) >= GRIP.height
  );
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/**
 * Returns where to open the window: at its last position if its title bar can be reached on one of `displays` (work
 * areas, the main one first), else centred on the main one, never off-screen. Never larger than its display.
 */
export function placeWindow(saved: SavedBounds | undefined, displays: readonly Rectangle[]): SavedBounds {
  const home = saved && displays.find((area) => holdsTitleBar(area, saved));
  const area = home ?? displays[0] ?? { x: 0, y: 0, ...DEFAULT };
  const wanted = saved ?? { ...DEFAULT, maximized: false };
  const width = clamp(wanted.width, Math.min(MINIMUM.width, area.width), area.width);
  const height = clamp(wanted.height, Math.min(MINIMUM.height, area.height), area.height);
  if (saved && holdsTitleBar(area, { ...saved, width, height })) return { ...saved, width, height };
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 2),
    width,
    height,
    maximized: wanted.maximized,
  };
}

/** Title bars are lower, and nobody moves a window so little. */
const MAX_FRAME = 64;

/**
 * Returns the position to save for a window requested at `asked`, first reported at `reported`, and now at `now`. X11
 * takes the frame's corner and reports the page's: otherwise the window would move down by its title bar at each start.
 */
export function positionToSave(asked: Rectangle, reported: Rectangle | undefined, now: Rectangle): Rectangle {
  if (!reported) return now;
  const right = reported.x - asked.x;
  const down = reported.y - asked.y;
  const isFrame = [right, down].every((pixels) => pixels >= 0 && pixels <= MAX_FRAME);
  return isFrame ? { ...now, x: now.x - right, y: now.y - down } : now;
}
