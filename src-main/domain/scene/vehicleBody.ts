// The body of a scenario's vehicle in its recipe: its parts are instances that a motion of their own takes along with the
// vehicle, once for each view that a sensor of the scenario has of it. Masked, they are black: a ray ends there, and
// nothing comes back (PHYSICS.md, 2.7).
import {
  bodyViews,
  vehicleClass,
  type BodyPart,
  type BodyView,
} from '#contract/documents/vehicleBody.ts';
import type { Scenario, SensorMount } from '#contract/documents/scenario.ts';
import type { CompiledScenario, Pose } from '#contract/host/run.ts';
import type { ModelSource, SceneRecipe } from '#contract/worker/recipe.ts';
import { radians } from '#domain/shared/numbers.ts';
import { compose, quaternionOf, rotationFromDegrees } from '#domain/shared/pose.ts';
import type { Terrain } from '#domain/truth/terrain.ts';
import { driveFromWorld } from './georeference.ts';

/**
 * The recipe with the body of the vehicle, between placed objects and scatters; without one the same object. The vehicle
 * is where its drive starts, level; without a mission at the origin.
 */
export function withBody(recipe: SceneRecipe, scenario: Scenario, terrain: Terrain): SceneRecipe {
  const { vehicle, sensors } = scenario;
  const { body } = vehicle;
  if (body === undefined) return recipe;
  const rest = restOf(scenario, terrain);
  const materials = [...recipe.materials];
  const models = [...recipe.models];
  const motions = [...(recipe.motions ?? [])];
  const instances = [...recipe.instances];
  const classes = [...new Set([...recipe.classes, vehicleClass])];
  const seen = new Set(sensors.length === 0 ? ['seen'] : sensors.map(bodyViewOf));
  for (const view of bodyViews.filter((one) => seen.has(one))) {
    motions.push({ name: `vehicle:${view}`, law: { kind: 'vehicle', ...rest, view } });
    const isMasked = view === 'masked';
    if (isMasked) materials.push({ name: 'vehicle:masked', reflectance: 0, colourRgb: [0, 0, 0] });
    for (const part of body) {
      const name = isMasked ? `vehicle:${part.name}:masked` : `vehicle:${part.name}`;
      const own = models.findIndex((model) => part.kind === 'model' && model.name === part.model);
      const source = models[own]?.source ?? boxOf(part, recipe);
      const shown = isMasked ? ofMaterial(source, materials.length - 1) : source;
      const model =
        shown === models[own]?.source
          ? own
          : models.push({ name, solid: 'none', source: shown }) - 1;
      const { positionM, yawDeg, pitchDeg, rollDeg } = part;
      instances.push({
        id: instances.length + 1,
        name,
        class: classes.indexOf(vehicleClass),
        model,
        ...compose(rest, { positionM, rotation: rotationFromDegrees(yawDeg, pitchDeg, rollDeg) }),
        onGround: false,
        scale: part.kind === 'model' ? part.scale : 1,
        motion: motions.length - 1,
      });
    }
  }
  const added = instances.length - recipe.instances.length;
  const later = <Part extends { firstId: number }>(part: Part): Part => {
    return { ...part, firstId: part.firstId + added };
  };
  const scatters = recipe.scatters.map(later);
  const landscapes = recipe.landscapes?.map(later);
  return {
    ...recipe,
    materials,
    models,
    motions,
    instances,
    classes,
    scatters,
    ...(landscapes && { landscapes }),
  };
}

/** How a vehicle with a body carries a sensor. */
export interface CarriedBy {
  view: BodyView;
  /** vehicleFromSensor. */
  mount: Pose;
}

/** How the vehicle carries one of its sensors; undefined: it has no body. */
export function carriedBy(
  { scenario, sensors }: Pick<CompiledScenario, 'scenario' | 'sensors'>,
  sensor: number,
): CarriedBy | undefined {
  const [mounted, compiled] = [scenario.sensors[sensor], sensors[sensor]];
  if (scenario.vehicle.body === undefined || !mounted || !compiled) return undefined;
  return { view: bodyViewOf(mounted), mount: compiled.mount };
}

function bodyViewOf({ body = 'seen' }: SensorMount): BodyView {
  return body;
}

function restOf(scenario: Scenario, terrain: Terrain): Pose {
  const { mission } = driveFromWorld(scenario);
  const [xM, yM] = mission?.startM ?? [0, 0];
  const yawRad = radians(mission?.startYawDeg ?? 0);
  return {
    positionM: [xM, yM, terrain.heightM(xM, yM)],
    rotation: quaternionOf({ yawRad, pitchRad: 0, rollRad: 0 }),
  };
}

function boxOf(part: BodyPart, { materials }: SceneRecipe): ModelSource {
  if (part.kind !== 'box') throw new Error(`the scene has no model '${part.model}'`);
  const material = materials.findIndex(({ name }) => name === part.material);
  return { kind: 'box', sizeM: part.sizeM, material };
}

/** The same triangles of one material. */
function ofMaterial(source: ModelSource, material: number): ModelSource {
  const materials = (all: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.keys(all).map((name) => [name, material]));
  if (source.kind === 'plant') return { ...source, materials: materials(source.materials) };
  if (source.kind !== 'mesh') return { ...source, material };
  return { ...source, material, materials: materials(source.materials) };
}
