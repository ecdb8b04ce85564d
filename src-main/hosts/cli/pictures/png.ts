// SVG to PNG with the font that comes with Understory, never with one of the system: a picture looks the same
// on every machine.
import { encode } from 'fast-png';
import { Resvg } from '@resvg/resvg-js';
import { fontFiles } from '#hosts/packageFolders.ts';

export const fontFamily = 'IBM Plex Sans';

/** A PNG of an SVG page, at its own size. */
export function pngOfSvg(svg: string): Uint8Array {
  const drawing = new Resvg(svg, {
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: fontFamily },
  });
  return drawing.render().asPng();
}

/** RGBA rows from the top as a data URL, for an image inside an SVG. */
export function imageUrl(
  data: Uint8Array | Uint8ClampedArray,
  widthPx: number,
  heightPx: number,
): string {
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const png = encode({ width: widthPx, height: heightPx, data: pixels, channels: 4, depth: 8 });
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

/** A PNG of 8-bit RGB rows from the top. */
export function encodeRgb(data: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  return encode({ width: widthPx, height: heightPx, data, channels: 3, depth: 8 });
}
