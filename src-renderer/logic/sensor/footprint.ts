// The footprint of a beam at a range, as a picture: where its rays meet a plane across the axis, the outline of the
// spot, and a pole for scale. As seen from the sensor: left is left.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { SensorDescriptionColumns } from '#contract/worker/sensorDescription.ts';
import { footprintScaleM } from '#domain/shared/sensorSummary.ts';

export interface FootprintRay {
  /** Millimetres to the right of the axis, and up. */
  rightMm: number;
  upMm: number;
  weight: number;
  /** 0 for the lightest ray, 1 for the heaviest; 0.5 where all are alike. */
  shade: number;
}

export interface Footprint {
  rays: FootprintRay[];
  /** Full axes of the spot. */
  spotMm: { width: number; height: number };
  shape: SensorRecipe['beam']['shape'];
  /** Half the drawing's side: spot and rays fit. */
  halfMm: number;
  /** Distances of the scale's lines from the axis, in both directions. */
  ticksMm: number[];
  unit: 'mm' | 'cm' | 'm';
  isEven: boolean;
  heaviest: number;
  lightest: number;
}

type Rays = Pick<SensorDescriptionColumns, 'ray_left' | 'ray_up' | 'ray_weight'>;

/** Columns hold offsets on the plane 1 m ahead; a window adds what is the same at every range. */
export function footprintOf(rays: Rays, beam: SensorRecipe['beam'], rangeM: number): Footprint {
  const [acrossM, upM] = footprintScaleM({ beam }, rangeM);
  const weights = Array.from(rays.ray_weight);
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const lightest = weights.reduce((least, weight) => Math.min(least, weight), Infinity);
  const isEven = heaviest - lightest <= 1e-9 * heaviest;
  const points = weights.map((weight, ray) => ({
    rightMm: -(rays.ray_left[ray] ?? 0) * 1000 * acrossM,
    upMm: (rays.ray_up[ray] ?? 0) * 1000 * upM,
    weight,
    shade: isEven ? 0.5 : (weight - lightest) / (heaviest - lightest),
  }));
  // Full angles: 2 R tan(γ/2), and the window.
  const spotMm = {
    width: 2000 * acrossM * Math.tan(beam.divergenceHorizontalRad / 2),
    height: 2000 * upM * Math.tan(beam.divergenceVerticalRad / 2),
  };
  const reach = points.reduce(
    (most, { rightMm, upMm }) => Math.max(most, Math.abs(rightMm), Math.abs(upMm)),
    Math.max(spotMm.width, spotMm.height) / 2,
  );
  const halfMm = reach > 0 ? 1.25 * reach : 10;
  const step = niceStep(halfMm / 1.6);
  // Why not to the edge: their words would be cut off.
  const ticks = Math.floor((0.93 * halfMm) / step);
  return {
    rays: points,
    spotMm,
    shape: beam.shape,
    halfMm,
    isEven,
    heaviest,
    lightest,
    ticksMm: Array.from({ length: ticks }, (_, index) => (index + 1) * step),
    unit: halfMm < 20 ? 'mm' : halfMm < 2000 ? 'cm' : 'm',
  };
}

const perUnit = { mm: 1, cm: 10, m: 1000 } as const;

/** '12.5 cm'; three significant digits. */
export function lengthText(mm: number, unit: Footprint['unit']): string {
  return `${Number((mm / perUnit[unit]).toPrecision(3))} ${unit}`;
}

/** 1, 2 or 5 times a power of ten, the largest not above `most`. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const share = most / power;
  return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
}

/** The largest common pole that fits the drawing. */
export function poleFor(halfMm: number): { widthMm: number; name: string } {
  const poles = [
    { widthMm: 1, name: 'blade of grass, 1 mm' },
    { widthMm: 4, name: 'blade of grass, 4 mm' },
    { widthMm: 7, name: 'pencil, 7 mm' },
    { widthMm: 25, name: 'rod, 25 mm' },
    { widthMm: 75, name: 'fence post, 75 mm' },
    { widthMm: 300, name: 'trunk, 30 cm' },
  ] as const;
  return poles.findLast(({ widthMm }) => widthMm <= 0.4 * halfMm) ?? poles[0];
}
