// Moving instances that start inside something stationary: bad input, since nothing could have brought them there. Truth.
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { Columns } from '#contract/columns.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { lawsOfInstances } from '#domain/shared/motion/laws.ts';
import { createDiscIndex } from './discIndex.ts';
import { placedCorners } from './movingObjects.ts';
import { forEachInstance, placedFootprint, type InstanceRowM } from './obstacles.ts';
import { boundingDisc, depthM, hullOf, overlaps, rectangle, type Polygon } from './polygon.ts';

/** An upright prism. */
interface Prism {
  id: number;
  outline: Polygon;
  fromZM: number;
  toZM: number;
}

/** Less is a touch: a box is a little larger than what is in it. */
const touchM = 0.02;

/**
 * A problem for each instance that moves whose box at time 0 overlaps an obstacle, at the path of its motion in the
 * scenario. Obstacles are those of the judge, the ground and ground cover apart; one that holds the pivot of what turns
 * is none to it. What stops nothing (`solid: false`) may start anywhere. `instances`: the columns of `scene.instances`.
 */
export function startProblems(
  summary: Pick<SceneSummary, 'models'>,
  instances: Columns,
  { scenario, recipe }: Pick<CompiledScenario, 'scenario' | 'recipe'>,
): Problem[] {
  const lawOf = lawsOfInstances(recipe);
  const groundId = recipe.instances[recipe.ground]?.id;
  const obstacles: Prism[] = [];
  const moving: { prism: Prism; law: MotionLaw }[] = [];
  forEachInstance(instances, (row) => {
    const [model, law] = [summary.models[row.model], lawOf(row.id)];
    if (model === undefined || recipe.models[row.model]?.solid === 'none') return;
    if (row.id === groundId || law?.kind === 'vehicle') return;
    if (law !== null) moving.push({ prism: boxOf(row, model), law });
    else if (model.footprintM && model.footprintM.length > 2) {
      obstacles.push({ ...rangeOf(row), outline: placedFootprint(row, model.footprintM) });
    }
  });
  if (moving.length === 0) return [];
  const index = createDiscIndex(obstacles.map(({ outline }) => boundingDisc(outline)));
  const nameOf = instanceNames(recipe);
  return moving.flatMap(({ prism, law }) => {
    const { xM, yM, radiusM } = boundingDisc(prism.outline);
    const met = index
      .near(xM, yM, radiusM)
      .map((number) => obstacles[number] as Prism)
      .filter((obstacle) => !holdsPivot(obstacle, law))
      .map((obstacle) => ({ id: obstacle.id, depthM: depthOf(prism, obstacle) }));
    const [deepest] = met.toSorted((a, b) => b.depthM - a.depthM);
    if (deepest === undefined || deepest.depthM <= touchM) return [];
    const name = nameOf(prism.id);
    const at = scenario.scene.instances.findIndex((placed) => placed.name === name);
    const message =
      `expected a start outside of obstacles, found '${name}' at time 0 ` +
      `${deepest.depthM.toFixed(2)} m inside '${nameOf(deepest.id)}'; models with solid: false are no obstacles`;
    return [{ path: formatPath(['scene', 'instances', at, 'motion']), code: 'custom', message }];
  });
}

function rangeOf({ id, minZM, maxZM }: InstanceRowM): Omit<Prism, 'outline'> {
  return { id, fromZM: minZM, toZM: maxZM };
}

/** The box of a model where an instance of it is, seen from above. */
function boxOf(row: InstanceRowM, bounds: SceneSummary['models'][number]): Prism {
  const { xM, yM, zM, rotation, scale } = row;
  const corners = placedCorners({ positionM: [xM, yM, zM], rotation }, bounds, scale);
  return { ...rangeOf(row), outline: hullOf(corners.map(([x, y]) => [x, y])) };
}

/** The shortest way out of an obstacle; 0: they share nothing. */
function depthOf(a: Prism, b: Prism): number {
  const heightM = Math.min(a.toZM, b.toZM) - Math.max(a.fromZM, b.fromZM);
  return Math.max(0, Math.min(heightM, depthM(a.outline, b.outline)));
}

/** Why: a post holds the bar that turns on it, a bracket its pendulum. */
function holdsPivot({ outline }: Prism, law: MotionLaw): boolean {
  if (law.kind !== 'rotating' && law.kind !== 'swinging') return false;
  const [x, y] = law.pivotM;
  return overlaps(outline, rectangle({ xM: x, yM: y, yawRad: 0 }, touchM, touchM));
}
