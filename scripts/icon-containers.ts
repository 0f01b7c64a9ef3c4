export interface Rendering {
  /** Width and height in pixels. */
  readonly size: number;
  readonly png: Uint8Array;
  /** Straight-alpha RGBA, row by row from the top. */
  readonly pixels: Uint8Array;
}

/** From this size on Windows wants PNG inside an icon; below, the installer's builder reads bitmaps only. */
const PNG_FROM = 256;

/** Returns a 32-bit bitmap as in an .ico: header, rows from the bottom in BGRA, then an empty mask. */
function encodeBitmap({ size, pixels }: Rendering): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(size, 4);
  header.writeInt32LE(size * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const rows = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 4;
      const to = ((size - 1 - y) * size + x) * 4;
      for (const [channel, source] of [2, 1, 0, 3].entries()) rows[to + channel] = pixels[from + source] ?? 0;
    }
  }
  const mask = Buffer.alloc(Math.ceil(size / 32) * 4 * size);
  return Buffer.concat([header, rows, mask]);
}

/** Returns a Windows icon of these sizes, in this order. */
export function toIco(renderings: readonly Rendering[]): Buffer {
  const images = renderings.map((one) => (one.size >= PNG_FROM ? Buffer.from(one.png) : encodeBitmap(one)));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach((image, index) => {
    const size = renderings[index]?.size ?? 0;
    const entry = 6 + 16 * index;
    head.writeUInt8(size >= 256 ? 0 : size, entry);
    head.writeUInt8(size >= 256 ? 0 : size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(image.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += image.length;
  });
  return Buffer.concat([head, ...images]);
}

/** Type codes of an .icns for PNG content, by pixels. */
const ICNS_TYPES: Readonly<Record<number, string>> = {
  16: 'icp4',
  32: 'icp5',
  64: 'icp6',
  128: 'ic07',
  256: 'ic08',
  512: 'ic09',
  1024: 'ic10',
};

/** Returns a macOS icon of these sizes; leaves out sizes that the format doesn't know. */
export function toIcns(renderings: readonly Rendering[]): Buffer {
  const chunks = renderings.flatMap(({ size, png }) => {
    const type = ICNS_TYPES[size];
    if (type === undefined) return [];
    const head = Buffer.alloc(8);
    head.write(type, 0, 'ascii');
    head.writeUInt32BE(png.length + 8, 4);
    return [head, Buffer.from(png)];
  });
  const body = Buffer.concat(chunks);
  const head = Buffer.alloc(8);
  head.write('icns', 0, 'ascii');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}
