// The command lines that do what the Learn page does.
import type { RequestInputOf } from '#contract/host/methods.ts';
import { commandLine } from '#renderer/logic/commandLine.ts';

export function importCommand(request: RequestInputOf<'log.import'>): string {
  const { source, out, sensor, trajectory, azimuthDeg, rangeM, body, fromS, toS } = request;
  const { cloud, poses, frame, returns, crs } = request;
  const box = body === undefined || body === 'vehicle' ? undefined : body.flat().join(',');
  return commandLine(['log', 'import', source], {
    out,
    force: request.isReplacing === true,
    sensor,
    cloud,
    poses,
    trajectory,
    frame,
    inverse: request.isInverse === true,
    'no-infer-misses': request.infersMisses === false,
    returns: returns === 'strongest' ? undefined : returns,
    azimuth: azimuthDeg?.join(','),
    range: rangeM?.join(','),
    body: body === 'vehicle' ? true : box,
    from: fromS,
    to: toS,
    crs,
    'max-range': request.maxM,
    white: request.intensityOfWhite,
  });
}

/** `--set` once for each parameter that differs from the preset. */
export function learnCommand(request: RequestInputOf<'learn.start'>): string {
  const { logs, model, out, preset, parameters = {}, seed, isReplacing } = request;
  const sets = Object.entries(parameters).flatMap(([part, values]) =>
    Object.entries(values ?? {}).map(([name, value]) => `${part}.${name}=${String(value)}`),
  );
  const line = commandLine(['learn', ...logs], {
    model,
    out,
    preset: preset === 'browning-2012' ? undefined : preset,
    seed: seed === 1 ? undefined : seed,
    force: isReplacing === true,
  });
  return [line, ...sets.map((set) => `--set ${set}`)].join(' ');
}

/** The scenario that the model is added to, or a new one along the log. */
export function addModelCommand({
  model,
  out,
  scenario,
  log,
}: {
  model: string;
  out: string;
  scenario?: string | undefined;
  log?: string | undefined;
}): string {
  return commandLine(['scenario', 'add-model', model], { to: scenario, log, out });
}

export function evaluateCommand(models: readonly string[], log: string): string {
  return commandLine(['learn', 'evaluate', ...models], { log });
}

/** The ranges of a log's beams, and of models, at a place. */
export function rangesCommand({
  log,
  models,
  placeM,
  radiusM,
  windowM,
}: RequestInputOf<'learn.place'>): string {
  const at = placeM.map((value) => Number(value.toFixed(3))).join(',');
  return commandLine(['log', 'ranges', log, ...models], { at, radius: radiusM, window: windowM });
}

export function showLogCommand(log: string): string {
  return commandLine(['log', 'show', log], {});
}
