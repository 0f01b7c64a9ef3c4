import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { toIcns, toIco, type Rendering } from './icon-containers.ts';

/** The states that have a tray picture, as the file names in assets/tray. */
export const TRAY_STATES = ['up-to-date', 'syncing', 'paused', 'offline', 'needs-you', 'error'] as const;

const APP_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const ICO_SIZES = new Set([16, 24, 32, 48, 256]);

/** Windows and macOS draw the tray at 16 points, Linux panels at 22 to 24. */
const TRAY_SCALES: readonly { suffix: string; size: number }[] = [
  { suffix: '', size: 16 },
  { suffix: '@1.25x', size: 20 },
  { suffix: '@1.5x', size: 24 },
  { suffix: '@2x', size: 32 },
  { suffix: '-24', size: 24 },
  { suffix: '-24@2x', size: 48 },
];
/** macOS finds its pictures by these endings and colours them itself. */
const TEMPLATE_SCALES: readonly { suffix: string; size: number }[] = [
  { suffix: 'Template', size: 16 },
  { suffix: 'Template@2x', size: 32 },
];

/** Returns RGBA pixels with straight alpha from premultiplied ones. */
function toStraightAlpha(pixels: Uint8Array): Uint8Array {
  const out = new Uint8Array(pixels);
  for (let at = 0; at < out.length; at += 4) {
    const alpha = out[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++)
      out[channel] = Math.min(255, Math.round(((out[channel] ?? 0) * 255) / alpha));
  }
  return out;
}

/** Draws an SVG at `size` by `size` pixels. {@link loadRenderer} must have been awaited before. */
export function render(svg: string, size: number): Rendering {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render();
  return { size, png: image.asPng(), pixels: toStraightAlpha(image.pixels) };
}

/** Returns the picture in black on nothing: every colour inside the shape becomes black, what is cut out stays so. */
export function asTemplate(svg: string): string {
  const at = svg.indexOf('class="shape"');
  if (at < 0) throw new Error('A tray picture needs an element of class "shape".');
  return svg.slice(0, at) + svg.slice(at).replace(/(fill|stroke)="#[0-9a-f]{6}"/g, '$1="#000000"');
}

/** Loads the renderer of {@link render}; call it once in a process. */
export async function loadRenderer(): Promise<void> {
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  await initWasm(await readFile(wasm));
}

/** Makes every icon that the app and its packages need from the SVG in `assets` into `out`. */
export async function makeIcons(assets: string, out: string): Promise<void> {
  const tray = join(out, 'tray');
  const app = join(out, 'app');
  await Promise.all([mkdir(tray, { recursive: true }), mkdir(app, { recursive: true })]);

  for (const state of TRAY_STATES) {
    const svg = await readFile(join(assets, 'tray', `${state}.svg`), 'utf8');
    const template = asTemplate(svg);
    for (const { suffix, size } of TRAY_SCALES)
      await writeFile(join(tray, `${state}${suffix}.png`), render(svg, size).png);
    for (const { suffix, size } of TEMPLATE_SCALES)
      await writeFile(join(tray, `${state}${suffix}.png`), render(template, size).png);
  }

  const svg = await readFile(join(assets, 'app.svg'), 'utf8');
  const sizes = APP_SIZES.map((size) => render(svg, size));
  for (const { size, png } of sizes) await writeFile(join(app, `${size}x${size}.png`), png);
  await writeFile(join(out, 'app.ico'), toIco(sizes.filter(({ size }) => ICO_SIZES.has(size))));
  await writeFile(join(out, 'app.icns'), toIcns(sizes));
}
