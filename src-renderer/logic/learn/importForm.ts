// The form by which a run or a file becomes a log.
import type { RequestInputOf } from '#contract/host/methods.ts';

type NumberField = number | '';

export interface ImportForm {
  kind: 'run' | 'file';
  runId: string;
  /** Of a run with several sensors; '': not chosen. */
  sensor: string;
  file: string;
  trajectory: string;
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

export function emptyImportForm(): ImportForm {
  return {
    kind: 'run',
    runId: '',
    sensor: '',
    file: '',
    trajectory: '',
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
  if (form.out !== '' && !/\.log$/i.test(form.out.trim())) problems['out'] = 'expected .log';
  return problems;
}

/** `proposed`: the log that is written where none is named. */
export function importRequestOf(form: ImportForm, proposed: string): RequestInputOf<'log.import'> {
  const { kind, sensor, trajectory, fromS, toS } = form;
  const azimuthDeg = pairOf(form.azimuthFrom, form.azimuthTo);
  const rangeM = pairOf(form.rangeFrom, form.rangeTo);
  const isRun = kind === 'run';
  const box = isRun ? null : boxOf(form.box);
  return {
    source: isRun ? form.runId : form.file.trim(),
    out: form.out.trim() === '' ? proposed : form.out.trim(),
    ...(isRun && sensor !== '' && { sensor }),
    ...(!isRun && trajectory.trim() !== '' && { trajectory: trajectory.trim() }),
    ...(azimuthDeg && { azimuthDeg }),
    ...(rangeM && { rangeM }),
    ...(fromS !== '' && { fromS }),
    ...(toS !== '' && { toS }),
    ...(isRun && form.cutsVehicle && { body: 'vehicle' as const }),
    ...(box && { body: box }),
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
