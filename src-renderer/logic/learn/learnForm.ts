// The form of learning: its parameters with the values of a preset as defaults, and the requests that it makes.
import type { LearnPreset } from '#contract/host/learnMethods.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { field } from '#contract/documents/unknownData.ts';
import { learnParametersJsonSchema, type LearnParameters } from '#contract/worker/learn.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import { mapOf, type JsonSchema } from '#renderer/logic/forms/jsonSchema.ts';
import type { LearnedKind } from '#contract/worker/learnedModel.ts';
import { fieldsOfKinds, type ParameterPart } from './learnKinds.ts';

/** Changed parameters by part; what is left out is the preset's. */
export type ChangedParameters = { [P in ParameterPart]?: Record<string, unknown> };

export interface LearnForm {
  logs: readonly string[];
  kinds: readonly LearnedKind[];
  preset: LearnPreset;
  changed: ChangedParameters;
  seed: number;
  /** Folder and beginning of the files' names: '/data/models/site'. */
  outStem: string;
}

export const presetNames: Record<LearnPreset, string> = {
  'browning-2012': 'Browning 2012',
  'deschaud-2012': 'Deschaud 2012',
};

const parts = ['volume', 'surface', 'classifier'] as const satisfies readonly ParameterPart[];

/** The parameters that the kinds use, as a schema with the preset's values as defaults. */
export function parameterSchema(kinds: readonly LearnedKind[], preset: LearnPreset): JsonSchema {
  const whole = learnParametersJsonSchema() as JsonSchema;
  const shownParts = parts.flatMap((part) => {
    const used = fieldsOfKinds(kinds, part);
    if (used.size === 0) return [];
    const all = Object.entries(whole.properties?.[part]?.properties ?? {});
    const shown = all
      .filter(([name]) => used.has(name))
      .map(([name, schema]) => [name, { ...schema, default: presetValue(preset, part, name) }]);
    const properties = Object.fromEntries(shown) as Record<string, JsonSchema>;
    return [[part, { type: 'object', properties }] as const];
  });
  const properties = Object.fromEntries(shownParts);
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** The requests, one for each kind, without parameters that its kind does not use. */
export function learnRequestsOf(form: LearnForm): RequestInputOf<'learn.start'>[] {
  return form.kinds.map((model) => ({
    logs: [...form.logs],
    model,
    out: `${form.outStem}-${model}.ply`,
    preset: form.preset,
    // Why the cast: the form's fields come from the schema of these parameters, and the host checks them.
    parameters: usedParameters(form, model),
    seed: form.seed,
  }));
}

/** Changes that matter for a kind and differ from the preset. */
function usedParameters(
  { preset, changed }: Pick<LearnForm, 'preset' | 'changed'>,
  kind: LearnedKind,
): ChangedParameters {
  const used: ChangedParameters = {};
  for (const part of parts) {
    const names = fieldsOfKinds([kind], part);
    const entries = Object.entries(mapOf(changed[part])).filter(
      ([name, value]) => names.has(name) && value !== presetValue(preset, part, name),
    );
    if (entries.length > 0) used[part] = Object.fromEntries(entries);
  }
  return used;
}

function presetValue(preset: LearnPreset, part: ParameterPart, name: string): unknown {
  const parameters: LearnParameters = learnPresets[preset];
  return field(parameters[part], name);
}
