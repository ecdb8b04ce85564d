// learn.*: models of vegetation and ground from logs, by a worker that is gone afterwards.
import { UnderstoryError } from '#contract/errors.ts';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { LearnParameters, LearnReply } from '#contract/worker/learn.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { countText } from '#domain/shared/formats.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import { fieldsOfKinds, type ParameterPart } from '#domain/shared/usedLearnParameters.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { checkSystems } from './statedSystems.ts';

export interface LearnPorts {
  launcher: WorkerLauncher;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  files: Pick<Files, 'exists'>;
  dataFiles: Pick<DataFiles, 'prepareTarget' | 'readStart'>;
  logs: Pick<Logs, 'open'>;
}

/** The handlers of contract/host/learnMethods.ts. */
export function learnHandlers(
  ports: LearnPorts,
): Pick<Handlers<'learn'>, 'learn.start' | 'learn.evaluate'> {
  return {
    'learn.start': async (request, context) => ({ reply: await learn(ports, request, context) }),
    'learn.evaluate': async (request, context) => ({
      reply: await evaluate(ports, request, context),
    }),
  };
}

/** Below, a classifier of two classes is near chance. */
const minAccuracy = 0.65;

async function learn(
  ports: LearnPorts,
  request: RequestOf<'learn.start'>,
  { signal, progress }: HandlerContext,
): Promise<LearnReplies['learn.start']> {
  const { launcher, machine, files, dataFiles } = ports;
  const { logs, model, out, seed } = request;
  if (!out.toLowerCase().endsWith('.ply')) {
    throw refused('out', `expected a file that ends in .ply, found '${out}'`);
  }
  if (logs.includes(out)) throw refused('out', 'expected another file than the log');
  if (!request.isReplacing && (await files.exists(out))) {
    throw refused('out', `there is '${out}' already`);
  }
  checkParameters(request);
  await checkSystems(ports, { logs }, 'logs');
  await dataFiles.prepareTarget(out);
  const worker = await launcher.open({ isa: null, threads: request.threads ?? null });
  try {
    const { body: reply } = await worker.call(
      'learn.model',
      {
        logs,
        out,
        model,
        parameters: parametersOf(request),
        seed,
        memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()),
      },
      {},
      { signal, onProgress: progress },
    );
    return { ...reply, file: out, notes: notesOf(model, reply) };
  } finally {
    await worker.dispose();
  }
}

/** The floor, then one model after another, each by itself in memory. */
async function evaluate(
  ports: LearnPorts,
  { models, log, floor, seed, maxPoints, threads }: RequestOf<'learn.evaluate'>,
  { signal, progress: onProgress, chunk }: HandlerContext,
): Promise<LearnReplies['learn.evaluate']> {
  const { launcher, machine } = ports;
  const logs = floor === undefined ? [log] : [log, floor];
  await checkSystems(ports, { models, logs }, 'log');
  const worker = await launcher.open({ isa: null, threads: threads ?? null });
  const limit = (): number => memoryLimitBytes(machine.availableMemoryBytes());
  const options = { signal, onProgress };
  try {
    const both = { logs, memoryLimitBytes: limit() };
    const compared = (await worker.call('log.compare', both, {}, options)).body;
    const { hitsDetected, missesDetected, sweepM, cloudM, bhattacharyya } = compared;
    const evaluated: LearnReplies['learn.evaluate']['models'] = [];
    for (const [index, file] of models.entries()) {
      const request = { model: file, log, seed, maxPoints, memoryLimitBytes: limit() };
      const { body, columns } = await worker.call('learn.evaluate', request, {}, options);
      evaluated.push({ ...body, file });
      if (maxPoints > 0) await chunk({ model: index }, columns);
    }
    const ofReality = { hitsDetected, missesDetected, sweepM, cloudM, bhattacharyya };
    return { log, models: evaluated, floor: { ...ofReality, log: floor ?? null } };
  } finally {
    await worker.dispose();
  }
}

function parametersOf({ preset, parameters }: RequestOf<'learn.start'>): LearnParameters {
  const basis = learnPresets[preset];
  return {
    volume: { ...basis.volume, ...given(parameters.volume) },
    surface: { ...basis.surface, ...given(parameters.surface) },
    classifier: { ...basis.classifier, ...given(parameters.classifier) },
  };
}

