// Requests of a form about a drive: one for each sensor that is compared, all alike but for it.
import { field, items } from '#contract/documents/unknownData.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';

export type NumberField = number | '';
export type PlaceField = [NumberField, NumberField];

/** Choices of the form; the address of an external planner is the command line's (`drive --planner`). */
const formControls = ['autonomy', 'hand'] as const;

export interface DriveForm {
  scenario: string;
  /** '': the scenario's own, all on one vehicle. */
  sensors: string[];
  seed: NumberField;
  startM: PlaceField;
  goalM: PlaceField;
  control: (typeof formControls)[number];
  /** '': as fast as it can; by hand real time. */
  speed: NumberField;
  seconds: NumberField;
  /** Pulses without an echo are recorded, too: for logs. */
  recordsMisses: boolean;
}

/** As `drive --misses` has it. */
const missesSetting = 'recording.misses=true';

export const maxCompared = 4;
/** Sensors of figure 10 of Goodin 2018, in its order: as built. */
export const builtSensors = ['lms-291', 'vlp-16', 'hdl-32e', 'hdl-64e'] as const;
/** The same as the paper models them. */
export const paperSensors = [
  'lms-291-goodin2018',
  'vlp-16-goodin2018',
  'hdl-32e-goodin2018',
  'hdl-64e-goodin2018',
] as const;

export function emptyForm(): DriveForm {
  return {
    scenario: '',
    sensors: [''],
    seed: 1,
    startM: ['', ''],
    goalM: ['', ''],
    control: 'autonomy',
    speed: '',
    seconds: '',
    recordsMisses: false,
  };
}

/** The requests, in the order of the sensors; duplicates are requested once. */
export function requestsOf(form: DriveForm): RequestInputOf<'drive.start'>[] {
  const { scenario, seed, seconds, speed, control } = form;
  const [startM, goalM] = [placeOf(form.startM), placeOf(form.goalM)];
  return [...new Set(form.sensors)].map((sensor) => ({
    scenario,
    ...(sensor !== '' && { sensor }),
    ...(seed !== '' && { seed }),
    ...(seconds !== '' && { seconds }),
    ...(startM && { startM }),
    ...(goalM && { goalM }),
    ...(speed !== '' && { speed }),
    ...(control === 'hand' && { control }),
    ...(form.recordsMisses && { settings: [missesSetting] }),
  }));
}

/** Fields that may be wrong, in their order on screen. */
export const driveFields = [
  ...(['scenario', 'sensor', 'goalM', 'startM', 'speed', 'seed', 'seconds'] as const),
] as const;
export type DriveField = (typeof driveFields)[number];
export type FieldProblems = Partial<Record<DriveField, string | undefined>>;

/** As the contract has it (quantities.ts). */
const greatestSeed = 2 ** 32 - 1;

/** Problems before the host is asked. `unreadable`: fields that hold no number. */
export function formProblems(form: DriveForm, unreadable: ReadonlySet<string>): FieldProblems {
  const { seed, seconds, goalM, startM } = form;
  const problems: FieldProblems = {};
  for (const [field, place] of [
    ['goalM', goalM],
    ['startM', startM],
  ] as const) {
    if (place.filter((one) => one === '').length === 1)
      problems[field] = 'enter x and y, or neither';
  }
  if (seed !== '' && !(Number.isInteger(seed) && seed >= 0 && seed <= greatestSeed)) {
    problems.seed = 'a whole number from 0 to 4294967295';
  }
  if (seconds !== '' && !(seconds > 0)) problems.seconds = 'more than 0 s, or empty';
  for (const field of driveFields) if (unreadable.has(field)) problems[field] = 'not a number';
  return problems;
}

/** A form as it was stored; invalid fields take their defaults, one by one. */
export function storedForm(stored: unknown): DriveForm {
  const form = emptyForm();
  const [scenario, sensors] = [field(stored, 'scenario'), items(field(stored, 'sensors'))];
  if (typeof scenario === 'string') form.scenario = scenario;
  if (sensors.length > 0 && sensors.length <= maxCompared) {
    form.sensors = sensors.map(String);
  }
  for (const name of ['seed', 'speed', 'seconds'] as const) {
    const value = field(stored, name);
    if (isNumberField(value)) form[name] = value;
  }
  for (const name of ['startM', 'goalM'] as const) {
    const [x, y] = items(field(stored, name));
    if (isNumberField(x) && isNumberField(y)) form[name] = [x, y];
  }
  const control = field(stored, 'control');
  form.recordsMisses = field(stored, 'recordsMisses') === true;
  form.control = formControls.find((one) => one === control) ?? form.control;
  return form;
}

function isNumberField(value: unknown): value is NumberField {
  return value === '' || (typeof value === 'number' && Number.isFinite(value));
}

function placeOf([x, y]: PlaceField): [number, number] | null {
  return x === '' || y === '' ? null : [x, y];
}
