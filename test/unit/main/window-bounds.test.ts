import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionToSave, placeWindow } from '../../../main/window/window-bounds.ts';

const main = { x: 0, y: 0, width: 1920, height: 1040 };
const right = { x: 1920, y: 0, width: 2560, height: 1400 };
const left = { x: 2200, y: 100, width: 1200, height: 800, maximized: false };

it('opens in the middle of the main display the first time', () => {
  expect(placeWindow(undefined, [main, right])).toEqual({
    x: 370,
    y: 130,
    width: 1180,
    height: 780,
    maximized: false,
  });
});

it('keeps the place it was left at, also on the second display, also partly outside', () => {
  expect(placeWindow(left, [main, right])).toEqual(left);
  const half = { ...left, x: 4480 - 130 };
  expect(placeWindow(half, [main, right])).toEqual(half);
});

it('comes to the main display when its own is gone', () => {
  expect(placeWindow(left, [main])).toEqual({ x: 360, y: 120, width: 1200, height: 800, maximized: false });
});

it('comes back when only a corner without title bar is left to see', () => {
  const below = { ...left, x: 100, y: -700 };
  expect(placeWindow(below, [main]).y).toBeGreaterThanOrEqual(0);
  const sliver = { ...left, x: 1920 - 40, y: 10 };
  expect(placeWindow(sliver, [main]).x).toBe(360);
});

it('shrinks to a smaller display, grows to what its pages need, remembers being maximized', () => {
  const huge = { x: 0, y: 0, width: 5000, height: 3000, maximized: true };
  expect(placeWindow(huge, [main])).toEqual({ ...main, maximized: true });
  expect(placeWindow({ ...left, x: 0, y: 0, width: 300, height: 200 }, [main])).toMatchObject({
    width: 900,
    height: 600,
  });
  const small = { x: 0, y: 0, width: 800, height: 480 };
  expect(placeWindow(undefined, [small])).toMatchObject(small);
});

it('can be reached on some display, whatever was saved and whatever is plugged in', () => {
  const whole = fc.integer({ min: -8000, max: 8000 });
  const size = fc.integer({ min: 1, max: 6000 });
  const saved = fc.record({ x: whole, y: whole, width: size, height: size, maximized: fc.boolean() });
  const display = fc.record({
    x: whole,
    y: whole,
    width: fc.integer({ min: 640, max: 5000 }),
    height: fc.integer({ min: 400, max: 3000 }),
  });
  fc.assert(
    fc.property(saved, fc.array(display, { minLength: 1, maxLength: 4 }), (bounds, displays) => {
      const placed = placeWindow(bounds, displays);
      const reachable = displays.some(
        (area) =>
          Math.min(placed.x + placed.width, area.x + area.width) - Math.max(placed.x, area.x) >= 120 &&
          placed.y + 24 > area.y &&
          placed.y < area.y + area.height,
      );
      expect(reachable).toBe(true);
    }),
  );
});

it('opens again where the user sees it, also where the system tells the page’s corner and takes the frame’s', () => {
  const asked = { x: 200, y: 90, width: 1000, height: 700 };
  const told = { ...asked, x: 201, y: 110 };
  expect(positionToSave(asked, told, told), 'not moved').toEqual(asked);
  expect(positionToSave(asked, told, { ...told, x: 401, y: 310, width: 950 })).toEqual({
    x: 400,
    y: 290,
    width: 950,
    height: 700,
  });
});

it('takes what the system tells as it is where frames make no difference, or nothing is known of them', () => {
  const asked = { x: 200, y: 90, width: 1000, height: 700 };
  const moved = { ...asked, x: 20, y: 30 };
  expect(positionToSave(asked, asked, moved)).toEqual(moved);
  expect(positionToSave(asked, undefined, moved)).toEqual(moved);
  expect(positionToSave(asked, { ...asked, y: 500 }, moved), 'dragged while it opened').toEqual(moved);
  expect(positionToSave(asked, { ...asked, x: 100 }, moved), 'pushed by the desktop').toEqual(moved);
});
