// A compiled scenario: a scenario with every file that it refers to read and resolved, as a run process gets it and as
// recordings, bundles and catalogues store it. The schema is made of those of a user's own documents and of the recipes.
import { z } from 'zod';
import { finite, sha256Hex, slug, title, vector3 } from '../documents/quantities.ts';
import { scenarioFields, scenarioSchema } from '../documents/scenario.ts';
import { driverSchema, laserScanSchema } from '../documents/sensor.ts';
import { slotsPerSecondOf } from '../documents/scan/scanRecipe.ts';
import { sceneRecipeSchema } from '../worker/recipe.ts';
import { sensorRecipeSchema } from '../worker/sensorRecipe.ts';

const compiledSensorSchema = z.strictObject({
  name: slug,
  recipe: sensorRecipeSchema
    .extend({ id: slug, serial: title.exactOptional() })
    .superRefine(({ scan, slotsPerSecond }, context) => {
      const expected = slotsPerSecondOf(scan) ?? slotsPerSecond;
      // Why a millionth: products of doubles are rounded.
      if (Math.abs(slotsPerSecond - expected) <= 1e-6 * expected) return;
      const message = `expected ${expected}, as its scan has them, found ${slotsPerSecond}`;
      context.addIssue({ code: 'custom', path: ['slotsPerSecond'], message });
    }),
  mount: z
    .strictObject({ positionM: vector3, rotation: z.tuple([finite, finite, finite, finite]) })
    .describe('vehicleFromSensor'),
  driver: driverSchema
    .exactOptional()
    .describe("the fields of its recorded clouds; left out: Velodyne's"),
  laserScan: laserScanSchema
    .exactOptional()
    .describe('sensor_msgs/LaserScan in recordings; left out: none'),
});

const compiledParts = {
  recipe: sceneRecipeSchema,
  sensors: z.array(compiledSensorSchema).max(65535),
  scenarioHash: sha256Hex.describe(
    'of scenario, recipe and sensors in canonical JSON, heights and mesh files included',
  ),
  settings: z
    .array(z.string().max(100_000))
    .max(10_000)
    .exactOptional()
    .describe('settings that a request gave (domain/scenario/settings.ts); left out: none'),
};

/** Names that must exist or be unique in the scenario included. */
export const compiledScenarioSchema = z.strictObject({
  scenario: scenarioSchema,
  ...compiledParts,
});

/** The same of one whose objects were left out: names of instances are not there to be found. */
export const compiledOutlineSchema = z.strictObject({ scenario: scenarioFields, ...compiledParts });

/** Height-field heights travel as a column beside it. */
export type CompiledScenario = z.output<typeof compiledScenarioSchema>;
export type CompiledSensor = CompiledScenario['sensors'][number];
