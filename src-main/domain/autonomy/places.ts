// Whether a vehicle can start at a place, or be sent there, as far as a scenario says before it is built: on
// the map, on the ground, and not inside one of the placed objects.
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { InstanceRecipe, ModelRecipe, SceneRecipe } from '#contract/worker/recipe.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { rotate } from '#domain/shared/pose.ts';
import { mapGeometryOf } from '#contract/documents/scenarioPlaces.ts';
import { cellAt } from './gridGeometry.ts';
import { inscribedRadiusM } from './kinematics.ts';

type Place = readonly [number, number];

/** Problems of `startM` and `goalM` where they are given; the mission holds both already. */
export function placeProblems(
  { mission, navigation, vehicle }: Scenario,
  recipe: SceneRecipe,
  given: { startM?: Place | undefined; goalM?: Place | undefined },
): Problem[] {
  if (mission === undefined) return [];
  const map = mapGeometryOf(mission, navigation);
  const problems: Problem[] = [];
  for (const name of ['startM', 'goalM'] as const) {
    const place = given[name];
    if (place === undefined) continue;
    const found = problemOf(place);
    if (found !== null) problems.push({ path: formatPath([name]), code: 'custom', message: found });
  }
  return problems;

  function problemOf([xM, yM]: Place): string | null {
    if (cellAt(map, xM, yM) < 0) {
      const sizeM = map.cells * map.cellM;
      return `expected a place on the cost map, which is ${sizeM} m × ${sizeM} m about start and goal`;
    }
    if (!isOnGround(recipe, [xM, yM])) return 'expected a place on the ground of the scene';
    const marginM = inscribedRadiusM(vehicle);
    const blocking = recipe.instances.find(
      (instance, index) =>
        index !== recipe.ground &&
        isInside(instance, recipe.models[instance.model], xM, yM, marginM),
    );
    return blocking === undefined ? null : `expected a free place: ${blocking.name} is there`;
  }
}

/** True where nothing is known about an edge. */
function isOnGround({ instances, models, ground }: SceneRecipe, [xM, yM]: Place): boolean {
  const instance = instances[ground];
  const source = instance && models[instance.model]?.source;
  if (instance === undefined || source === undefined) return true;
  const [x, y] = [xM - instance.positionM[0], yM - instance.positionM[1]];
  switch (source.kind) {
    case 'plane':
      return Math.abs(x) <= source.sizeM[0] / 2 && Math.abs(y) <= source.sizeM[1] / 2;
    case 'height-field': {
      const [toX, toY] = [x - source.originM[0], y - source.originM[1]];
      const [columns, rows] = [source.columns - 1, source.rows - 1];
      return (
        toX >= 0 && toY >= 0 && toX <= columns * source.stepM[0] && toY <= rows * source.stepM[1]
      );
    }
    default:
      return true;
  }
}

/** Within the margin of what stops a vehicle: of a box its outline, of others their extent or middle. */
function isInside(
  { positionM, rotation, scale }: InstanceRecipe,
  model: ModelRecipe | undefined,
  xM: number,
  yM: number,
  marginM: number,
): boolean {
  if (model === undefined || model.solid === 'none') return false;
  const [qx, qy, qz, qw] = rotation;
  const away: [number, number, number] = [xM - positionM[0], yM - positionM[1], 0];
  const [x, y] = rotate([-qx, -qy, -qz, qw], away);
  const { source } = model;
  if (source.kind === 'box') {
    const [halfX, halfY] = [(source.sizeM[0] * scale) / 2, (source.sizeM[1] * scale) / 2];
    return Math.abs(x) <= halfX + marginM && Math.abs(y) <= halfY + marginM;
  }
  const radiusM = 'radiusM' in source ? source.radiusM * scale : 0;
  return Math.hypot(x, y) <= radiusM + marginM;
}
