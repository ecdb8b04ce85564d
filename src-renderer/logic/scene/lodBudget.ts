// Which level of detail each instance is drawn with, so that any view keeps within its budget of triangles
// and draw calls. A level is wanted by the area on screen: triangles = density · pixels; the density is the
// greatest one that the budget allows. Copies of ground cover too small for their coarsest level are thinned
// out, the same ones each time. A plant whose finest level so far is too coarse for its size on screen is drawn as a
// stand-in. Work is one pass over the instances, in slices.
import type { InstanceTable } from './instanceTable.ts';

export interface LodModel {
  /** Triangles of each level, finest first; 0: not there (yet). */
  triangles: readonly number[];
  /** One of very many small copies: too small ones may be left out. */
  isCover: boolean;
  /** Triangles of what is drawn while a level fine enough is still to come; absent: no finer level will come. */
  standInTriangles?: number;
}

export interface LodView {
  eyeM: readonly [number, number, number];
  /** Six planes, x y z d each; inside is n · p + d >= 0. */
  planes: Float32Array;
  pixelsPerRad: number;
}

export interface LodLimits {
  triangles: number;
  calls: number;
}

export interface LodChoice {
  /** By row; -1: not drawn, standInLevel: as the model's stand-in. Overwritten by the next choice. */
  levels: Int8Array;
  triangles: number;
  /** Pairs of model and level in use. */
  calls: number;
  /** Rows that are drawn. */
  drawn: number;
  /** Visible rows. */
  inSight: number;
  /** Rows that are drawn as stand-ins. */
  standIns: number;
}

export interface LevelChooser {
  /** Yields between slices of rows; returns the choice. */
  choose(view: LodView, models: readonly LodModel[], limits: LodLimits): Generator<void, LodChoice>;
}

/** In place of a level: the model's stand-in. More than the number of any level. */
export const standInLevel = 15;

/** Finer than this shows nothing more: triangles for each pixel. */
const maxDensity = 4;
/** Coarser than this a plant is a few large polygons: triangles for each pixel. */
const minDensity = 0.06;
/** Share of the budget left to the chance by which copies are thinned out. */
const margin = 0.02;
const binsPerOctave = 8;
const bins = 320;
/** log2 of the area in pixels at the lower edge of bin 0. */
const firstOctave = -14;
const rowsInSlice = 40_000;
const searchSteps = 24;

/** For one table; keeps its arrays from choice to choice. */
export function createLevelChooser(table: InstanceTable): LevelChooser {
  const { count, modelId, boxesM, spheresM, instanceId } = table;
  const levels = new Int8Array(count).fill(-1);
  const areaPx = new Float32Array(count);
  const chance = new Float32Array(count);
  for (let row = 0; row < count; row += 1) chance[row] = chanceOf(instanceId[row] ?? 0);
  return { choose };

  function* choose(
    view: LodView,
    models: readonly LodModel[],
    limits: LodLimits,
  ): Generator<void, LodChoice> {
    const ladders = models.map(ladderOf);
    const histogram = new Uint32Array(models.length * bins);
    let inSight = 0;
    for (let row = 0; row < count; row += 1) {
      if (row % rowsInSlice === rowsInSlice - 1) yield;
      const area = isInSight(view.planes, boxesM, row) ? areaOf(view, spheresM, row) : 0;
      const model = modelId[row] ?? 0;
      const isDrawable = area > 0 && (ladders[model]?.length ?? 0) > 0;
      areaPx[row] = isDrawable ? area : 0;
      if (!isDrawable) continue;
      inSight += 1;
      const cell = model * bins + binOf(area);
      histogram[cell] = (histogram[cell] ?? 0) + 1;
    }
    const standInCalls = callsForStandIns(models, limits.calls);
    const plan = planFor(models, ladders, histogram, {
      ...limits,
      calls: limits.calls - standInCalls,
    });
    let triangles = 0;
    let drawn = 0;
    let standIns = 0;
    const isUsed = new Set<number>();
    for (let row = 0; row < count; row += 1) {
      if (row % rowsInSlice === rowsInSlice - 1) yield;
      const area = areaPx[row] ?? 0;
      const model = modelId[row] ?? 0;
      const planned = area === 0 ? -1 : plan.levelOf(model, area, chance[row] ?? 0);
      const finest = ladders[model]?.[0];
      const isStandIn =
        standInCalls > 0 &&
        models[model]?.standInTriangles !== undefined &&
        planned === finest?.level &&
        finest.triangles < minDensity * area;
      const level = isStandIn ? standInLevel : planned;
      const cost = triangleCount(models[model], level);
      const fits = level >= 0 && triangles + cost <= limits.triangles;
      levels[row] = fits ? level : -1;
      if (!fits) continue;
      triangles += cost;
      drawn += 1;
      if (isStandIn) standIns += 1;
      isUsed.add(model * 64 + level);
    }
    return { levels, triangles, calls: isUsed.size, drawn, inSight, standIns };
  }
}

