// The compiled scenario of a recording as it is stored there, and whether it is the one that its hash names.
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { Files } from '#services/ports/files.ts';
import type { RecordingHeader, Recordings } from '#services/ports/recordings.ts';
import { sha256 } from '#services/sha256.ts';

export interface RecordedScenarioPorts {
  recordings: Recordings;
  texts: TextJobs;
  files: Pick<Files, 'hashOf'>;
}

/**
 * The compiled scenario of a recording whose head was read, in the form of the version that stored it. Why this form:
 * each version hashed what it stored, and a check that a version could switch off is none.
 * @throws UnderstoryError 'corrupt' where it is not the one of its hash. With meshes that is not known: the hash covers
 *   their contents, which a recording does not hold.
 */
export async function storedInRecording(
  { recordings, texts, files }: RecordedScenarioPorts,
  path: string,
  { compiled, heights }: Pick<RecordingHeader, 'compiled' | 'heights'>,
): Promise<unknown> {
  const head = (await texts.json({ name: path }, await recordings.headText(path))) as {
    compiled: CompiledScenario;
  };
  if (compiled.recipe.models.some(({ source }) => source.kind === 'mesh')) return head.compiled;
  const contents = {
    meshes: {},
    heights: await sha256(new Uint8Array(heights.buffer, heights.byteOffset, heights.byteLength)),
  };
  const hash = await files.hashOf(scenarioHashInput(head.compiled, contents));
  if (hash === compiled.scenarioHash) return head.compiled;
  const message = `'${path}' is damaged: its scenario is not the one that was simulated`;
  throw new UnderstoryError('corrupt', message, { file: path });
}
