// A small RGB raster: rectangles, thick anti-aliased lines, discs, polygons and text, written as PNG.
// Coordinates in pixels from the top left corner, centres of pixels at halves.
import { encode } from 'fast-png';
import { glyphColumns, glyphHeight, glyphWidth } from './font.ts';

/** Red, green, blue, 0–255. */
export type Rgb = readonly [number, number, number];
export type Point = readonly [xPx: number, yPx: number];

export interface Canvas {
  readonly widthPx: number;
  readonly heightPx: number;
  setPixel(xPx: number, yPx: number, colour: Rgb): void;
  fillRect(xPx: number, yPx: number, widthPx: number, heightPx: number, colour: Rgb): void;
  line(points: readonly Point[], thicknessPx: number, colour: Rgb): void;
  disc(centre: Point, radiusPx: number, colour: Rgb): void;
  ring(centre: Point, radiusPx: number, thicknessPx: number, colour: Rgb): void;
  polygon(corners: readonly Point[], colour: Rgb): void;
  text(text: string, xPx: number, yPx: number, options: TextOptions): void;
  png(): Uint8Array;
}

export interface TextOptions {
  colour: Rgb;
  /** Pixels of the picture for one of the font. */
  scale?: number;
  align?: 'left' | 'centre' | 'right';
}

/** Width of a text in pixels. */
export function textWidthPx(text: string, scale = 2): number {
  return Math.max(0, text.length * (glyphWidth + 1) - 1) * scale;
}

/** A canvas filled with one colour. */
export function createCanvas(widthPx: number, heightPx: number, background: Rgb): Canvas {
  const data = new Uint8Array(3 * widthPx * heightPx);
  fillRect(0, 0, widthPx, heightPx, background);
  return { widthPx, heightPx, setPixel, fillRect, line, disc, ring, polygon, text, png };

  function setPixel(xPx: number, yPx: number, colour: Rgb): void {
    if (xPx >= 0 && yPx >= 0 && xPx < widthPx && yPx < heightPx) {
      data.set(colour, 3 * (yPx * widthPx + xPx));
    }
  }

  function blend(xPx: number, yPx: number, colour: Rgb, share: number): void {
    if (share <= 0 || xPx < 0 || yPx < 0 || xPx >= widthPx || yPx >= heightPx) return;
    const at = 3 * (yPx * widthPx + xPx);
    const part = Math.min(1, share);
    for (let i = 0; i < 3; i += 1) {
      data[at + i] = Math.round((data[at + i] ?? 0) * (1 - part) + (colour[i] ?? 0) * part);
    }
  }

  function fillRect(x: number, y: number, width: number, height: number, colour: Rgb): void {
    for (let row = Math.round(y); row < Math.round(y + height); row += 1) {
      for (let column = Math.round(x); column < Math.round(x + width); column += 1) {
        setPixel(column, row, colour);
      }
    }
  }

  function line(points: readonly Point[], thicknessPx: number, colour: Rgb): void {
    for (let i = 1; i < points.length; i += 1) {
      const [from, to] = [points[i - 1], points[i]];
      if (from === undefined || to === undefined) continue;
      const reach = thicknessPx / 2 + 1;
      forBox(
        Math.min(from[0], to[0]) - reach,
        Math.min(from[1], to[1]) - reach,
        Math.max(from[0], to[0]) + reach,
        Math.max(from[1], to[1]) + reach,
        (x, y) => {
          const distance = distanceToSegment([x + 0.5, y + 0.5], from, to);
          blend(x, y, colour, thicknessPx / 2 + 0.5 - distance);
        },
      );
    }
  }

  function disc(centre: Point, radiusPx: number, colour: Rgb): void {
    const reach = radiusPx + 1;
    forBox(centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach, (x, y) => {
      const distance = Math.hypot(x + 0.5 - centre[0], y + 0.5 - centre[1]);
      blend(x, y, colour, radiusPx + 0.5 - distance);
    });
  }

  function ring(centre: Point, radiusPx: number, thicknessPx: number, colour: Rgb): void {
    const reach = radiusPx + thicknessPx;
    forBox(centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach, (x, y) => {
      const distance = Math.hypot(x + 0.5 - centre[0], y + 0.5 - centre[1]);
      blend(x, y, colour, thicknessPx / 2 + 0.5 - Math.abs(distance - radiusPx));
    });
  }

  /** Convex polygons only: filled where a pixel is on the inner side of every edge. */
  function polygon(corners: readonly Point[], colour: Rgb): void {
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    forBox(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (x, y) => {
      const sides = corners.map((from, i) => {
        const to = corners[(i + 1) % corners.length] ?? from;
        return (to[0] - from[0]) * (y + 0.5 - from[1]) - (to[1] - from[1]) * (x + 0.5 - from[0]);
      });
      if (sides.every((side) => side >= 0) || sides.every((side) => side <= 0)) {
        setPixel(x, y, colour);
      }
    });
  }

  function text(content: string, xPx: number, yPx: number, options: TextOptions): void {
    const { colour, scale = 2, align = 'left' } = options;
    const width = textWidthPx(content, scale);
    const shift = align === 'left' ? 0 : align === 'centre' ? width / 2 : width;
    let left = Math.round(xPx - shift);
    for (const character of content) {
      for (const [column, bits] of glyphColumns(character).entries()) {
        for (let row = 0; row < glyphHeight; row += 1) {
          if ((bits & (1 << row)) === 0) continue;
          fillRect(left + column * scale, Math.round(yPx) + row * scale, scale, scale, colour);
        }
      }
      left += (glyphWidth + 1) * scale;
    }
  }

  function forBox(
    minX: number,
    minY: number,
    maxX: number,
    maxY: number,
    visit: (x: number, y: number) => void,
  ): void {
    for (let y = Math.max(0, Math.floor(minY)); y <= Math.min(heightPx - 1, maxY); y += 1) {
      for (let x = Math.max(0, Math.floor(minX)); x <= Math.min(widthPx - 1, maxX); x += 1) {
        visit(x, y);
      }
    }
  }

  function png(): Uint8Array {
    return encodeRgb(data, widthPx, heightPx);
  }
}

/** A PNG of 8-bit RGB rows from the top. */
export function encodeRgb(data: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  return encode({ width: widthPx, height: heightPx, data, channels: 3, depth: 8 });
}

function distanceToSegment([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((px - ax) * dx + (py - ay) * dy) / lengthSquared;
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
