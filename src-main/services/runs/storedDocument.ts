// A compiled scenario as the catalogue stores it, and read from there. Guarantees: megabytes of placed objects are
// written with pauses in which the host answers others, and read on another thread.
import { storedMesh } from '#contract/documents/bundle.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { writeJson } from '#contract/wire/jsonText.ts';
import type { TextJobs, TextSource } from '#domain/scenario/textJobs.ts';
import type { Catalogue, StoredDocument } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Timer } from '#services/ports/system.ts';
import { sha256 } from '#services/sha256.ts';

const unending = new AbortController().signal;

/** Hashed off the host's thread. */
export async function storedDocument(
  { timer }: { timer: Timer },
  compiled: CompiledScenario,
): Promise<StoredDocument> {
  const json = await writeJson(compiled, () => timer.pause(0, unending));
  return { json, hash: await sha256(json) };
}

/** The compiled scenario of a run. @throws UnderstoryError 'corrupt' where its row is damaged */
export async function compiledOf(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<CompiledScenario> {
  return (await texts.compiled(sourceOf(runId), catalogue.storedScenario(runId))) ?? damaged(runId);
}

/** The same without instances and scatters: metrics, lists and charts need none of them. */
export async function compiledWithoutObjects(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<CompiledScenario> {
  return (
    (await texts.compiled(sourceOf(runId), catalogue.storedScenario(runId), false)) ??
    damaged(runId)
  );
}

/** The scenario of a run and its text. @throws as compiledOf */
export async function scenarioOf(
  { catalogue, texts }: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<{ document: CompiledScenario['scenario']; text: string }> {
  return (
    (await texts.scenarioOf(sourceOf(runId), catalogue.storedScenario(runId))) ?? damaged(runId)
  );
}

/** Meshes that came with a bundle are in the data folder, and named from there so that it can be moved. */
export function withStoredMeshes(
  folders: Pick<RunFolders, 'dataFile'>,
  compiled: CompiledScenario,
): CompiledScenario {
  const models = compiled.recipe.models.map((model) => {
    const { source } = model;
    if (source.kind !== 'mesh' || !storedMesh.test(source.file)) return model;
    return { ...model, source: { ...source, file: folders.dataFile(source.file) } };
  });
  return { ...compiled, recipe: { ...compiled.recipe, models } };
}

function sourceOf(runId: string): TextSource {
  return { name: `scenario of run ${runId}` };
}

function damaged(runId: string): never {
  const message = `the catalogue's scenario of run ${runId} is damaged`;
  throw new UnderstoryError('corrupt', message, { runId });
}
