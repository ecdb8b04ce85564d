// Runs and their scans as lines of text.
import type { Replies } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { tableLines } from './table.ts';

/** A table of runs, a line each. */
export function listLines(runs: readonly RunListItem[]): string[] {
  const metric = (of: (metrics: NonNullable<RunListItem['metrics']>) => string) => {
    return ({ metrics }: RunListItem): string => (metrics === null ? '' : of(metrics));
  };
  return tableLines(runs, [
    { title: 'run', value: ({ id }) => id },
    { title: 'started', value: ({ createdMs }) => timeText(createdMs) },
    { title: 'scenario', value: ({ scenarioName }) => scenarioName, maxLength: 40 },
    { title: 'sensors', value: ({ sensors }) => sensors.join(', ') },
    { title: 'seed', value: ({ seed }) => String(seed), align: 'right' },
    { title: 'state', value: ({ state, end }) => (end === null ? state : `${state}: ${end}`) },
    { title: 'sim s', value: ({ simSeconds }) => simSeconds?.toFixed(1) ?? '', align: 'right' },
    { title: 'points', value: ({ points }) => countOrNothing(points), align: 'right' },
    { title: 'collisions', value: metric((f) => String(f.collisions)), align: 'right' },
    { title: 'tags', value: ({ tags }) => tags.join(', ') },
  ]);
}

function countOrNothing(count: number | null): string {
  return count === null ? '' : countText(count);
}

/** The catalogue's values of a run, one name and value a line; missing values are left out. */
export function detailLines(run: RunDetails): string[] {
  const { metrics, scene } = run;
  const byName: Record<string, number | boolean | string[] | null> = { ...metrics };
  const entries: [string, string | null][] = [
    ['run', run.id],
    ['scenario', `${run.scenarioName} (${run.scenarioHash})`],
    ['state', run.end === null ? run.state : `${run.state}: ${run.end}`],
    ['error', run.error],
    ['tags', run.tags.length === 0 ? null : run.tags.join(', ')],
    ['notes', run.notes === '' ? null : run.notes],
    ['started', timeText(run.createdMs)],
    ['ended', run.endedMs === null ? null : timeText(run.endedMs)],
    ['host', run.hostName === '' ? null : run.hostName],
    [
      'origin',
      run.origin === null
        ? null
        : `${run.origin.kind} ${run.origin.file}, ${timeText(run.origin.importedMs)}, identity ${run.origin.identity}`,
    ],
    ['version', `${run.version}${run.isa === null ? '' : `, ${run.isa}`}`],
    ['seed', String(run.seed)],
    ...run.settings.map((setting): [string, string] => ['set', setting]),
    ['sensors', run.sensors.join(', ')],
    ['scene', run.sceneHash],
    [
      'triangles',
      scene === null
        ? null
        : `${countText(scene.instancedTriangles)} instanced, ${countText(scene.uniqueTriangles)} unique`,
    ],
    ['ticks, scans', `${countText(run.ticks)}, ${countText(run.scans)}`],
    ...(metrics === null && run.simSeconds !== null
      ? [
          ['simSeconds', run.simSeconds.toFixed(1)] satisfies [string, string],
          ['points', countOrNothing(run.points)] satisfies [string, string],
        ]
      : []),
    [
      'recording',
      `${run.recordingFile}${run.recordingBytes === null ? ' (none)' : ` (${bytesText(run.recordingBytes)})`}`,
    ],
    ...(metrics === null
      ? []
      : Object.entries(byName).map(([name, value]): [string, string | null] => [
          name,
          value === null ? null : metricText(value),
        ])),
  ];
  return entries
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([name, value]) => `${name.padEnd(22)}${value}`);
}

/** A table of scans, with returns by class, or those of one instance. */
export function scanLines(scans: Replies['runs.scans'], instance: string | undefined): string[] {
  return tableLines(scans, [
    { title: 'tick', value: ({ tick }) => String(tick), align: 'right' },
    { title: 'sensor', value: ({ sensor }) => String(sensor), align: 'right' },
    { title: 'from s', value: ({ fromNs }) => (fromNs / 1e9).toFixed(2), align: 'right' },
    { title: 'pulses', value: ({ pulses }) => countText(pulses), align: 'right' },
    { title: 'returns', value: ({ returns }) => countText(returns), align: 'right' },
    instance === undefined
      ? { title: 'by class', value: ({ classReturns = {} }) => classText(classReturns) }
      : {
          title: instance,
          value: ({ objectReturns = 0 }) => countText(objectReturns),
          align: 'right',
        },
    { title: 'hash', value: ({ hash }) => hash },
  ]);
}

/** Sorted by count: 'grass 1,200, ground 340'. */
function classText(classReturns: Record<string, number>): string {
  return Object.entries(classReturns)
    .filter(([, returns]) => returns > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, returns]) => `${name} ${countText(returns)}`)
    .join(', ');
}

function metricText(value: number | boolean | string[]): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'number' ? String(Number(value.toFixed(4))) : String(value);
}

/** UTC, to the second. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('T', ' ').slice(0, 19);
}
