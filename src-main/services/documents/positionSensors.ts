// The sensor at each position of a survey: that of the scenario or the request, with the head of the position.
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import { withHead } from '#contract/documents/scan/scanPattern.ts';
import type { Survey } from '#contract/documents/survey.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { problem } from './documentFiles.ts';
import type { SensorSource } from './rig.ts';

type Position = Extract<Survey, { kind: 'positions' }>['positions'][number];

const headFields = ['headFromDeg', 'headToDeg', 'headStepDeg'] as const;

/**
 * The compiled sensor of each position, in their order; problems at their paths in the scenario.
 * @param seconds of positions that have none of their own; left out: those take the time of one scan
 */
export function positionSensors(
  { positions, seconds }: { positions: readonly Position[]; seconds?: number | undefined },
  source: SensorSource,
): Parsed<SensorRecipe[]> {
  const problems: Problem[] = [];
  const recipes: SensorRecipe[] = [];
  for (const [index, position] of positions.entries()) {
    const at = (field: string): string => formatPath(['survey', 'positions', index, field]);
    const { value, problems: found } = sensorOf(position, source, at);
    problems.push(...found);
    if (value === null) continue;
    recipes.push(value);
    const hasTime = (position.seconds ?? seconds) !== undefined;
    if (hasTime || traitsOf(value.scan).lines !== null) continue;
    const message = `expected seconds here or in the survey: the scans of sensor '${value.id}' are no panoramas`;
    problems.push({ ...problem(at('seconds'), message), code: 'missing' });
  }
  return problems.length > 0 ? { value: null, problems } : { value: recipes, problems: [] };
}

function sensorOf(
  position: Position,
  { sensor, settings, recipe }: SensorSource,
  at: (field: string) => string,
): Parsed<SensorRecipe> {
  const given = headFields.filter((field) => position[field] !== undefined);
  const [first] = given;
  if (first === undefined) return { value: recipe, problems: [] };
  const scan = withHead(sensor.scan, position);
  if (scan === null) {
    const message = `expected only with a panorama, found sensor '${sensor.id}' of kind ${sensor.scan.kind}`;
    return { value: null, problems: [problem(at(first), message)] };
  }
  const { value, problems } = compileSensor({ ...sensor, scan }, settings);
  if (value !== null) return { value, problems: [] };
  const moved = problems.map((found) => {
    const field = given.find((name) => found.path === `scan.${name}`) ?? first;
    return { ...found, path: at(field) };
  });
  return { value: null, problems: moved };
}
