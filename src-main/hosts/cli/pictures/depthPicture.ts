// A depth map as a 16-bit greyscale PNG: value · step = depth. 0 is no hit; 65535 also means all
// that lies farther. The step is in the PNG's text, too.
import { encode } from 'fast-png';

export interface DepthPicture {
  png: Uint8Array;
  /** Pixels too far for 16 bits at this step. */
  clipped: number;
}

const maxValue = 65535;

/** @param depthM heightPx × widthPx depths in metres, row by row from the top left, NaN for nothing */
export function encodeDepth(
  depthM: Float32Array,
  size: { widthPx: number; heightPx: number },
  stepM: number,
): DepthPicture {
  const data = new Uint16Array(depthM.length);
  let clipped = 0;
  for (const [i, depth] of depthM.entries()) {
    if (Number.isNaN(depth)) continue;
    const value = Math.round(depth / stepM);
    if (value > maxValue) clipped += 1;
    // Why at least 1: 0 says that nothing was met.
    data[i] = Math.max(1, Math.min(maxValue, value));
  }
  const png = encode({
    width: size.widthPx,
    height: size.heightPx,
    data,
    channels: 1,
    depth: 16,
    text: { Description: `depth in steps of ${stepM} m; 0: nothing was met` },
  });
  return { png, clipped };
}
