// The wall time of runs that have not been executed, from those of others: each like the measured runs of its scenario
// and sensor whose settings are nearest, and the whole as processes would execute it. Pure.
import { nextOfScenes, runsAhead, sceneTextOf } from './sceneAffinity.ts';

/** Terms on which the cost of a run depends. */
export interface CostTerms {
  scenario: string;
  sensor: string | null;
  /** As `--set` takes them. */
  settings: readonly string[];
  seed: number;
}

/** A run that was executed. */
export interface CostPoint {
  run: CostTerms;
  /** Wall time of a process, without building the scene. */
  runS: number;
  /** Wall time of building the scene; null: the process had it. */
  buildS: number | null;
  bytes: number;
}

export interface RunCost {
  runS: number;
  buildS: number;
  bytes: number;
}

/** Measured runs that a prediction is a mean of, where none has the same settings. */
const nearest = 4;
/** Different runs that are predicted; of more, neighbours share a prediction. */
const maxPredicted = 5000;

/** A prediction for any run; every cost is 0 without points. */
export function costModel(
  points: readonly CostPoint[],
  runs: readonly CostTerms[],
): (run: CostTerms) => RunCost {
  const spread = spreadOf([...points.map(({ run }) => run), ...runs]);
  const builds = points.filter(({ buildS }) => buildS !== null);
  const known = new Map<string, RunCost>();
  let last: RunCost | null = null;
  let different = 0;
  const stride = Math.max(1, Math.ceil(new Set(runs.map(keyOf)).size / maxPredicted));
  return (run) => {
    const key = keyOf(run);
    const found = known.get(key);
    if (found !== undefined) return found;
    different += 1;
    if (last !== null && different % stride !== 0) return last;
    const near = nearestOf(points, run, spread);
    const cost = {
      runS: meanOf(near, ({ runS }) => runS),
      bytes: meanOf(near, ({ bytes }) => bytes),
      buildS: meanOf(nearestOf(builds, run, spread), ({ buildS }) => buildS ?? 0),
    };
    known.set(key, cost);
    last = cost;
    return cost;
  };
}

/** Whether every run has a measured one of its kind, and no setting beyond the measured ones. */
export function isCovered(points: readonly CostPoint[], runs: readonly CostTerms[]): boolean {
  const kinds = Map.groupBy(points, ({ run }) => kindOf(run));
  const boxes = new Map(
    [...kinds].map(([kind, members]) => [kind, spreadOf(members.map(({ run }) => run))] as const),
  );
  return runs.every((run) => {
    const box = boxes.get(kindOf(run));
    if (box === undefined) return false;
    return [...coordinatesOf(run)].every(([path, value]) => {
      const axis = box.get(path);
      if (axis === undefined) return false;
      return typeof value === 'number'
        ? value >= axis.from && value <= axis.to
        : axis.texts.has(value);
    });
  });
}

/** Wall time from the first run's start to the last one's end, on so many processes that choose runs as they do. */
export function executionS(
  runs: Iterable<CostTerms>,
  costOf: (run: CostTerms) => RunCost,
  jobs: number,
): number {
  const lanes = Array.from({ length: jobs }, () => ({ freeS: 0, scene: null as string | null }));
  const coming = runs[Symbol.iterator]();
  const waiting: CostTerms[] = [];
  const scenes: string[] = [];
  const fill = (): void => {
    while (waiting.length < runsAhead) {
      const next = coming.next();
      if (next.done === true) return;
      waiting.push(next.value);
      scenes.push(sceneTextOf(next.value));
    }
  };
  for (fill(); waiting.length > 0; fill()) {
    const lane = lanes.reduce((first, each) => (each.freeS < first.freeS ? each : first));
    const others = new Set(
      lanes.flatMap((each) => (each === lane || each.scene === null ? [] : [each.scene])),
    );
    const index = nextOfScenes(scenes, lane.scene, others);
    const [run] = waiting.splice(index, 1);
    const [scene = ''] = scenes.splice(index, 1);
    if (run === undefined) break;
    const { runS, buildS } = costOf(run);
    lane.freeS += runS + (scene === lane.scene ? 0 : buildS);
    lane.scene = scene;
  }
  return lanes.reduce((latest, { freeS }) => Math.max(latest, freeS), 0);
}

function kindOf({ scenario, sensor }: CostTerms): string {
  return JSON.stringify([scenario, sensor]);
}

function keyOf(run: CostTerms): string {
  return `${kindOf(run)} ${run.settings.join(' ')}`;
}

/** Settings by their path: numbers, and everything else as its text. */
function coordinatesOf({ settings }: CostTerms): Map<string, number | string> {
  return new Map(
    settings.map((text) => {
      const at = text.indexOf('=');
      const value = text.slice(at + 1);
      const number = Number(value);
      return [text.slice(0, at), Number.isFinite(number) ? number : value];
    }),
  );
}

interface Spread {
  from: number;
  to: number;
  texts: Set<string>;
}

function spreadOf(runs: readonly CostTerms[]): Map<string, Spread> {
  const spread = new Map<string, Spread>();
  for (const run of runs) {
    for (const [path, value] of coordinatesOf(run)) {
      const axis = spread.get(path) ?? { from: Infinity, to: -Infinity, texts: new Set() };
      if (typeof value === 'string') axis.texts.add(value);
      else {
        axis.from = Math.min(axis.from, value);
        axis.to = Math.max(axis.to, value);
      }
      spread.set(path, axis);
    }
  }
  return spread;
}

interface Near {
  point: CostPoint;
  weight: number;
}

/** Those of equal settings, else the nearest ones with weights that fall with the distance. */
function nearestOf(
  points: readonly CostPoint[],
  run: CostTerms,
  spread: ReadonlyMap<string, Spread>,
): Near[] {
  const alike = [
    points.filter((point) => kindOf(point.run) === kindOf(run)),
    points.filter((point) => point.run.sensor === run.sensor),
    points,
  ].find((some) => some.length > 0);
  const own = coordinatesOf(run);
  const distances = (alike ?? []).map((point) => {
    return { point, distance: distanceOf(own, coordinatesOf(point.run), spread) };
  });
  const equal = distances.filter(({ distance }) => distance === 0);
  if (equal.length > 0) return equal.map(({ point }) => ({ point, weight: 1 }));
  return distances
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, nearest)
    .map(({ point, distance }) => ({ point, weight: 1 / distance }));
}

/** Sum over the settings: of numbers the share of their range, of texts whether they differ. */
function distanceOf(
  a: ReadonlyMap<string, number | string>,
  b: ReadonlyMap<string, number | string>,
  spread: ReadonlyMap<string, Spread>,
): number {
  let distance = 0;
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(path), b.get(path)];
    if (left === right) continue;
    const { from = 0, to = 0 } = spread.get(path) ?? {};
    const areNumbers = typeof left === 'number' && typeof right === 'number' && to > from;
    distance += areNumbers ? Math.abs(left - right) / (to - from) : 1;
  }
  return distance;
}

function meanOf(near: readonly Near[], of: (point: CostPoint) => number): number {
  const weights = near.reduce((sum, { weight }) => sum + weight, 0);
  const total = near.reduce((sum, { point, weight }) => sum + weight * of(point), 0);
  return weights > 0 ? total / weights : 0;
}
