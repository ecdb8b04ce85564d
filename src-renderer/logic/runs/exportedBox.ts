// The clip box of a view as an export takes it: in the world, in degrees, to the millimetre.
import type { OriginM } from '#contract/worldOrigin.ts';
import { degrees } from '#domain/shared/numbers.ts';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import { wholeMillimetres } from '../rounding.ts';

interface ExportedBox {
  centreM: [number, number, number];
  sizeM: [number, number, number];
  yawDeg: number;
}

/** `originM`: world position that the view is relative to. */
export function exportedBox(
  { centreM: [x, y, z], sizeM: [length, width, height], yawRad }: UprightBox,
  originM: OriginM,
): ExportedBox {
  return {
    centreM: [
      wholeMillimetres(x + originM[0]),
      wholeMillimetres(y + originM[1]),
      wholeMillimetres(z + originM[2]),
    ],
    sizeM: [wholeMillimetres(length), wholeMillimetres(width), wholeMillimetres(height)],
    yawDeg: Number(degrees(yawRad).toFixed(4)),
  };
}
