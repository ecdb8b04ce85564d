// Rules of a scenario between its places: every position near the origin, start and goal on the cost map.
import type { MapGeometry } from '../host/run.ts';
import { maxFromOriginM, originOf, type OriginM } from '../worldOrigin.ts';
import { isInOwnFrame } from './motion.ts';
import type { LocatedProblem } from './problems.ts';
import type { Mission, Navigation, Scenario } from './scenario.ts';
import { isFileModelKind } from './scene.ts';

/** Every position that a checked scenario must not have. */
export function scenarioPlaceProblems(scenario: Scenario): LocatedProblem[] {
  return [...distanceProblems(scenario), ...missionProblems(scenario)];
}

/**
 * The map of a mission: as the scenario says, or anchored so that start and goal lie about its middle,
 * on whole cells.
 */
export function mapGeometryOf(mission: Mission, navigation: Navigation): MapGeometry {
  const { cells, cellM, originM } = navigation.costMap;
  if (originM) return { cells, cellM, originM: [originM[0], originM[1]] };
  const corner = (axis: 0 | 1): number => {
    const middleM = (mission.startM[axis] + mission.goalM[axis]) / 2;
    return Math.round((middleM - (cells * cellM) / 2) / cellM) * cellM;
  };
  return { cells, cellM, originM: [corner(0), corner(1)] };
}

/** Every position of a scenario that is too far from its origin; the fields of a mission included. */
export function distanceProblems(scenario: Scenario): LocatedProblem[] {
  const { scene, mission, navigation, estimate } = scenario;
  const originM = originOf(scene);
  const problems: LocatedProblem[] = [];
  const expectNear = (path: PropertyKey[], positionM: readonly number[] | undefined): void => {
    const message = positionM && distanceProblem(originM, positionM);
    if (message) problems.push({ path, code: 'too-far', message });
  };
  for (const [index, cornerM] of (estimate?.boxM ?? []).entries()) {
    expectNear(['estimate', 'boxM', index], cornerM);
  }
  const { ground } = scene;
  if (ground.kind !== 'none') expectNear(['scene', 'ground', 'centreM'], ground.centreM);
  if (ground.kind === 'plane' || ground.kind === 'terrain')
    expectNear(['scene', 'ground', 'zM'], heightAt(originM, ground.zM));
  if (ground.kind === 'height-field') {
    for (const [index, zM] of ground.zM.entries()) {
      expectNear(['scene', 'ground', 'zM', index], heightAt(originM, zM));
    }
  }
  for (const [index, { fromM, toM }] of scene.walls.entries()) {
    expectNear(['scene', 'walls', index, 'fromM'], fromM);
    expectNear(['scene', 'walls', index, 'toM'], toM);
  }
  for (const [name, moving] of Object.entries(scene.motions ?? {})) {
    const at = ['scene', 'motions', name];
    if (moving.kind === 'keyframes') {
      for (const [index, { positionM }] of moving.keyframes.entries()) {
        expectNear([...at, 'keyframes', index, 'positionM'], positionM);
      }
    } else if (moving.kind === 'path') {
      for (const [index, pointM] of moving.pointsM.entries()) {
        expectNear([...at, 'pointsM', index], pointM);
      }
    } else if ('pivotM' in moving) {
      expectNear([...at, 'pivotM'], moving.pivotM);
    }
  }
  for (const [index, { positionM, onGround, model, motion }] of scene.instances.entries()) {
    // The coordinates of its file count too: the worker adds them, and checks the sum.
    if (isFileModelKind(scene.models[model]?.kind)) continue;
    if (isInOwnFrame(scene, motion)) continue;
    const at = onGround ? [positionM[0], positionM[1]] : positionM;
    expectNear(['scene', 'instances', index, 'positionM'], at);
  }
  for (const [index, { areaM }] of scene.scatters.entries()) {
    for (const [corner, place] of areaM.entries()) {
      expectNear(['scene', 'scatters', index, 'areaM', corner], place);
    }
  }
  for (const [index, { areaM }] of (scene.landscapes ?? []).entries()) {
    for (const [corner, place] of areaM.entries()) {
      expectNear(['scene', 'landscapes', index, 'areaM', corner], place);
    }
  }
  for (const [index, stand] of (scene.stands ?? []).entries()) {
    const at = ['scene', 'stands', index];
    if ('areaM' in stand) {
      for (const [corner, place] of stand.areaM.entries())
        expectNear([...at, 'areaM', corner], place);
    } else if (stand.kind === 'trees') {
      for (const [tree, { positionM }] of stand.trees.entries()) {
        expectNear([...at, 'trees', tree, 'positionM'], positionM);
      }
    }
  }
  expectNear(['mission', 'startM'], mission?.startM);
  expectNear(['mission', 'goalM'], mission?.goalM);
  expectNear(['navigation', 'costMap', 'originM'], navigation.costMap.originM);
  return problems;
}

/** The problem of a world position (x, y or x, y, z) that is too far away; null: it is near enough. */
export function distanceProblem(originM: OriginM, positionM: readonly number[]): string | null {
  const distanceM = Math.hypot(...positionM.map((m, axis) => m - (originM[axis] ?? 0)));
  if (!(distanceM > maxFromOriginM)) return null;
  return (
    `expected a place within ${maxFromOriginM / 1000} km of scene.origin (${originM.join(', ')}), ` +
    `found one ${(distanceM / 1000).toFixed(3)} km away; scene.origin is a world position near the scene`
  );
}

function heightAt([x, y]: OriginM, zM: number): number[] {
  return [x, y, zM];
}

/** Start and goal must lie on the cost map: nothing can be planned to a place outside it. */
function missionProblems({ mission, navigation }: Scenario): LocatedProblem[] {
  if (mission === undefined) return [];
  const { cells, cellM, originM } = mapGeometryOf(mission, navigation);
  const sizeM = cells * cellM;
  const [west, south] = originM;
  return (['startM', 'goalM'] as const).flatMap((field) => {
    const [xM, yM] = mission[field];
    const isInside = xM >= west && xM < west + sizeM && yM >= south && yM < south + sizeM;
    if (isInside) return [];
    const map = `x ${west} to ${west + sizeM}, y ${south} to ${south + sizeM}`;
    const message = `expected a place on the cost map (${map}), found [${xM}, ${yM}]; see navigation.costMap`;
    return [{ path: ['mission', field], code: 'custom', message }];
  });
}
