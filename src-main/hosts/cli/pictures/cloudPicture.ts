// A top view of a cloud, coloured by height (Goodin 2018, figure 9b). Points are taken as they come and
// kept as one height and one count a pixel, so that memory does not grow with the recording.
import type { ReturnTable } from '#contract/columns.ts';
import type { Point, Rgb } from './canvas.ts';
import { heightColour, markColours } from './colourMaps.ts';
import { createMapFrame } from './frame.ts';

export interface CloudPictureOptions {
  title: string;
  subtitle: string;
  /** What the picture shows, world metres. */
  minM: readonly [number, number, number];
  maxM: readonly [number, number, number];
}

export interface CloudPicture {
  add(table: ReturnTable, rows: number): void;
  /** A PNG. `drivenM`: the vehicle's way, in the world. */
  draw(drivenM: readonly Point[]): Uint8Array;
}

const longSidePx = 1200;
const background: Rgb = [8, 8, 12];
/** So many points in a pixel make it fully bright. */
const brightCount = 64;

/** A picture without points; its extent is fixed. */
export function createCloudPicture(options: CloudPictureOptions): CloudPicture {
  const { minM, maxM } = options;
  const pxPerM = longSidePx / Math.max(maxM[0] - minM[0], maxM[1] - minM[1]);
  const width = Math.round((maxM[0] - minM[0]) * pxPerM);
  const height = Math.round((maxM[1] - minM[1]) * pxPerM);
  const highestM = new Float32Array(width * height).fill(-Infinity);
  const counts = new Uint32Array(width * height);
  let points = 0;
  return { add, draw };

  function add({ x_m: xM, y_m: yM, z_m: zM }: ReturnTable, rows: number): void {
    if (xM === undefined || yM === undefined || zM === undefined) return;
    for (let row = 0; row < rows; row += 1) {
      const column = Math.floor(((xM[row] ?? NaN) - minM[0]) * pxPerM);
      const line = height - 1 - Math.floor(((yM[row] ?? NaN) - minM[1]) * pxPerM);
      if (!(column >= 0 && column < width && line >= 0 && line < height)) continue;
      const at = line * width + column;
      highestM[at] = Math.max(highestM[at] ?? -Infinity, zM[row] ?? -Infinity);
      counts[at] = (counts[at] ?? 0) + 1;
      points += 1;
    }
  }

  function draw(drivenM: readonly Point[]): Uint8Array {
    const { canvas, toPx, mapPx } = createMapFrame({
      title: options.title,
      subtitle: `${options.subtitle}, ${points.toLocaleString('en')} points`,
      minM: [minM[0], minM[1]],
      maxM: [maxM[0], maxM[1]],
      longSidePx,
      bar: {
        label: 'highest point (m)',
        from: metres(minM[2]),
        to: metres(maxM[2]),
        colour: heightColour,
      },
      legend: [{ colour: markColours.orange, label: 'driven path', mark: 'line' }],
    });
    canvas.fillRect(mapPx.left, mapPx.top, mapPx.width, mapPx.height, background);
    for (let line = 0; line < height; line += 1) {
      for (let column = 0; column < width; column += 1) {
        const at = line * width + column;
        const count = counts[at] ?? 0;
        if (count === 0) continue;
        const value = ((highestM[at] ?? 0) - minM[2]) / (maxM[2] - minM[2]);
        const shade = 0.7 + 0.3 * Math.min(1, Math.log1p(count) / Math.log1p(brightCount));
        const [red, green, blue] = heightColour(value);
        canvas.setPixel(mapPx.left + column, mapPx.top + line, [
          Math.round(red * shade),
          Math.round(green * shade),
          Math.round(blue * shade),
        ]);
      }
    }
    canvas.line(
      drivenM.map(([x, y]) => toPx(x, y)),
      3,
      [255, 255, 255],
    );
    canvas.line(
      drivenM.map(([x, y]) => toPx(x, y)),
      2,
      markColours.orange,
    );
    return canvas.png();
  }
}

/** One digit, and no '-0.0'. */
function metres(valueM: number): string {
  return (Math.round(10 * valueM) / 10 + 0).toFixed(1);
}
