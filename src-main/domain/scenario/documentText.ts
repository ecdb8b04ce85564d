// Documents as people write them: YAML, or JSON, which is YAML too. Every problem of a text is reported
// at once, at its path, and with its line.
import { isMap, isPair, isScalar, type Document, type LineCounter } from 'yaml';
import type { z } from 'zod';
import { campaignSchema, type Campaign } from '#contract/documents/campaign.ts';
import { plantSchema, type Plant } from '#contract/documents/plant.ts';
import {
  checkWith,
  formatPath,
  type LocatedProblem,
  type Parsed,
  type Problem,
} from '#contract/documents/problems.ts';
import { scenarioSchema, type Scenario } from '#contract/documents/scenario.ts';
import { scenarioPlaceProblems } from '#contract/documents/scenarioPlaces.ts';
import { sensorSchema, type Sensor } from '#contract/documents/sensor.ts';
import { speciesSchema, type Species } from '#contract/documents/species.ts';
import type { DocumentFormat } from '#contract/documents/versions.ts';
import { campaignProblems } from '#domain/campaign/campaignProblems.ts';
import { parseYaml, type ParsedText } from './parsedText.ts';
import { dataWithSettings, withSettings, type Setting } from './settings.ts';
import { versionProblem } from './upgradeDocument.ts';

/** How a kind of document is checked. */
interface Format<S extends z.ZodType> {
  schema: S;
  name: DocumentFormat;
  /** Problems that the schema does not see. */
  problemsOf: (value: z.output<S>) => LocatedProblem[];
}

const scenarioFormat: Format<typeof scenarioSchema> = {
  schema: scenarioSchema,
  name: 'scenario',
  problemsOf: scenarioPlaceProblems,
};
const sensorFormat: Format<typeof sensorSchema> = {
  schema: sensorSchema,
  name: 'sensor',
  problemsOf: () => [],
};
const plantFormat: Format<typeof plantSchema> = {
  schema: plantSchema,
  name: 'plant',
  problemsOf: () => [],
};
const speciesFormat: Format<typeof speciesSchema> = {
  schema: speciesSchema,
  name: 'species',
  problemsOf: () => [],
};
const campaignFormat: Format<typeof campaignSchema> = {
  schema: campaignSchema,
  name: 'campaign',
  problemsOf: campaignProblems,
};

/**
 * A scenario from its text, defaults filled in. A text that is no YAML gives its syntax errors only (code
 * 'syntax', duplicate keys included, each with line and column); otherwise every problem of the schema.
 */
export function parseScenario(text: string): Parsed<Scenario> {
  return parseText(scenarioFormat, text);
}

/** A sensor from its text; problems as parseScenario. */
export function parseSensor(text: string): Parsed<Sensor> {
  return parseText(sensorFormat, text);
}

/** A plant from its text; problems as parseScenario. */
export function parsePlant(text: string): Parsed<Plant> {
  return parseText(plantFormat, text);
}

/** A species from its text; problems as parseScenario. */
export function parseSpecies(text: string): Parsed<Species> {
  return parseText(speciesFormat, text);
}

/** A campaign from its text; problems as parseScenario, those of axes and measures included. */
export function parseCampaign(text: string): Parsed<Campaign> {
  return parseText(campaignFormat, text);
}

/** A scenario from a text with settings; problems at the paths and lines of the text that withSettings makes. */
export function parseScenarioWith(text: string, settings: readonly Setting[]): Parsed<Scenario> {
  return parseTextWith(scenarioFormat, text, settings);
}

/** A sensor from a text with settings; problems as parseScenarioWith. */
export function parseSensorWith(text: string, settings: readonly Setting[]): Parsed<Sensor> {
  return parseTextWith(sensorFormat, text, settings);
}

/** Why not always by the edited text: it is written and parsed only where there is a problem to be placed. */
function parseTextWith<S extends z.ZodType>(
  format: Format<S>,
  text: string,
  settings: readonly Setting[],
): Parsed<z.output<S>> {
  if (settings.length === 0) return parseText(format, text);
  const { data, fault } = parseYaml(text);
  const edited = fault === null ? dataWithSettings(data, settings) : null;
  if (edited !== null && versionProblem(edited.data, format.name) === null) {
    const { value } = checkWith(format.schema, edited.data);
    if (value !== null && format.problemsOf(value).length === 0) return { value, problems: [] };
  }
  const written = withSettings(text, settings);
  if (written.problems.length > 0) return { value: null, problems: written.problems };
  return parseText(format, written.text);
}

function parseText<S extends z.ZodType>(
  { schema, name, problemsOf }: Format<S>,
  text: string,
): Parsed<z.output<S>> {
  const { document, lines, data, fault } = parseYaml(text);
  if (fault !== null) return { value: null, problems: [syntaxProblem(fault, lines)] };
  // Why alone: the fields of another version are no mistakes of the file.
  const ofVersion = versionProblem(data, name);
  if (ofVersion !== null) return { value: null, problems: [ofVersion] };
  const { value, problems: ofSchema } = checkWith(schema, data);
  const problems = value === null ? ofSchema : problemsOf(value);
  if (value !== null && problems.length === 0) return { value, problems: [] };
  return {
    value: null,
    problems: problems.map(({ path, code, message }) => {
      const line = lineOf(document, path, lines);
      return {
        path: formatPath(path),
        code,
        message: line === null ? message : `${message} (line ${line})`,
      };
    }),
  };
}

function syntaxProblem(
  { message, pos }: NonNullable<ParsedText['fault']>,
  lines: LineCounter,
): Problem {
  const { line, col } = lines.linePos(pos[0]);
  return {
    path: '(document)',
    code: 'syntax',
    message: `${message} (line ${line}, column ${col})`,
  };
}

/** Line of the value at a path; of its key where there is one; of its nearest parent otherwise. */
function lineOf(
  document: Document.Parsed,
  path: readonly PropertyKey[],
  lines: LineCounter,
): number | null {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const key = path[depth - 1];
    const pair = isMap(parent) ? parent.items.find((item) => isKey(item, key)) : undefined;
    const node = pair ? pair.key : document.getIn(path.slice(0, depth), true);
    const offset = startOf(node);
    if (offset !== null) return lines.linePos(offset).line;
  }
  return null;
}

function isKey(item: unknown, key: PropertyKey | undefined): boolean {
  return isPair(item) && isScalar(item.key) && String(item.key.value) === String(key);
}

function startOf(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || !('range' in node)) return null;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : null;
}
