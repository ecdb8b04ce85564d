// Distances as grey: white near, black far and where there is nothing.
import type { Picture } from '../section.ts';

const scale = 3;

/** Rows from the top; each pixel drawn three by three. Distances from 0 (nothing) to `farM`. */
export function greyPicture(
  title: string,
  rangesM: Float32Array,
  width: number,
  farM: number,
  caption = '',
): Picture {
  const height = rangesM.length / width;
  const [widthPx, heightPx] = [width * scale, height * scale];
  const rgb = new Uint8Array(3 * widthPx * heightPx);
  for (let at = 0; at < widthPx * heightPx; at += 1) {
    const column = Math.floor((at % widthPx) / scale);
    const row = Math.floor(Math.floor(at / widthPx) / scale);
    const rangeM = rangesM[row * width + column] ?? 0;
    const grey = rangeM <= 0 ? 0 : Math.max(0, Math.round(255 * (1 - rangeM / farM)));
    rgb.fill(grey, 3 * at, 3 * at + 3);
  }
  return { title, widthPx, heightPx, rgb, ...(caption !== '' && { caption }) };
}
