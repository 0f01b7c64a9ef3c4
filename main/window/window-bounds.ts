/** Pixels of the desktop, independent of a display's scale. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the window was left. */
export interface SavedBounds extends Rectangle {
  readonly maximized: boolean;
}

/** The window's pages are made for this width and more. */
export const MINIMUM = { width: 900, height: 600 } as const;
const DEFAULT = { width: 1180, height: 780 } as const;

/** So much of the title bar must lie on a display for a mouse to drag the window by it. */
const GRIP = { width: 120, height: 24 } as const;

const overlap = (fromA: number, sizeA: number, fromB: number, sizeB: number): number =>
  Math.min(fromA + sizeA, fromB + sizeB) - Math.max(fromA, fromB);

function holdsTitleBar(area: Rectangle, window: Rectangle): boolean {
  return (
    overlap(window.x, window.width, area.x, area.width) >= GRIP.width &&
    overlap(window.y, GRIP.height, area.y, area.height) >= GRIP.height
  );
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/**
 * Where to open the window. Its last place is kept while the title bar can still be reached on one of
 * `displays` (work areas, the main one first); a window left on a display that is gone comes to the middle
 * of the main one. Never larger than the display it is on.
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

/** Taller than any title bar, and much less than a hand moves a window. */
const MOST_FRAME = 64;

/**
 * The place to open at the next time, for a window that was opened at `asked`, of which the system then `told` where
 * that is, and that it now says stands at `now`; all of them while it is not maximized, or `told` not known. On Linux under X11 the system takes the corner of the frame and tells the corner of the page: what
 * it tells, asked again, would lower the window by its title bar at every start.
 */
export function placeToKeep(asked: Rectangle, told: Rectangle | undefined, now: Rectangle): Rectangle {
  if (!told) return now;
  const right = told.x - asked.x;
  const down = told.y - asked.y;
  const isFrame = [right, down].every((pixels) => pixels >= 0 && pixels <= MOST_FRAME);
  return isFrame ? { ...now, x: now.x - right, y: now.y - down } : now;
}
