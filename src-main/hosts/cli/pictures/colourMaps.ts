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

/** Viridis (polynomial approximation of degree 6): even steps of brightness. */
export function viridisColour(value: number): Rgb {
  const x = clampUnit(value);
  return [polynomial(viridisRed, x), polynomial(viridisGreen, x), polynomial(viridisBlue, x)];
}

/** Okabe and Ito's colours, which colour-blind readers distinguish too. */
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

const viridisRed = [
  0.27772733, 0.10509304, -0.33086183, -4.6342305, 6.22826994, 4.776385, -5.43545586,
];
const viridisGreen = [
  0.00540734, 1.40461353, 0.21484756, -5.79910097, 14.17993337, -13.74514538, 4.64585261,
];
const viridisBlue = [
  0.33409981, 1.38459016, 0.09509516, -19.33244096, 56.6905526, -65.35303263, 26.31243525,
];

function polynomial(coefficients: readonly number[], x: number): number {
  const value = coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
  return Math.round(255 * clampUnit(value));
}

function clampUnit(value: number): number {
  return Math.max(0, Math.min(1, value));
}
