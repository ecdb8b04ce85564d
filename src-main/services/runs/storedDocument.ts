// A compiled scenario as the catalogue stores it, and read from there. Guarantees: megabytes of placed objects are
// written with pauses in which the host answers others, and read on another thread.
import { storedMesh } from '#contract/documents/bundle.ts';
import { isAbsoluteName } from '#contract/documents/absoluteName.ts';
import type { Parsed } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { firstProblem } from '#contract/host/storedScenario.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { writeJson } from '#contract/wire/jsonText.ts';
import type { TextJobs, TextSource } from '#domain/scenario/textJobs.ts';
import type { Catalogue, RunRow, StoredDocument } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Timer } from '#services/ports/system.ts';
import { sha256 } from '#services/sha256.ts';

const unending = new AbortController().signal;

/** Hashed off the host's thread. @param compiled as its version stores it */
export async function storedDocument(
  { timer }: { timer: Timer },
  compiled: unknown,
): Promise<StoredDocument> {
  const json = await writeJson(compiled, () => timer.pause(0, unending));
  return { json, hash: await sha256(json) };
}

/** The compiled scenario of a run. @throws UnderstoryError 'corrupt' where its row is damaged */
export async function compiledOf(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<CompiledScenario> {
  const json = catalogue.storedScenario(runId);
  return expectSound(runId, await texts.compiled(sourceOf(runId), json, 'catalogue'));
}

/** The same without instances and scatters: metrics, lists and charts need none of them. */
export async function compiledWithoutObjects(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<CompiledScenario> {
  const json = catalogue.storedScenario(runId);
  return expectSound(runId, await texts.outline(sourceOf(runId), json));
}

/** The scenario of a run and its text. @throws as compiledOf */
export async function scenarioOf(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<{ document: CompiledScenario['scenario']; text: string }> {
  const json = catalogue.storedScenario(runId);
  return expectSound(runId, await texts.scenarioOf(sourceOf(runId), json));
}

/**
 * The compiled scenario of a run as its version stored it, of which its hash is. Fields that have changed since have
 * their old names. Only after compiledOf, which checks it.
 */
export async function storedFormOf(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<CompiledScenario> {
  return (await texts.json(sourceOf(runId), catalogue.storedScenario(runId))) as CompiledScenario;
}

/** Hashes of a scene's meshes by the names of their files, which contain them; '' for other names. */
export function hashesInNames({ recipe }: CompiledScenario): Record<string, string> {
  const hashes = recipe.models.flatMap(({ source }): [string, string][] =>
    source.kind === 'mesh' ? [[source.file, storedMesh.exec(source.file)?.[2] ?? '']] : [],
  );
  return Object.fromEntries(hashes);
}

/**
 * With the files of its meshes. Those that came with a bundle are in the data folder, and named from there so that it
 * can be moved; of a run that was simulated here they are where they were then.
 * @throws UnderstoryError 'unsupported' for a run from elsewhere, or from a recording, that came without its meshes
 */
export function withStoredMeshes(
  folders: Pick<RunFolders, 'dataFile'>,
  { id, origin }: Pick<RunRow, 'id' | 'origin'>,
  compiled: CompiledScenario,
): CompiledScenario {
  const models = compiled.recipe.models.map((model) => {
    const { source } = model;
    if (source.kind !== 'mesh') return model;
    if (storedMesh.test(source.file)) {
      return { ...model, source: { ...source, file: folders.dataFile(source.file) } };
    }
    // Why: a recording names meshes as its scenario does, and no such name is opened on this machine.
    if (origin === null && isAbsoluteName(source.file)) return model;
    const message = `run ${id} came without the mesh of '${model.name}': a bundle of the run has it ('runs pack')`;
    throw new UnderstoryError('unsupported', message, { runId: id });
  });
  return { ...compiled, recipe: { ...compiled.recipe, models } };
}

function sourceOf(runId: string): TextSource {
  return { name: `scenario of run ${runId}` };
}

function expectSound<T>(runId: string, { value, problems }: Parsed<T>): T {
  if (value !== null) return value;
  const message = `the catalogue's scenario of run ${runId} is damaged: ${firstProblem(problems)}`;
  throw new UnderstoryError('corrupt', message, { runId });
}
