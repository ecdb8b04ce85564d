// The JSON Schemas that editors use to complete and check documents: made from the schemas that check
// them here, so that the two cannot differ.
import { z } from 'zod';
import { plantSchema } from '#contract/plant.ts';
import { scenarioSchema } from '#contract/scenario.ts';
import { sensorSchema } from '#contract/sensor.ts';

const schemas = { scenario: scenarioSchema, sensor: sensorSchema, plant: plantSchema };

export type DocumentKind = keyof typeof schemas;
export const documentKinds = Object.keys(schemas) as DocumentKind[];

/** JSON Schema (draft 2020-12) of what a person writes: fields with a default are optional. */
export function publishedSchema(kind: DocumentKind): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(schemas[kind], { io: 'input' });
  return { $schema, title: `Understory ${kind}`, ...schema };
}
