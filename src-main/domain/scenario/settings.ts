// Settings: fields of a scenario or a sensor that take another value than in their file, one text each, as in
// `scene.atmosphere.visibilityKm=0.5`. They are edits of the document's text before it is checked, so that the schema
// judges them and its problems name their paths. Pure: command lines and requests share it.
//
// A path is written as problems name it: keys with dots, items of lists as [2], or as [name] by their field `name`.
// `sensor.PATH` is a field of the sensor's file, of every sensor where there are several; `sensor[NAME].PATH` of the
// one mounted by that name. All other paths are fields of the scenario, such as `sensors[NAME].mount.yawDeg`. The value
// is YAML; null removes the field, so that its default holds.
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import { editData, EditRefusal, isMapping } from './documentData.ts';
import { documentData, editDocument } from './editDocument.ts';
import { parseYaml } from './parsedText.ts';

/** A key of a mapping, the index of an item, or the name of one. */
type Step = string | number | { name: string };

export interface Setting {
  document: 'scenario' | 'sensor';
  /** The name by which a sensor is mounted; null: every sensor. */
  mount: string | null;
  /** In the document. */
  path: readonly Step[];
  /** As YAML says it. */
  value: unknown;
}

/** Settings from their texts, or a problem for each that is not one, at `set`. */
export function parseSettings(texts: readonly string[]): Parsed<Setting[]> {
  const settings: Setting[] = [];
  const problems: Problem[] = [];
  for (const text of texts) {
    const setting = settingOf(text);
    if (typeof setting === 'string') problems.push(problemAt('set', setting));
    else settings.push(setting);
  }
  return problems.length > 0 ? { value: null, problems } : { value: settings, problems: [] };
}

/**
 * The text of a document with settings, in their order. The first that cannot be made is a problem at its path, and
 * the text comes back as it was. A text that is not YAML comes back unchanged: the check of the document reports it.
 */
export function withSettings(
  text: string,
  settings: readonly Pick<Setting, 'path' | 'value'>[],
): { text: string; problems: Problem[] } {
  let edited = text;
  for (const { path, value } of settings) {
    const data = documentData(edited);
    if (data === null) return { text, problems: [] };
    const found = locate(data, path);
    if (found.problem !== null) return { text, problems: [found.problem] };
    if (value === null && !found.isThere) continue;
    const edit =
      value === null
        ? { path: found.path, op: 'remove' as const }
        : { path: found.path, op: 'set' as const, value };
    const result = editDocument(edited, [edit]);
    if (result.problems.length > 0) return { text, problems: result.problems };
    edited = result.text;
  }
  return { text: edited, problems: [] };
}

/**
 * The data of a document's text with settings, without the text; null: they cannot be made, or the text cannot be
 * edited, and withSettings says why. `data`: what the text says now, which stays. Why: a text takes long to be parsed.
 */
export function dataWithSettings(
  data: unknown,
  settings: readonly Pick<Setting, 'path' | 'value'>[],
): { data: unknown } | null {
  let edited = data;
  for (const { path: steps, value } of settings) {
    const { path, isThere, problem } = locate(edited, steps);
    if (problem !== null) return null;
    if (value === null && !isThere) continue;
    try {
      edited = editData(
        edited,
        value === null ? { path, op: 'remove' } : { path, op: 'set', value },
      );
    } catch (error) {
      if (error instanceof EditRefusal) return null;
      throw error;
    }
  }
  return { data: edited };
}

/** Those about the sensor mounted by `name`; null: about a sensor that is not mounted by a name. */
export function settingsOfSensor(settings: readonly Setting[], name: string | null): Setting[] {
  return settings.filter(
    ({ document, mount }) => document === 'sensor' && (mount === null || mount === name),
  );
}

/** A problem for each mount that a setting names and that is not there. */
export function mountProblems(settings: readonly Setting[], names: readonly string[]): Problem[] {
  return settings.flatMap(({ mount }) => {
    if (mount === null || names.includes(mount)) return [];
    const message = `expected the name of a sensor (${names.join(', ')}), found '${mount}'`;
    return [problemAt(`sensor[${mount}]`, message)];
  });
}

/** The setting, or what is wrong with the text. */
function settingOf(text: string): Setting | string {
  const at = text.indexOf('=');
  if (at < 0) return `expected path=value, found '${text}'`;
  const [pathText, valueText] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  const path = stepsOf(pathText);
  if (path === null) return `expected a path before '=', found '${pathText}'`;
  if (valueText === '') return `expected a value after '${pathText}=', found nothing`;
  const { data: value, fault } = parseYaml(valueText);
  if (fault !== null) return `expected YAML after '${pathText}=': ${fault.message}`;
  const [first, second] = path;
  if (first !== 'sensor') return { document: 'scenario', mount: null, path, value };
  const mount = typeof second === 'object' ? second.name : null;
  const inSensor = path.slice(mount === null ? 1 : 2);
  if (inSensor.length === 0 || typeof inSensor[0] !== 'string') {
    return `expected a field of the sensor, as in sensor.noise.rangeSigmaM, found '${pathText}'`;
  }
  return { document: 'sensor', mount, path: inSensor, value };
}

/** The steps of a path as it is written; null where it is none. */
function stepsOf(text: string): Step[] | null {
  if (!/^[\w-]+(\.[\w-]+|\[[\w.-]+\])*$/.test(text)) return null;
  return [...text.matchAll(/\[([\w.-]+)\]|[\w-]+/g)].map(([key, inBrackets]): Step => {
    if (inBrackets === undefined) return key;
    return /^\d+$/.test(inBrackets) ? Number(inBrackets) : { name: inBrackets };
  });
}

/** Where a path leads in a document: keys and indices, and whether there is something. */
function locate(
  data: unknown,
  steps: readonly Step[],
): { path: (string | number)[]; isThere: boolean; problem: Problem | null } {
  const path: (string | number)[] = [];
  const refused = (message: string) => ({
    path,
    isThere: false,
    problem: problemAt(formatPath(path), message),
  });
  let inside = data;
  for (const step of steps) {
    if (typeof step === 'string') {
      if (inside !== undefined && inside !== null && !isMapping(inside)) {
        return refused(`expected a mapping with '${step}', found another value`);
      }
      path.push(step);
      inside = isMapping(inside) ? inside[step] : undefined;
      continue;
    }
    if (!Array.isArray(inside)) {
      return refused(
        `expected a list, found ${inside === undefined ? 'nothing' : 'another value'}`,
      );
    }
    const index = typeof step === 'number' ? step : indexOfName(inside, step.name);
    if (index === null || index >= inside.length) {
      const item = typeof step === 'number' ? `item ${step}` : `item named '${step.name}'`;
      return refused(`the list has ${inside.length} items, there is no ${item}`);
    }
    path.push(index);
    inside = inside[index];
  }
  return { path, isThere: inside !== undefined, problem: null };
}

function indexOfName(list: readonly unknown[], name: string): number | null {
  const index = list.findIndex((item) => isMapping(item) && item['name'] === name);
  return index < 0 ? null : index;
}

function problemAt(path: string, message: string): Problem {
  return { path, code: 'set', message };
}