/** @throws 'bad-input' for each parameter that the kind does not use: it would change nothing */
function checkParameters({ model, parameters }: RequestOf<'learn.start'>): void {
  const problems = Object.entries(parameters).flatMap(([part, values]) => {
    // Why the cast: Object.entries loses the names.
    const used = fieldsOfKinds([model], part as ParameterPart);
    const unused = Object.keys(given(values)).filter((name) => !used.has(name));
    return unused.map((name) => {
      const path = `parameters.${part}.${name}`;
      return { path, code: 'custom', message: `expected a parameter that '${model}' uses` };
    });
  });
  if (problems.length === 0) return;
  throw new UnderstoryError('bad-input', 'the model cannot be learned', { problems });
}

/** The fields that are not undefined. */
function given<T extends object>(
  fields: T | undefined,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function notesOf(model: RequestOf<'learn.start'>['model'], reply: LearnReply): string[] {
  const isPermeable = model !== 'surface' && model !== 'nearest-neighbors';
  const notes: string[] = [];
  if (isPermeable && !reply.knowsMisses) {
    notes.push(
      'a log lacks the beams of its source without a return: what they passed does not count, and permeability is too low where there is sky behind',
    );
  }
  if (reply.parameters['noiseReturns'] === 0) {
    notes.push(
      'no flat patch has enough returns to learn the noise of surfaces from: 0.015 m and 0.0014 m are assumed (Browning 2012)',
    );
  }
  notes.push(...notesOfLoss(reply));
  if (model === 'hybrid' && reply.parameters['labelledCells'] === 0) {
    notes.push('the logs have no labels: the given parameters separate surfaces from volumes');
  }
  const accuracy = reply.parameters['classifierAccuracy'];
  const isChance = typeof accuracy === 'number' && accuracy < minAccuracy;
  if (model === 'hybrid' && reply.parameters['labelledCells'] !== 0 && isChance) {
    notes.push(
      `the classifier is right in ${(100 * accuracy).toFixed(0)} % of the labelled cells, half of them by chance: surfaces and volumes are hardly separated (--no-labels takes the given parameters)`,
    );
  }
  return notes;
}

/** Losses: returns of the logs that are not in the model. */
function notesOfLoss({ parameters, returns }: LearnReply): string[] {
  const notes: string[] = [];
  const numberOf = (name: string): number => {
    const value = parameters[name];
    return typeof value === 'number' ? value : 0;
  };
  const lost = numberOf('returnsWithoutPart');
  if (lost > 0) {
    const share = ((100 * lost) / returns).toFixed(lost / returns < 0.001 ? 3 : 1);
    notes.push(
      `${countText(lost)} returns (${share} %) have no element, triangle or point, and beams pass there: too few lie beside each other (more beams, larger voxels or a smaller --min-points), or more than a million voxels from the first pose of the log (make a log of each place)`,
    );
  }
  const beyond = numberOf('returnsBeyondRange');
  if (beyond > 0) {
    notes.push(
      `${countText(beyond)} returns lie beyond the maximum range that their log states: no beam of the model reaches them (log import --max-range)`,
    );
  }
  const bright = numberOf('brightReturns');
  if (bright > 0) {
    notes.push(
      `${countText(bright)} returns are so much brighter than the white wall of their log (log import --white) that no model holds it: they have the greatest reflectance of a model`,
    );
  }
  const cores = numberOf('opaqueCores');
  if (cores > 0) {
    const passes = (100 * numberOf('opaqueCorePassed')).toFixed(0);
    const place = ['X', 'Y', 'Z'].map((axis) =>
      numberOf(`opaqueCoreMaxPassedAt${axis}M`).toFixed(2),
    );
    notes.push(
      `${countText(cores)} elements or triangles are opaque in their middle, but ${passes} % of the beams that end there pass in the model, most through the one at ${place.join(', ')} m: what is narrower, such as a pole, a trunk or a board, comes out permeable, because beams pass beside it (add such objects to the scene as meshes), and so do plants that hardly any beam passes`,
    );
  }
  return notes;
}

function refused(path: string, message: string): UnderstoryError {
  return new UnderstoryError('bad-input', 'the model cannot be learned', {
    problems: [{ path, code: 'custom', message }],
  });
}
