// The JSON Schemas that editors and forms are made from: of the schemas that check documents here, so that the
// two cannot differ.
import { z } from 'zod';
import { campaignSchema } from './campaign.ts';
import { plantSchema } from './plant.ts';
import { scenarioSchema } from './scenario.ts';
import { speciesSchema } from './species.ts';
import { sensorSchema } from './sensor.ts';

const schemas = {
  scenario: scenarioSchema,
  sensor: sensorSchema,
  plant: plantSchema,
  species: speciesSchema,
  campaign: campaignSchema,
};

export type DocumentKind = keyof typeof schemas;
export const documentKinds = Object.keys(schemas) as DocumentKind[];

/** JSON Schema (draft 2020-12) of what a person writes: fields with a default are optional. */
export function publishedSchema(kind: DocumentKind): Record<string, unknown> {
  return titled(
    kind,
    z.toJSONSchema(schemas[kind], {
      io: 'input',
      // Why: validators refuse keywords that they do not know.
      override: ({ jsonSchema }) => {
        delete jsonSchema['form'];
      },
    }),
  );
}

/** The published schema with the words and controls of fields in forms (formWords.ts), as `form`. */
export function formSchema(kind: DocumentKind): Record<string, unknown> {
  return titled(kind, z.toJSONSchema(schemas[kind], { io: 'input' }));
}

function titled(
  kind: DocumentKind,
  { $schema, ...schema }: Record<string, unknown>,
): Record<string, unknown> {
  return { $schema, title: `Understory ${kind}`, ...schema };
}
