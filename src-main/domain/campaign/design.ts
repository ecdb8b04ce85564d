// The points of a design: for each axis the values that it takes, in plan order. Numbers are keyed by (seed, axis, point),
// so that an axis added at the end changes no other.
import type { AxisValue, Campaign, CampaignAxis } from '#contract/documents/campaign.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { truncatedNormal } from './normal.ts';
import { sobolSequence } from './sobol.ts';

/** Values of every axis, in the order of `vary`, point by point. Without axes a grid has one point. */
export function pointsOf({ design, vary }: Pick<Campaign, 'design' | 'vary'>): AxisValue[][] {
  const axes = Object.values(vary);
  if (design.kind === 'grid') return gridOf(axes.map(gridValues));
  const share = sharesOf(design, axes.length);
  return Array.from({ length: design.samples }, (_, point) =>
    axes.map((axis, dimension) => valueAt(axis, share(point, dimension))),
  );
}

/** Values of an axis in a grid: as listed, or steps of its range with both ends. */
function gridValues(axis: CampaignAxis): AxisValue[] {
  if ('values' in axis) return axis.values;
  if (!('range' in axis)) return [];
  const last = (axis.steps ?? 1) - 1;
  const steps = Array.from({ length: last + 1 }, (_, step) => valueAt(axis, step / last));
  return steps.filter((value, index) => steps.indexOf(value) === index);
}

/** All combinations; the last list varies fastest. */
function gridOf(lists: readonly AxisValue[][]): AxisValue[][] {
  return lists.reduce<AxisValue[][]>(
    (points, values) => points.flatMap((point) => values.map((value) => [...point, value])),
    [[]],
  );
}

/** A share from 0 to 1 for each point and dimension. */
function sharesOf(
  design: Exclude<Campaign['design'], { kind: 'grid' }>,
  dimensions: number,
): (point: number, dimension: number) => number {
  const { samples } = design;
  switch (design.kind) {
    case 'random':
      return (point, dimension) =>
        uniforms(design.seed, purposes.campaignPoints, dimension, point)[0];
    case 'latin-hypercube': {
      const orders = Array.from({ length: dimensions }, (_, dimension) =>
        shuffled(samples, design.seed, dimension),
      );
      return (point, dimension) => {
        const inside = uniforms(design.seed, purposes.campaignPoints, dimension, point)[0];
        return ((orders[dimension]?.[point] ?? 0) + inside) / samples;
      };
    }
    case 'sobol':
      return sobolSequence(dimensions, design.seed);
  }
}

/** The numbers below `count` in random order, by Fisher and Yates. */
function shuffled(count: number, seed: number, stream: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(uniforms(seed, purposes.campaignOrder, stream, last)[0] * (last + 1));
    const moved = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = moved;
  }
  return order;
}

/** The value of an axis at a share of its distribution. */
function valueAt(axis: CampaignAxis, share: number): AxisValue {
  if ('values' in axis) {
    const { values } = axis;
    return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? null;
  }
  return neat(numberAt(axis, share), axis.whole);
}

function numberAt(axis: Exclude<CampaignAxis, { values: unknown }>, share: number): number {
  if ('normal' in axis) return truncatedNormal(share, axis.normal, axis.min, axis.max);
  const [from, to] = axis.range;
  // Why apart: the ends are exact.
  if (share === 0) return from;
  if (share === 1) return to;
  if (axis.scale === 'linear') return from + (to - from) * share;
  return Math.exp(Math.log(from) + Math.log(to / from) * share);
}

/** Twelve digits, which a person can read and which no rounding of the last bit changes. */
function neat(value: number, isWhole: boolean): number {
  return isWhole ? Math.round(value) : Number(value.toPrecision(12));
}
