// scenario.addModel: a learned model in a scenario, as the Learn page places it. Guarantees: comments and order of a
// scenario that is there stay; nothing is written unless the scenario with the model has no problems.
import { badInput, toWire, UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { maxHeaderBytes, readModelHeader } from '#domain/scene/learnedHeader.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { groundBelow, newSceneText } from '#domain/scene/newModelScene.ts';
import { fileFrom } from '#domain/shared/fileNames.ts';
import { addModelEdits, otherSystem } from '#domain/shared/modelInScene.ts';
import { documentName, findDocument, unknownSample } from '#services/documents/documentFiles.ts';
import type { Documents } from '#services/documents/documents.ts';
import { checkSaveTarget, movedText, saveDocument } from '#services/documents/saveDocument.ts';
import type { WarmWorker } from '#services/documents/warmWorker.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import { checkSystems, systemOfScenes } from '#services/learning/statedSystems.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Machine } from '#services/ports/system.ts';

export interface AddModelPorts {
  documents: Documents;
  files: Files;
  dataFiles: Pick<DataFiles, 'readStart'>;
  logs: Pick<Logs, 'open'>;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  /** Reads the log of a new scenario. */
  viewing: WarmWorker;
  dataFolder: string;
}

type Request = RequestOf<'scenario.addModel'>;
type Header = ReturnType<typeof readModelHeader>;

/** Edge of the ground of a new scenario. */
const groundSizeM = 400;
/** Returns that the height of the ground is found from: as many as a page shows. */
const maxPoints = 2_000_000;

/** The handler of contract/host/addModelMethods.ts. */
export function addModelHandlers(
  ports: AddModelPorts,
): Pick<Handlers<'scenario'>, 'scenario.addModel'> {
  return {
    'scenario.addModel': async (request, context) => ({
      reply: await addModel(ports, request, context),
    }),
  };
}

/** @throws UnderstoryError 'bad-input' with problems at fields of the request; 'not-found', 'io' as Files */
async function addModel(
  ports: AddModelPorts,
  request: Request,
  context: HandlerContext,
): Promise<Replies['scenario.addModel']> {
  const { files, documents } = ports;
  const { model, log, scenario, isReplacing } = request;
  const out = await checkSaveTarget(files, { file: request.out, isReplacing });
  if (!/\.ya?ml$/i.test(out)) {
    throw badInput('out', `expected a file that ends in .yaml, found '${out}'`);
  }
  const from = scenario === undefined ? null : await scenarioFile(files, scenario);
  if ([model, log, from].includes(out)) {
    throw badInput('out', `'${out}' is read by this very work: choose another name`);
  }
  const header = await headerOf(ports, model);
  const text =
    from === null
      ? await newText(ports, { ...request, out }, header, context)
      : await extendedText(ports, { model, from, out }, header, context);
  const { value, problems } = await documents.loadScenario(out, { text, signal: context.signal });
  if (value === null) {
    const title = 'the scenario with the model has problems';
    throw new UnderstoryError('bad-input', title, { problems });
  }
  const { file } = await saveDocument(
    files,
    { kind: 'scenario', file: out, text, isReplacing },
    context.signal,
  );
  return { file };
}

async function scenarioFile(files: Files, scenario: string): Promise<string> {
  const file = await findDocument(files, 'scenarios', scenario);
  if (file !== null) return file;
  const { message } = await unknownSample(files, 'scenarios', scenario);
  throw badInput('scenario', message);
}

async function headerOf({ dataFiles }: AddModelPorts, model: string): Promise<Header> {
  const start = await dataFiles.readStart(model, maxHeaderBytes);
  try {
    return readModelHeader(start);
  } catch (error) {
    throw badInput('model', `'${model}': ${toWire(error).message}`);
  }
}

/** The text of a scenario, moved to `out`, with the model. */
async function extendedText(
  { files, dataFolder }: AddModelPorts,
  { model, from, out }: { model: string; from: string; out: string },
  header: Header,
  { signal }: HandlerContext,
): Promise<string> {
  const moved = await movedText(files, await files.readText(from, signal), from, out, signal);
  const source = { name: from, signal };
  const { value, data, problems } = await files.texts.edit(source, moved, [], 'scenario');
  if (value === null) {
    throw new UnderstoryError('bad-input', `scenario '${from}' has problems`, { problems });
  }
  const other = otherSystem(data, header.crs ?? null);
  if (other !== null) throw badInput('model', other);
  const added = addModelEdits(data, { model, scenario: out, dataFolder });
  if (added === null) throw badInput('model', `scenario '${from}' places '${model}' already`);
  return (await files.texts.edit(source, moved, added.edits, 'scenario')).text;
}

async function newText(
  ports: AddModelPorts,
  { model, log, out }: Pick<Request, 'model' | 'log' | 'out'>,
  { originM, crs }: Header,
  context: HandlerContext,
): Promise<string> {
  const alongLog = log === undefined ? null : await readAlongLog(ports, model, log, context);
  return newSceneText({
    title: documentName(out),
    file: fileFrom(out, model, ports.dataFolder),
    crs: await systemOfScenes(ports.files, crs),
    originM,
    firstM: alongLog?.firstM ?? originM,
    lastM: alongLog?.lastM ?? originM,
    groundM: alongLog?.groundM ?? originM[2],
    groundSizeM,
  });
}

type PlaceM = readonly [number, number, number];

/** The first and last place of the sensor, and the height of the ground below the first; null: not known. */
async function readAlongLog(
  ports: AddModelPorts,
  model: string,
  log: string,
  { signal, progress }: HandlerContext,
): Promise<{ firstM: PlaceM | null; lastM: PlaceM | null; groundM: number | null }> {
  await checkSystems(ports, { models: [model], logs: [log] }, 'log');
  const limit = memoryLimitBytes(ports.machine.availableMemoryBytes());
  const parts: Float32Array[] = [];
  const request = { log, maxPoints, memoryLimitBytes: limit };
  const { body } = await ports.viewing.use((worker) =>
    worker.call(
      'log.cloud',
      request,
      {},
      {
        signal,
        onProgress: progress,
        onChunk: ({ columns }) => void parts.push(columns.position),
      },
    ),
  );
  const { originM, firstM, lastM } = body;
  if (firstM === null) return { firstM, lastM, groundM: null };
  const [ox, oy, oz] = originM;
  const below = groundBelow(parts, [firstM[0] - ox, firstM[1] - oy]);
  return { firstM, lastM, groundM: below === null ? null : below + oz };
}
