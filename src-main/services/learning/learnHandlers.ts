// learn.*: models of vegetation and ground from logs, by a worker that is gone afterwards.
import { UnderstoryError } from '#contract/errors.ts';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { LearnParameters, LearnReply } from '#contract/worker/learn.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';

export interface LearnPorts {
  launcher: WorkerLauncher;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  files: Pick<Files, 'exists'>;
}

/** The handlers of `learn.*` (contract/host/learnMethods.ts). */
export function learnHandlers(ports: LearnPorts): Handlers<'learn'> {
  return {
    'learn.start': async (request, context) => ({ reply: await learn(ports, request, context) }),
    'learn.evaluate': async (request, context) => ({
      reply: await evaluate(ports, request, context),
    }),
  };
}

async function learn(
  { launcher, machine, files }: LearnPorts,
  request: RequestOf<'learn.start'>,
  { signal, progress }: HandlerContext,
): Promise<LearnReplies['learn.start']> {
  const { logs, model, out, seed } = request;
  if (!out.toLowerCase().endsWith('.ply')) {
    throw refused('out', `expected a file that ends in .ply, found '${out}'`);
  }
  if (logs.includes(out)) throw refused('out', 'expected another file than the log');
  if (!request.isReplacing && (await files.exists(out))) {
    throw refused('out', `there is '${out}' already`);
  }
  const worker = await launcher.open({ isa: null, threads: request.threads ?? null });
  try {
    const reply = await worker.learn(
      {
        logs,
        out,
        model,
        parameters: parametersOf(request),
        seed,
        memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()),
      },
      { signal, onProgress: progress },
    );
    return { ...reply, file: out, notes: notesOf(model, reply) };
  } finally {
    await worker.dispose();
  }
}

/** One model after another, each by itself in memory. */
async function evaluate(
  { launcher, machine }: LearnPorts,
  { models, log, seed, threads }: RequestOf<'learn.evaluate'>,
  { signal, progress: onProgress }: HandlerContext,
): Promise<LearnReplies['learn.evaluate']> {
  const worker = await launcher.open({ isa: null, threads: threads ?? null });
  try {
    const evaluated: LearnReplies['learn.evaluate']['models'] = [];
    for (const file of models) {
      const limit = memoryLimitBytes(machine.availableMemoryBytes());
      const request = { model: file, log, seed, memoryLimitBytes: limit };
      evaluated.push({ ...(await worker.evaluate(request, { signal, onProgress })), file });
    }
    return { log, models: evaluated };
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
      'a log has no beams without a return: what they passed does not count, and permeability is too low where there is sky behind',
    );
  }
  if (reply.parameters['noiseReturns'] === 0) {
    notes.push(
      'no flat patch has enough returns to learn the noise of surfaces from: 0.015 m and 0.0014 m are assumed (Browning 2012)',
    );
  }
  if (model === 'hybrid' && reply.parameters['labelledCells'] === 0) {
    notes.push('the logs have no labels: the given parameters separate surfaces from volumes');
  }
  return notes;
}

function refused(path: string, message: string): UnderstoryError {
  return new UnderstoryError('bad-input', 'the model cannot be learned', {
    problems: [{ path, code: 'custom', message }],
  });
}
