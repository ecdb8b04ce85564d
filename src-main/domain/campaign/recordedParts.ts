// Parts of a recording that are not simulated: runs of equal identity may be recorded in different forms.
// Pure.
import type { CompiledScenario } from '#contract/host/run.ts';
import { recordsMisses, recordsTruth, type Scenario } from '#contract/documents/scenario.ts';
import type { Driver, LaserScanChoice } from '#contract/documents/sensor.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';

/** The choices of a scenario and its sensors about their recording. */
export interface RecordedParts {
  recording: NonNullable<Scenario['recording']>;
  /** Fields of the clouds of each sensor; null: the default. */
  drivers: (Driver | null)[];
  /** LaserScans of each sensor; null: none. */
  laserScans: (LaserScanChoice | null)[];
}

export function recordedPartsOf({
  scenario,
  sensors,
}: Pick<CompiledScenario, 'scenario' | 'sensors'>): RecordedParts {
  return {
    recording: scenario.recording ?? {},
    drivers: sensors.map(({ driver }) => driver ?? null),
    laserScans: sensors.map(({ laserScan }) => laserScan ?? null),
  };
}

/**
 * Whether a recording with `stored` has all that one with `asked` would: ground truth and misses may be more, all else
 * is equal.
 */
export function includesParts(stored: RecordedParts, asked: RecordedParts): boolean {
  if (recordsTruth(asked) && !recordsTruth(stored)) return false;
  if (recordsMisses(asked) && !recordsMisses(stored)) return false;
  return formOf(stored) === formOf(asked);
}

function formOf({ recording, drivers, laserScans }: RecordedParts): string {
  const { epoch, organised } = recording;
  return canonicalJson({ epoch, isOrganised: organised === true, drivers, laserScans });
}
