// The form by which a run or a file becomes a log.
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { LogReturn } from '#contract/log/log.ts';

type NumberField = number | '';

export interface ImportForm {
  kind: 'run' | 'file';
  runId: string;
  /** The sensor, for a run with several; '': not chosen. */
  sensor: string;
  file: string;
  trajectory: string;
  /** Topics of a recording; '': the only one, or detected. */
  cloud: string;
  poses: string;
  /** Frame of the log; '': the uppermost. */
  frame: string;
  /** The poses are sensorFromWorld. */
  isInverse: boolean;
  /** Where the source leaves misses out. */
  infersMisses: boolean;
  /** The return to keep, of a pulse with several. */
  returns: LogReturn;
  /** EPSG:n or WKT of the world; '': as the source states it. */
  crs: string;
  /** The sensor's longest range, and the intensity of a white wall; '': as the source states them. */
  maxM: NumberField;
  intensityOfWhite: NumberField;
  azimuthFrom: NumberField;
  azimuthTo: NumberField;
  rangeFrom: NumberField;
  rangeTo: NumberField;
  fromS: NumberField;
  toS: NumberField;
  cutsVehicle: boolean;
  /** Two corners of a box: six numbers with commas. */
  box: string;
  /** '': as proposed. */
  out: string;
}

/** Fields of the request about what a source states, several times or not at all. */
export const sourceDetailFields = [
  'cloud',
  'poses',
  'frame',
  'returns',
  'crs',
  'maxM',
  'intensityOfWhite',
] as const;

export function emptyImportForm(): ImportForm {
  return {
    kind: 'run',
    runId: '',
    sensor: '',
    file: '',
    trajectory: '',
    cloud: '',
    poses: '',
    frame: '',
    isInverse: false,
    infersMisses: true,
    returns: 'strongest',
    crs: '',
    maxM: '',
    intensityOfWhite: '',
    azimuthFrom: '',
    azimuthTo: '',
    rangeFrom: '',
    rangeTo: '',
    fromS: '',
    toS: '',
    cutsVehicle: true,
    box: '',
    out: '',
  };
}

export function isRunSource({ kind }: ImportForm): boolean {
  return kind === 'run';
}

/** Fields that are wrong before the host is asked. */
export function importProblems(form: ImportForm): Record<string, string> {
  const problems: Record<string, string> = {};
  const pairs = [
    ['azimuthDeg', form.azimuthFrom, form.azimuthTo],
    ['rangeM', form.rangeFrom, form.rangeTo],
  ] as const;
  for (const [name, from, to] of pairs) {
    if ((from === '') !== (to === '')) problems[name] = 'enter both, or neither';
  }
  const { rangeFrom, rangeTo } = form;
  if (rangeFrom !== '' && rangeTo !== '' && rangeFrom >= rangeTo) {
    problems['rangeM'] = 'expected from below to';
  }
  if (form.kind === 'file' && form.box.trim() !== '' && boxOf(form.box) === null) {
    problems['body'] = 'expected six numbers: two corners';
  }
  if (form.kind === 'file') {
    for (const name of ['maxM', 'intensityOfWhite'] as const) {
      const value = form[name];
      if (value !== '' && value <= 0) problems[name] = 'expected above 0';
    }
  }
  if (form.out !== '' && !/\.log$/i.test(form.out.trim())) problems['out'] = 'expected .log';
  return problems;
}

/** `proposed`: the log that is written where none is named. */
export function importRequestOf(form: ImportForm, proposed: string): RequestInputOf<'log.import'> {
  const { kind, sensor, fromS, toS, returns } = form;
  const azimuthDeg = pairOf(form.azimuthFrom, form.azimuthTo);
  const rangeM = pairOf(form.rangeFrom, form.rangeTo);
  const isRun = kind === 'run';
  const box = isRun ? null : boxOf(form.box);
  return {
    source: isRun ? form.runId : form.file.trim(),
    out: form.out.trim() === '' ? proposed : form.out.trim(),
    ...(isRun && sensor !== '' && { sensor }),
    ...(!isRun && sourceDetailsOf(form)),
    ...(returns !== 'strongest' && { returns }),
    ...(!form.infersMisses && { infersMisses: false }),
    ...(azimuthDeg && { azimuthDeg }),
    ...(rangeM && { rangeM }),
    ...(fromS !== '' && { fromS }),
    ...(toS !== '' && { toS }),
    ...(isRun && form.cutsVehicle && { body: 'vehicle' as const }),
    ...(box && { body: box }),
  };
}

/** Fields that a file or folder may leave out. */
function sourceDetailsOf(form: ImportForm): Partial<RequestInputOf<'log.import'>> {
  const { isInverse, maxM, intensityOfWhite } = form;
  const texts = ['trajectory', 'cloud', 'poses', 'frame', 'crs'] as const;
  const entered = texts.map((name) => [name, form[name].trim()] as const);
  return {
    ...Object.fromEntries(entered.filter(([, text]) => text !== '')),
    ...(isInverse && { isInverse }),
    ...(maxM !== '' && { maxM }),
    ...(intensityOfWhite !== '' && { intensityOfWhite }),
  };
}

type Corner = [number, number, number];

function boxOf(text: string): [Corner, Corner] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const [a, b, c, d, e, f, ...more] = parts.map(Number);
  const all = [a, b, c, d, e, f];
  if (more.length > 0 || !all.every((one) => one !== undefined && Number.isFinite(one)))
    return null;
  return [
    [a ?? 0, b ?? 0, c ?? 0],
    [d ?? 0, e ?? 0, f ?? 0],
  ];
}

function pairOf(from: NumberField, to: NumberField): [number, number] | null {
  return from === '' || to === '' ? null : [from, to];
}
