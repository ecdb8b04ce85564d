// scenario.import: has foreign files converted, and writes a scenario with what lies beside it. Guarantees: nothing is
// written before every file was understood; the scenario takes its name only when it has no problems, and what lies
// beside it stays only then.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { ImportedDocument } from '#domain/import/importedDocument.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { SceneImports } from '#services/ports/sceneImports.ts';
import { checkMeshes, type ScenePorts } from '#services/scans/sceneWork.ts';

export type ImportPorts = ScenePorts & {
  documents: Documents;
  files: Files;
  imports: SceneImports;
};
type Request = RequestOf<'scenario.import'>;

/** @throws UnderstoryError 'bad-input' with every problem at its file; 'not-found', 'io', 'disk-full' as Files */
export async function importScenario(
  ports: ImportPorts,
  { isReplacing, ...request }: Request,
  context: HandlerContext,
): Promise<Replies['scenario.import']> {
  const { files, imports } = ports;
  const { out } = request;
  const { text, files: besides, sources } = await imports.convert(request, context);
  const beside = await filesBeside(files, { out, isReplacing }, besides);
  // Why written before the check: it reads the meshes and heights that the scenario names.
  const notices = await files.writeChecked(beside, async () => {
    const found = await checkText(ports, out, text, context);
    await files.writeText(out, text);
    return found;
  });
  return { scenario: out, files: beside.map(({ path }) => path), sources, notices };
}

/** The files to write beside the scenario. @throws UnderstoryError 'bad-input' for one that is not to be replaced */
async function filesBeside(
  files: Files,
  { out, isReplacing }: Pick<Request, 'out' | 'isReplacing'>,
  besides: ImportedDocument['files'],
): Promise<{ path: string; content: string | Uint8Array }[]> {
  const named = besides.map(({ name, content }) => {
    return { path: files.resolveFrom(out, name), content };
  });
  for (const path of [out, ...named.map((file) => file.path)]) {
    if (!isReplacing && (await files.exists(path)))
      throw badInput('files', `there is '${path}' already`);
  }
  return named;
}

/** Problems of a scenario's text and of its meshes, as scenario.check finds them, end the import. */
async function checkText(
  ports: ImportPorts,
  scenario: string,
  text: string,
  context: HandlerContext,
): Promise<Replies['scenario.import']['notices']> {
  const { signal } = context;
  const { value, problems } = await ports.documents.loadScenario(scenario, { text, signal });
  const message = `the imported scenario '${scenario}' has problems`;
  if (value === null) throw new UnderstoryError('bad-input', message, { problems });
  const meshes = await checkMeshes(ports, value.compiled.recipe, context);
  if (meshes.problems.length === 0) return meshes.notices;
  throw new UnderstoryError('bad-input', message, { problems: meshes.problems });
}
