// Compiled scenarios as recordings and catalogues store them, those of older versions included. What changes in
// recipe.ts is brought up to date here, so that runs of older versions can still be opened and simulated again.
import { documentFormats } from '../documents/versions.ts';
import type { Share } from '../documents/optics.ts';
import type { CompiledScenario } from './run.ts';

/** The compiled scenario in the present form. `stored`: the JSON of any version, parsed. */
export function compiledFromStored(stored: unknown): CompiledScenario {
  const compiled = stored as CompiledScenario;
  const sensors = compiled.sensors.map(presentSensor);
  const written: number = compiled.scenario.understory;
  if (written > 1) return { ...compiled, sensors };
  const { scene } = compiled.scenario;
  const absent = { transmittance: 0, gapFraction: 0, wetness: 0 };
  const materials = Object.entries(scene.materials).map(([name, material]) => [
    name,
    Object.assign({}, absent, presentMaterial(material)),
  ]);
  return {
    ...compiled,
    scenario: {
      ...compiled.scenario,
      understory: documentFormats.scenario.version,
      scene: { ...scene, materials: Object.fromEntries(materials) as typeof scene.materials },
    },
    recipe: { ...compiled.recipe, materials: compiled.recipe.materials.map(presentMaterial) },
    sensors,
  };
}

type StoredSensor = CompiledScenario['sensors'][number];

/** Up to and including 0.1.0, banks of lasers were called blocks. */
function presentSensor(sensor: StoredSensor): StoredSensor {
  if (!('blocks' in sensor.recipe)) return sensor;
  const { blocks, ...rest } = sensor.recipe;
  return { ...sensor, recipe: { ...rest, banks: blocks as StoredSensor['recipe']['banks'] } };
}

/**
 * Up to version 1 of the scenario format, `transmittance` was the share that goes straight on, and the reflectance that
 * of surface and gaps together: now it is that of what is not a gap, so that hits keep their intensity.
 */
function presentMaterial<Material extends { reflectance: Share }>(
  material: Material & { transmittance?: Share },
): Material {
  const { transmittance: gapFraction, ...rest } = material;
  if (typeof gapFraction !== 'number' || gapFraction === 0) return material;
  const solid = (reflectance: number): number =>
    gapFraction < 1 ? Math.min(1, reflectance / (1 - gapFraction)) : reflectance;
  const { reflectance } = material;
  return {
    ...rest,
    reflectance: Array.isArray(reflectance)
      ? reflectance.map(([wavelengthNm, share]) => [wavelengthNm, solid(share)])
      : solid(reflectance),
    gapFraction,
  } as unknown as Material;
}
