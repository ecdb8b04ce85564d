// Elements of an SVG page as text: words, rectangles, colour bars, charts and images side by side. Coordinates in
// pixels from the top left corner.
import { toHex, type Rgb } from '#domain/shared/colours.ts';
import { fontFamily } from './png.ts';

export interface RectPx {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const ink = '#1c1e22';
export const softInk = '#5a5f66';
export const headingInk = '#b5482a';

export interface TextStyle {
  sizePx: number;
  colour?: string;
  anchor?: 'start' | 'middle' | 'end';
  isBold?: boolean;
}

/** A white page with everything on it, in the order given. */
export function page(widthPx: number, heightPx: number, elements: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${widthPx}" height="${heightPx}" font-family="${fontFamily}">
<rect width="100%" height="100%" fill="#ffffff"/>
${elements.join('\n')}
</svg>`;
}

/** One line of text; `y` is its base line. */
export function text(content: string, x: number, y: number, style: TextStyle): string {
  const { sizePx, colour = ink, anchor = 'start', isBold = false } = style;
  const weight = isBold ? ' font-weight="600"' : '';
  return `<text x="${x}" y="${y}" font-size="${sizePx}"${weight} fill="${colour}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

export function rect({ left, top, width, height }: RectPx, fill: string, stroke = 'none'): string {
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${fill}" stroke="${stroke}"/>`;
}

/** Another drawing, a whole `<svg>` element, with its corner at a place. */
export function nested(svg: string, left: number, top: number): string {
  return svg.replace('<svg ', `<svg x="${left}" y="${top}" `);
}

/** A bar in the colours of a scale, from the left, or from the bottom where it is higher than wide. */
export function colourBar(bar: RectPx, colour: (share: number) => Rgb): string {
  const isUpright = bar.height > bar.width;
  const steps = 64;
  const stops = Array.from({ length: steps + 1 }, (_, step) => {
    const share = step / steps;
    return `<stop offset="${share}" stop-color="${toHex(colour(isUpright ? 1 - share : share))}"/>`;
  });
  const id = `bar-${bar.left}-${bar.top}`;
  const end = isUpright ? 'x2="0" y2="1"' : 'x2="1" y2="0"';
  return `<defs><linearGradient id="${id}" x1="0" y1="0" ${end}>${stops.join('')}</linearGradient></defs>${rect(bar, `url(#${id})`, ink)}`;
}

/** Breaks a text between words into lines of about `widthPx` at most; letters are estimated by their mean width. */
export function wrapText(content: string, widthPx: number, sizePx: number): string[] {
  const maxLetters = widthPx / (0.52 * sizePx);
  const lines: string[] = [];
  let line = '';
  for (const word of content.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > maxLetters) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
