// Whether the times of points fit the stamps of their clouds: times that cannot be right are refused with field, unit and
// factor, and noted where the request states the unit.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { haveOneTime, timeFault } from '#domain/log/pointTimes.ts';
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';

/** Notes about the times. @throws UnderstoryError 'bad-input' */
export function checkTimes(
  { traits }: Pick<LogSourceReader, 'traits'>,
  clouds: readonly SourceCloud[],
  { timeUnit }: Pick<RequestOf<'log.import'>, 'timeUnit'>,
): string[] {
  const field = clouds.find(({ timeField }) => timeField !== null)?.timeField ?? null;
  // Points of the world have no clouds with stamps.
  if (field === null || traits.isWorld) return [];
  const fault = timeFault(clouds, field);
  const name = `'${field.name}' (${field.unit})`;
  if (fault === null) {
    const isOne = clouds.length > 1 && haveOneTime(clouds);
    return isOne ? [`all points of a cloud have one time in ${name}`] : [];
  }
  const found = `the times of points in ${name} ${fault.found} (factor ${Number(fault.factor.toPrecision(2))})`;
  if (timeUnit !== undefined) return [found];
  const remedies = [
    ...(fault.unit === null ? [] : [`--time-unit ${fault.unit} fits`]),
    '--time-field none uses the stamps of the clouds alone',
    `--time-unit ${field.unit} takes the times as they are`,
  ];
  const message = `expected times that fit the clouds; ${found}: ${remedies.join(', ')}`;
  throw badInput('timeUnit', message, { title: 'the times of points cannot be right' });
}
