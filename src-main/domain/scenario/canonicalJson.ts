// One text for one meaning: what is hashed must not depend on the order in which keys were written.
import type { CompiledScenario } from '#contract/host/run.ts';
import { definedFields, piecesOf } from '#contract/wire/jsonText.ts';

/** JSON with keys in code-unit order and no spaces; absent and undefined fields are the same.
 *  @throws RangeError for a number that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError(`expected a finite number, found ${value}`);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = sortedFields(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`,
  );
  return `{${fields.join(',')}}`;
}

/** The fields that JSON has, in code-unit order. */
function sortedFields(value: object): [string, unknown][] {
  return definedFields(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/**
 * The text whose SHA-256 is a scenario's hash, in pieces: everything that decides what a run simulates, and nothing
 * that depends on where files lie. Scene and sensors enter as compiled, each file by its content.
 * @param contentHashes hash of each mesh file by its name in the recipe, and of the heights
 */
export function scenarioHashInput(
  compiled: Omit<CompiledScenario, 'scenarioHash'>,
  contentHashes: { meshes: Readonly<Record<string, string>>; heights: string },
): Generator<string> {
  const { name, seed, vehicle, mission, navigation, estimate } = compiled.scenario;
  const models = compiled.recipe.models.map((model) => {
    const { source } = model;
    if (source.kind !== 'mesh') return model;
    return { ...model, source: { ...source, file: contentHashes.meshes[source.file] } };
  });
  const hashed = {
    scenario: { name, seed, vehicle, mission, navigation, estimate },
    recipe: { ...compiled.recipe, models },
    // How clouds are recorded decides nothing that is simulated.
    sensors: compiled.sensors.map(({ driver: _, laserScan: __, ...sensor }) => sensor),
    heights: contentHashes.heights,
  };
  return piecesOf(hashed, canonicalJson, sortedFields);
}
