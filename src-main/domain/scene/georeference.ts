// Georeference: documents hold world coordinates, everything behind them is relative to `scene.origin`. Guarantees: a
// scenario without an origin passes unchanged, as the same object; heights above the ground stay as they are.
import type { Mission, Navigation, Scenario } from '#contract/documents/scenario.ts';
import { isInOwnFrame } from '#contract/documents/motion.ts';
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { Stand } from '#contract/documents/stand.ts';
import {
  isZeroOrigin,
  originOf,
  placeToScene,
  toScene,
  type OriginM,
} from '#contract/worldOrigin.ts';
import { motionFromWorld } from '#domain/shared/motion/laws.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';

/** The scene relative to its origin. Without a ground, what stands on it stands at the height of the origin. */
export function sceneFromWorld(scene: SceneDocument): SceneDocument {
  const originM = originOf(scene);
  if (isZeroOrigin(originM)) return scene;
  const place = (at: readonly [number, number]): [number, number] => placeToScene(originM, at);
  return {
    ...scene,
    ground: groundFromWorld(scene.ground, originM),
    walls: scene.walls.map((wall) => {
      return { ...wall, fromM: place(wall.fromM), toM: place(wall.toM) };
    }),
    ...(scene.motions && {
      motions: Object.fromEntries(
        Object.entries(scene.motions).map(([name, motion]) => [
          name,
          motionFromWorld(motion, originM),
        ]),
      ),
    }),
    instances: scene.instances.map((placed) => {
      if (isInOwnFrame(scene, placed.motion)) return placed;
      const [x, y, z] = toScene(originM, placed.positionM);
      return { ...placed, positionM: [x, y, placed.onGround ? placed.positionM[2] : z] };
    }),
    ...(scene.stands && { stands: scene.stands.map((stand) => standFromWorld(stand, place)) }),
    scatters: scene.scatters.map((scatter) => areaFromWorld(scatter, place)),
    ...(scene.landscapes && {
      landscapes: scene.landscapes.map((landscape) => areaFromWorld(landscape, place)),
    }),
  };
}

type Place = (at: readonly [number, number]) => [number, number];
type PlacedArea = Pick<SceneDocument['scatters'][number], 'areaM' | 'keepClear'>;

function areaFromWorld<Part extends PlacedArea>(part: Part, place: Place): Part {
  const keepClear = part.keepClear.map((disc) => ({ ...disc, centreM: place(disc.centreM) }));
  return { ...part, areaM: part.areaM.map(place), keepClear };
}

/** Trees of a list are placed where the list is read. */
function standFromWorld(stand: Stand, place: Place): Stand {
  if (stand.kind === 'list') return stand;
  if ('areaM' in stand) return areaFromWorld(stand, place);
  return {
    ...stand,
    trees: stand.trees.map((tree) => ({ ...tree, positionM: place(tree.positionM) })),
  };
}

/** World of a scene for its files: positions behind it are relative to `originM`. */
export function worldOf({ scenario: { scene } }: { scenario: Scenario }): {
  originM: OriginM;
  crs?: string;
} {
  return { originM: originOf(scene), ...(scene.crs !== undefined && { crs: scene.crs }) };
}

/** Mission and map of costs relative to the origin of the scene. */
export function driveFromWorld({ scene, mission, navigation }: Scenario): {
  mission: Mission | undefined;
  navigation: Navigation;
} {
  const originM = originOf(scene);
  if (isZeroOrigin(originM)) return { mission, navigation };
  const { costMap } = navigation;
  return {
    mission: mission && {
      ...mission,
      startM: placeToScene(originM, mission.startM),
      goalM: placeToScene(originM, mission.goalM),
    },
    navigation: {
      ...navigation,
      costMap: {
        ...costMap,
        ...(costMap.originM && { originM: placeToScene(originM, costMap.originM) }),
      },
    },
  };
}

/** Poses of the world relative to the origin, as the worker takes them. */
export function trajectoryFromWorld(trajectory: Trajectory, originM: OriginM): Trajectory {
  return isZeroOrigin(originM)
    ? trajectory
    : shifted(
        trajectory,
        originM.map((m) => -m),
      );
}

/** Poses relative to the origin, in the world. */
export function trajectoryToWorld(trajectory: Trajectory, originM: OriginM): Trajectory {
  return isZeroOrigin(originM) ? trajectory : shifted(trajectory, originM);
}

function groundFromWorld(ground: SceneDocument['ground'], originM: OriginM): typeof ground {
  if (ground.kind === 'none') return ground;
  const centreM = placeToScene(originM, ground.centreM);
  const [, , zM] = originM;
  switch (ground.kind) {
    case 'plane':
      return { ...ground, centreM, zM: ground.zM - zM };
    case 'height-field':
      return { ...ground, centreM, zM: [ground.zM[0] - zM, ground.zM[1] - zM] };
    case 'terrain': {
      const roads = ground.roads.map((road) => ({
        ...road,
        pointsM: road.pointsM.map((at) => placeToScene(originM, at)),
      }));
      return { ...ground, centreM, zM: ground.zM - zM, roads };
    }
  }
}

function shifted(trajectory: Trajectory, [x = 0, y = 0, z = 0]: readonly number[]): Trajectory {
  return {
    ...trajectory,
    x_m: trajectory.x_m.map((m) => m + x),
    y_m: trajectory.y_m.map((m) => m + y),
    z_m: trajectory.z_m.map((m) => m + z),
  };
}