/** One for each model that has a stand-in; 0, and no stand-ins, where models alone take more than half of the calls. */
function callsForStandIns(models: readonly LodModel[], calls: number): number {
  if (2 * models.length > calls) return 0;
  return models.filter(({ standInTriangles }) => standInTriangles !== undefined).length;
}

function triangleCount(model: LodModel | undefined, level: number): number {
  if (level === standInLevel) return model?.standInTriangles ?? 0;
  return level < 0 ? 0 : (model?.triangles[level] ?? 0);
}

interface Rung {
  level: number;
  triangles: number;
}

interface Plan {
  levelOf(model: number, areaPx: number, chance: number): number;
}

/** Levels that are there, finest first. */
function ladderOf({ triangles }: LodModel): Rung[] {
  return triangles.flatMap((count, level) => (count > 0 ? [{ level, triangles: count }] : []));
}

function planFor(
  models: readonly LodModel[],
  ladders: readonly (readonly Rung[])[],
  histogram: Uint32Array,
  limits: LodLimits,
): Plan {
  const drawn = drawnModels(models.length, histogram, limits.calls);
  const rungsPerModel = rungLimit(ladders, drawn, histogram, limits.calls);
  const budget = limits.triangles * (1 - margin);
  const highest = models.map((_, model) => highestBin(histogram, model));

  /** The levels of an instance of this size: those next to the model's finest, and its coarsest. */
  const rungAt = (model: number, areaPx: number, density: number): number => {
    const ladder = ladders[model] ?? [];
    const wanted = wantedRung(ladder, density * areaPx);
    if (rungsPerModel >= ladder.length) return wanted;
    const top = wantedRung(ladder, density * upperEdge(highest[model] ?? 0));
    if (rungsPerModel === 1) return top;
    return wanted <= top + rungsPerModel - 2 ? wanted : ladder.length - 1;
  };
  const shareAt = (model: number, areaPx: number, density: number): number => {
    if (!models[model]?.isCover) return 1;
    const coarsest = ladders[model]?.at(-1)?.triangles ?? 1;
    return Math.min(1, (density * areaPx) / coarsest);
  };
  const cost = (density: number): number => {
    let sum = 0;
    for (const model of drawn) {
      for (let bin = 0; bin <= (highest[model] ?? -1); bin += 1) {
        const instances = histogram[model * bins + bin] ?? 0;
        if (instances === 0) continue;
        const areaPx = upperEdge(bin);
        const rung = ladders[model]?.[rungAt(model, areaPx, density)];
        sum += instances * (rung?.triangles ?? 0) * shareAt(model, areaPx, density);
      }
    }
    return sum;
  };

  const density = greatestDensity(cost, budget);
  const minBin = density > 0 ? 0 : smallestThatFits(drawn, ladders, models, histogram, budget);
  return {
    levelOf(model, areaPx, chance) {
      if (!drawn.has(model) || binOf(areaPx) < minBin) return -1;
      if (chance > shareAt(model, areaPx, density)) return -1;
      return ladders[model]?.[rungAt(model, areaPx, density)]?.level ?? -1;
    },
  };
}

/** The greatest density whose cost keeps within the budget; 0 where none does. Cost rises with density. */
function greatestDensity(cost: (density: number) => number, budget: number): number {
  if (cost(maxDensity) <= budget) return maxDensity;
  let low = Math.log2(maxDensity) - 40;
  let high = Math.log2(maxDensity);
  if (cost(2 ** low) > budget) return 0;
  for (let step = 0; step < searchSteps; step += 1) {
    const middle = (low + high) / 2;
    if (cost(2 ** middle) <= budget) low = middle;
    else high = middle;
  }
  return 2 ** low;
}

/** Index of the finest rung with at most this many triangles, otherwise of the coarsest. */
function wantedRung(ladder: readonly Rung[], triangles: number): number {
  const index = ladder.findIndex((rung) => rung.triangles <= triangles);
  return index < 0 ? ladder.length - 1 : index;
}

