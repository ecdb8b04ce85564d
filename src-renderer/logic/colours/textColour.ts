// Text that is legible on a colour.
import type { Rgb } from '#domain/shared/colours.ts';

const [dark, light]: [Rgb, Rgb] = [
  [0, 0, 0],
  [255, 255, 255],
];

/** Black or white, whichever has the greater contrast by WCAG 2. */
export function textColourOn(colour: Rgb): Rgb {
  const behind = luminance(colour);
  const ratio = (text: Rgb): number => {
    const front = luminance(text);
    return (Math.max(front, behind) + 0.05) / (Math.min(front, behind) + 0.05);
  };
  return ratio(dark) > ratio(light) ? dark : light;
}

/** Relative luminance of an sRGB colour. */
function luminance([red, green, blue]: Rgb): number {
  const linear = (byte: number): number => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
