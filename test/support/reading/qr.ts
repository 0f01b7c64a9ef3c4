import type { Locator } from 'playwright-core';
import jsqr from 'jsqr';

/** The text that a telephone reads off this part of the screen; undefined where it finds none. */
export async function readQr(place: Locator): Promise<string | undefined> {
  const picture = (await place.screenshot()).toString('base64');
  // The window's own policy lets no script of ours look at a picture: an empty page does.
  const page = await place.page().context().newPage();
  const { width, pixels } = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const drawn = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    return { width: image.width, pixels: [...drawn] };
  }, picture);
  await page.close();
  const height = pixels.length / 4 / width;
  // Many telephones take no light code on a dark ground.
  return jsqr(Uint8ClampedArray.from(pixels), width, height, { inversionAttempts: 'dontInvert' })?.data;
}
