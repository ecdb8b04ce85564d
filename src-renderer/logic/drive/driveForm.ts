// What a form about a drive says: one request for each sensor that is compared, all alike but for it.
import type { RequestInputOf } from '#contract/methods.ts';
import type { DriveControl } from '#contract/run.ts';

export type NumberField = number | '';
export type PlaceField = [NumberField, NumberField];

export interface DriveForm {
  scenario: string;
  /** '': the scenario's own, all on one vehicle. */
  sensors: string[];
  seed: NumberField;
  startM: PlaceField;
  goalM: PlaceField;
  control: DriveControl;
  /** '': as fast as it can; by hand real time. */
  speed: NumberField;
  seconds: NumberField;
}

export const mostCompared = 4;
/** Goodin 2018, figure 10, in its order. */
export const paperSensors = ['lms-291', 'vlp-16', 'hdl-32e', 'hdl-64e'] as const;

export function emptyForm(): DriveForm {
  return {
    ...{ scenario: '', sensors: [''], seed: 1, startM: ['', ''], goalM: ['', ''] },
    ...{ control: 'autonomy', speed: '', seconds: '' },
  };
}

/** The requests, in the order of the sensors; one that stands there twice is asked for once. */
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
  }));
}

/** What is wrong before anybody is asked; null: nothing. */
export function placeProblem([x, y]: PlaceField): string | undefined {
  return (x === '') === (y === '') ? undefined : 'x and y, or neither';
}

function placeOf([x, y]: PlaceField): [number, number] | null {
  return x === '' || y === '' ? null : [x, y];
}
