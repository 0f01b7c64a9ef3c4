import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { STATES } from '../../../server/base/vocabulary.ts';
import { toIcns, toIco } from '../../../scripts/icon-containers.ts';
import { asTemplate, loadRenderer, render, TRAY_STATES } from '../../../scripts/icons.ts';

const source = (state: string): string => readFileSync(`assets/tray/${state}.svg`, 'utf8');
const alphas = (pixels: Uint8Array): number[] => [...pixels].filter((_, at) => at % 4 === 3);

beforeAll(loadRenderer);

it('has a picture for each of the six states and no other', () => {
  expect([...TRAY_STATES].sort()).toEqual([...STATES].sort());
});

it('tells the states apart at 16 pixels by shape alone', () => {
  const shapes = TRAY_STATES.map((state) => alphas(render(asTemplate(source(state)), 16).pixels));
  for (const [i, one] of shapes.entries())
    for (const [j, other] of shapes.entries()) {
      if (i >= j) continue;
      const different = one.filter((alpha, at) => Math.abs(alpha - (other[at] ?? 0)) > 127).length;
      expect(different, `${TRAY_STATES[i]} and ${TRAY_STATES[j]}`).toBeGreaterThan(20);
    }
});

it('fills enough of the 16 pixels to be seen, and leaves the sign inside empty', () => {
  for (const state of TRAY_STATES) {
    const alpha = alphas(render(source(state), 16).pixels);
    const solid = alpha.filter((value) => value > 127).length;
    expect(solid, state).toBeGreaterThan(50);
    expect(solid, state).toBeLessThan(220);
  }
});

it('makes templates of black and nothing, as macOS wants them', () => {
  for (const state of TRAY_STATES) {
    const { pixels } = render(asTemplate(source(state)), 32);
    expect(
      [...pixels].filter((value, at) => at % 4 !== 3 && value !== 0),
      state,
    ).toEqual([]);
    expect(
      alphas(pixels).some((alpha) => alpha === 255),
      state,
    ).toBe(true);
  }
  expect(() => asTemplate('<svg/>')).toThrow(/class "shape"/);
});

it('packs sizes into an .ico: bitmaps below 256 pixels, PNG from there', () => {
  const app = readFileSync('assets/app.svg', 'utf8');
  const ico = toIco([render(app, 16), render(app, 256)]);
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 2]);
  expect([ico[6], ico[22]]).toEqual([16, 0]);
  const [first, second] = [ico.readUInt32LE(18), ico.readUInt32LE(34)];
  expect(ico.readUInt32LE(first)).toBe(40);
  expect(ico.readUInt32LE(14)).toBe(40 + 16 * 16 * 4 + 16 * 4);
  expect(ico.subarray(second + 1, second + 4).toString()).toBe('PNG');
  expect(second + ico.readUInt32LE(30)).toBe(ico.length);
  const water = first + 40 + (1 * 16 + 8) * 4;
  expect([...ico.subarray(water, water + 4)], 'rows from the bottom, in BGRA').toEqual([
    0xb5, 0x9b, 0x2f, 0xff,
  ]);
});

it('packs sizes into an .icns with lengths that add up', () => {
  const icns = toIcns([
    render(source('error'), 16),
    render(source('error'), 20),
    render(source('error'), 512),
  ]);
  expect(icns.subarray(0, 4).toString()).toBe('icns');
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  expect(icns.subarray(8, 12).toString()).toBe('icp4');
  const second = 8 + icns.readUInt32BE(12);
  expect(icns.subarray(second, second + 4).toString()).toBe('ic09');
  expect(second + icns.readUInt32BE(second + 4)).toBe(icns.length);
});
