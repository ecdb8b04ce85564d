// A top view of a cloud, coloured by height (Goodin 2018, figure 9b). Points are added as they arrive and
// stored as one height and one count for each pixel, so that memory does not grow with the recording.
import type { ReturnTable } from '#contract/columns.ts';
import { heightColour, markColours, toHex, type Rgb } from '#domain/shared/colours.ts';
import { countText, withMinus } from '#domain/shared/formats.ts';
import { pathSeries } from './costMapPicture.ts';
import { drawMapPage } from './mapPage.ts';
import { imageUrl } from './png.ts';

export interface CloudPictureOptions {
  title: string;
  subtitle: string;
  /** Extent of the picture, world metres. */
  minM: readonly [number, number, number];
  maxM: readonly [number, number, number];
  /** Name of the drawn path; default: the driven path. */
  path?: string;
}

export interface CloudPicture {
  add(table: ReturnTable, rows: number): void;
  /** A PNG. `drivenM`: the vehicle's path, in the world. */
  draw(drivenM: readonly (readonly [xM: number, yM: number])[]): Uint8Array;
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
  const heightsM = new Float32Array(width * height).fill(-Infinity);
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
      heightsM[at] = Math.max(heightsM[at] ?? -Infinity, zM[row] ?? -Infinity);
      counts[at] = (counts[at] ?? 0) + 1;
      points += 1;
    }
  }

  function draw(drivenM: readonly (readonly [number, number])[]): Uint8Array {
    const spanM = maxM[2] - minM[2];
    const orange = toHex(markColours.orange);
    const path = options.path ?? 'driven path';
    return drawMapPage({
      title: options.title,
      subtitle: `${options.subtitle}, ${countText(points)} points`,
      minM: [minM[0], minM[1]],
      maxM: [maxM[0], maxM[1]],
      sizePx: { width, height },
      imageUrl: imageUrl(pixels(), width, height),
      layers: { series: pathSeries(path, drivenM, orange) },
      bar: {
        label: 'Height of the top point',
        ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({
          share,
          label: `${metres(minM[2] + share * spanM)} m`,
        })),
        colour: heightColour,
      },
      legend: [{ colour: orange, label: path, mark: 'line' }],
    });
  }

  function pixels(): Uint8Array {
    const rgba = new Uint8Array(4 * width * height).fill(255);
    for (const [at, count] of counts.entries()) {
      rgba.set(count === 0 ? background : colourOf(at, count), 4 * at);
    }
    return rgba;
  }

  function colourOf(at: number, count: number): Rgb {
    const shade = 0.7 + 0.3 * Math.min(1, Math.log1p(count) / Math.log1p(brightCount));
    const [red, green, blue] = heightColour(((heightsM[at] ?? 0) - minM[2]) / (maxM[2] - minM[2]));
    return [Math.round(red * shade), Math.round(green * shade), Math.round(blue * shade)];
  }
}

/** One digit, and no negative zero. */
function metres(valueM: number): string {
  return withMinus((Math.round(10 * valueM) / 10 + 0).toFixed(1));
}
