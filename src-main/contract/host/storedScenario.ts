// Compiled scenarios as recordings, bundles and catalogues store them. This is the border for what comes from elsewhere:
// those of older versions are brought up to date, and each passes the schemas and rules of a user's own documents,
// whatever version it names. Guarantees: what is returned is what a scenario of this version compiles to in kind, bounds
// and references.
import { isAbsoluteName } from '../documents/absoluteName.ts';
import { fileNamesOf } from '../documents/fileNames.ts';
import { storedMesh } from '../documents/bundle.ts';
import {
  checkWith,
  formatPath,
  oneLine,
  type LocatedProblem,
  type Parsed,
} from '../documents/problems.ts';
import { scenarioPlaceProblems } from '../documents/scenarioPlaces.ts';
import { entries, field, items } from '../documents/unknownData.ts';
import { documentFormats } from '../documents/versions.ts';
import { compiledOutlineSchema, compiledScenarioSchema } from './compiledScenario.ts';
import { compiledProblems } from './compiledRules.ts';
import type { CompiledScenario } from './run.ts';

/**
 * Where a scenario was found, which decides the names that its files may have: in a catalogue any (its meshes are
 * where they were when the run was ordered), in a recording no absolute ones, in a bundle those of its own meshes.
 */
export type FoundIn = 'catalogue' | 'recording' | 'bundle';

/** The compiled scenario in the present form, or what is wrong with it. `stored`: the JSON of any version, parsed. */
export function storedScenario(stored: unknown, foundIn: FoundIn): Parsed<CompiledScenario> {
  const { value, problems } = checkWith(compiledScenarioSchema, presentForm(stored));
  if (value === null) return refused(problems);
  const found = [
    ...scenarioPlaceProblems(value.scenario).map(inScenario),
    ...compiledProblems(value),
    ...nameProblems(value, foundIn),
  ];
  return found.length > 0 ? refused(found) : { value, problems: [] };
}

/**
 * The same of a catalogue without instances and scatters, which may be hundreds of thousands and which few need. What
 * refers to them is not checked.
 */
export function storedOutline(stored: unknown): Parsed<CompiledScenario> {
  const none = { instances: [], scatters: [] };
  const scenario = field(stored, 'scenario');
  const outline = {
    ...mapping(stored),
    scenario: {
      ...mapping(scenario),
      scene: { ...mapping(field(scenario, 'scene')), ...none, classes: undefined },
    },
    recipe: { ...mapping(field(stored, 'recipe')), ...none },
  };
  const { value, problems } = checkWith(compiledOutlineSchema, presentForm(outline));
  return value === null ? refused(problems) : { value, problems: [] };
}

/** The first problem in one line, with its path; a recording or bundle has one cause. */
export function firstProblem(problems: readonly { path: string; message: string }[]): string {
  const [{ path, message } = { path: '(document)', message: 'it is damaged' }] = problems;
  return `${path}: ${message}`;
}

function refused(problems: readonly LocatedProblem[]): Parsed<CompiledScenario> {
  const shown = problems.map(({ path, ...rest }) => ({ ...rest, path: formatPath(path) }));
  return { value: null, problems: shown };
}

function inScenario({ path, ...rest }: LocatedProblem): LocatedProblem {
  return { ...rest, path: ['scenario', ...path] };
}

function nameProblems(compiled: CompiledScenario, foundIn: FoundIn): LocatedProblem[] {
  if (foundIn === 'catalogue') return [];
  const named = fileNamesOf(compiled.scenario).map(({ path, name }) => ({
    path: ['scenario', ...path],
    name,
    isAllowed: !isAbsoluteName(name),
  }));
  const meshes = compiled.recipe.models.flatMap(({ source }, index) => {
    if (source.kind !== 'mesh') return [];
    const isAllowed =
      foundIn === 'bundle' ? storedMesh.test(source.file) : !isAbsoluteName(source.file);
    return [{ path: ['recipe', 'models', index, 'source', 'file'], name: source.file, isAllowed }];
  });
  const expected = foundIn === 'bundle' ? 'the name of a mesh in the bundle' : 'a relative name';
  return [...named, ...meshes].flatMap(({ path, name, isAllowed }) =>
    isAllowed
      ? []
      : [{ path, code: 'custom', message: `expected ${expected}, found '${oneLine(name)}'` }],
  );
}

/** Changes of recipe.ts and of the scenario are made up for here, before anything is checked. */
function presentForm(stored: unknown): unknown {
  const compiled = {
    ...mapping(stored),
    sensors: eachOf(field(stored, 'sensors'), presentSensor),
  };
  const scenario = field(stored, 'scenario');
  if (field(scenario, documentFormats.scenario.key) !== 1) return compiled;
  const scene = field(scenario, 'scene');
  const materials = entries(field(scene, 'materials')).map(([name, material]) => [
    name,
    presentMaterial(material),
  ]);
  const recipe = field(stored, 'recipe');
  return {
    ...compiled,
    scenario: {
      ...mapping(scenario),
      [documentFormats.scenario.key]: documentFormats.scenario.version,
      scene: { ...mapping(scene), materials: Object.fromEntries(materials) as unknown },
    },
    recipe: { ...mapping(recipe), materials: eachOf(field(recipe, 'materials'), presentMaterial) },
  };
}

/** Up to and including 0.1.0, banks of lasers were called blocks. */
function presentSensor(sensor: unknown): unknown {
  const recipe = field(sensor, 'recipe');
  if (field(recipe, 'blocks') === undefined) return sensor;
  const { blocks, ...rest } = mapping(recipe);
  return { ...mapping(sensor), recipe: { ...rest, banks: blocks } };
}

/**
 * Up to version 1 of the scenario format, `transmittance` was the share that goes straight on, and the reflectance that
 * of surface and gaps together: now it is that of what is not a gap, so that hits keep their intensity.
 */
function presentMaterial(material: unknown): unknown {
  const { transmittance: gapFraction, ...rest } = mapping(material);
  if (typeof gapFraction !== 'number' || gapFraction === 0) return material;
  const solid = (reflectance: unknown): unknown =>
    typeof reflectance === 'number' && gapFraction < 1
      ? Math.min(1, reflectance / (1 - gapFraction))
      : reflectance;
  const { reflectance } = rest;
  return {
    ...rest,
    reflectance: Array.isArray(reflectance)
      ? reflectance.map((pair) => {
          const [wavelengthNm, share] = items(pair);
          return [wavelengthNm, solid(share)];
        })
      : solid(reflectance),
    gapFraction,
  };
}

/** Its fields; what is none has none, and is refused by the schema. */
function mapping(value: unknown): Record<string, unknown> {
  return Object.fromEntries(entries(value));
}

/** The list with each item changed; anything else as it is. */
function eachOf(value: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(change) : value;
}
