// Colour maps of the pictures: numbers 0–1 to red, green, blue.
import type { Rgb } from './canvas.ts';

/** Black at 0, white at 1, as in Goodin 2018, figure 10. */
export function greyColour(value: number): Rgb {
  const level = Math.round(255 * clampUnit(value));
  return [level, level, level];
}

/** Turbo (Mikhailov 2019, polynomial approximation): heights that differ little still look different. */
function turboColour(value: number): Rgb {
  const x = clampUnit(value);
  return [polynomial(turboRed, x), polynomial(turboGreen, x), polynomial(turboBlue, x)];
}

/**
 * Height above the lowest point, as a share of the whole span: turbo by the square root, so that ground,
 * grass and shrubs differ beside trees, and brighter than the black behind.
 */
export function heightColour(share: number): Rgb {
  return turboColour(0.08 + 0.92 * Math.sqrt(clampUnit(share)));
}

/** Okabe and Ito's colours, told apart by colour-blind readers too. */
export const markColours = {
  orange: [230, 159, 0],
  skyBlue: [86, 180, 233],
  green: [0, 158, 115],
  vermilion: [213, 94, 0],
  yellow: [240, 228, 66],
} as const satisfies Record<string, Rgb>;

const turboRed = [0.13572138, 4.6153926, -42.66032258, 132.13108234, -152.94239396, 59.28637943];
const turboGreen = [0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604];
const turboBlue = [0.1066733, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973];

function polynomial(coefficients: readonly number[], x: number): number {
  const value = coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
  return Math.round(255 * clampUnit(value));
}

function clampUnit(value: number): number {
  return Math.max(0, Math.min(1, value));
}