/** Models that may be drawn: all visible ones, or the largest on screen where each needs a call of its own. */
function drawnModels(models: number, histogram: Uint32Array, calls: number): Set<number> {
  const areas: { model: number; areaPx: number }[] = [];
  for (let model = 0; model < models; model += 1) {
    let areaPx = 0;
    for (let bin = 0; bin < bins; bin += 1) {
      areaPx += (histogram[model * bins + bin] ?? 0) * upperEdge(bin);
    }
    if (areaPx > 0) areas.push({ model, areaPx });
  }
  areas.sort((a, b) => b.areaPx - a.areaPx);
  return new Set(areas.slice(0, calls).map(({ model }) => model));
}

/** Most levels of one model, so that all models together keep within the calls. */
function rungLimit(
  ladders: readonly (readonly Rung[])[],
  drawn: ReadonlySet<number>,
  histogram: Uint32Array,
  calls: number,
): number {
  const possible = [...drawn].map((model) => {
    let instances = 0;
    for (let bin = 0; bin < bins; bin += 1) instances += histogram[model * bins + bin] ?? 0;
    return Math.min(ladders[model]?.length ?? 0, instances);
  });
  let limit = Math.max(1, ...ladders.map((ladder) => ladder.length));
  const sum = (): number => possible.reduce((total, own) => total + Math.min(own, limit), 0);
  while (limit > 1 && sum() > calls) limit -= 1;
  return limit;
}

/** With everything at its coarsest: the least size on screen that still finds room. */
function smallestThatFits(
  drawn: ReadonlySet<number>,
  ladders: readonly (readonly Rung[])[],
  models: readonly LodModel[],
  histogram: Uint32Array,
  budget: number,
): number {
  let sum = 0;
  for (let bin = bins - 1; bin >= 0; bin -= 1) {
    for (const model of drawn) {
      if (models[model]?.isCover) continue;
      const coarsest = ladders[model]?.at(-1)?.triangles ?? 0;
      sum += (histogram[model * bins + bin] ?? 0) * coarsest;
    }
    if (sum > budget) return bin + 1;
  }
  return 0;
}

function highestBin(histogram: Uint32Array, model: number): number {
  for (let bin = bins - 1; bin >= 0; bin -= 1) {
    if ((histogram[model * bins + bin] ?? 0) > 0) return bin;
  }
  return -1;
}

function binOf(areaPx: number): number {
  const bin = Math.floor((Math.log2(areaPx) - firstOctave) * binsPerOctave);
  return Math.min(Math.max(bin, 0), bins - 1);
}

function upperEdge(bin: number): number {
  return 2 ** (firstOctave + (bin + 1) / binsPerOctave);
}

/** False where the whole box lies beyond one of the planes. */
function isInSight(planes: Float32Array, boxesM: Float32Array, row: number): boolean {
  for (let plane = 0; plane < 24; plane += 4) {
    let distance = planes[plane + 3] ?? 0;
    for (let axis = 0; axis < 3; axis += 1) {
      const normal = planes[plane + axis] ?? 0;
      distance += normal * (boxesM[6 * row + axis + (normal > 0 ? 3 : 0)] ?? 0);
    }
    if (distance < 0) return false;
  }
  return true;
}

/** Area of the ball's disc in pixels; from within it, as if from its surface. */
function areaOf({ eyeM, pixelsPerRad }: LodView, spheresM: Float32Array, row: number): number {
  const x = (spheresM[4 * row] ?? 0) - eyeM[0];
  const y = (spheresM[4 * row + 1] ?? 0) - eyeM[1];
  const z = (spheresM[4 * row + 2] ?? 0) - eyeM[2];
  const radius = Math.max(spheresM[4 * row + 3] ?? 0, 1e-6);
  const squared = Math.max(x * x + y * y + z * z, radius * radius);
  return (Math.PI * radius * radius * pixelsPerRad * pixelsPerRad) / squared;
}

/** A number in (0, 1] that belongs to an id: Wang's integer hash. */
function chanceOf(id: number): number {
  let hash = Math.imul(id ^ 61 ^ (id >>> 16), 9);
  hash = Math.imul(hash ^ (hash >>> 4), 0x27d4eb2d);
  hash ^= hash >>> 15;
  return ((hash >>> 0) + 1) / 2 ** 32;
}
