// Metrics as rows of tables, for the terminal and for pages: as a whole, by class and by range.
import type { EvaluationFloor } from '#contract/host/learnMethods.ts';
import type { EvaluateReply, PairMetrics } from '#contract/worker/evaluate.ts';
import { countText } from '#domain/shared/formats.ts';
import { metricText, metricTitle, type LearnedMetricName } from '#domain/shared/learnedMetrics.ts';
import type { TableColumn } from '../table.ts';

/** Metrics of a model, or of reality against itself. */
export type MetricRow = Partial<
  Omit<EvaluateReply, 'model' | 'classes' | 'ranges' | 'histograms'>
> & { name: string };

export interface GroupRow extends Partial<PairMetrics> {
  /** Name of the group. */
  name: string;
  model: string;
}

type Named = EvaluateReply & { name: string };

/** One a model, then the floor. */
export function metricRows(models: readonly Named[], floor: EvaluationFloor): MetricRow[] {
  const { log, ...metrics } = floor;
  return [...models, { ...metrics, name: log === null ? 'floor: sweeps' : 'floor: second log' }];
}

export const metricColumns: readonly TableColumn<MetricRow>[] = [
  { title: 'model', value: ({ name }) => name },
  { title: 'elements', value: (row) => sizeText(row), align: 'right' },
  metricColumn('hitsDetected'),
  metricColumn('missesDetected'),
  metricColumn('behind'),
  metricColumn('sweepM'),
  metricColumn('cloudM'),
  metricColumn('negLogL'),
  metricColumn('bhattacharyya'),
  metricColumn('underSampled'),
];

/** Why there is no Bhattacharyya distance in some of the rows; null: all have one. */
export function bhattacharyyaNote(rows: readonly MetricRow[]): string | null {
  if (rows.every(({ bhattacharyya }) => typeof bhattacharyya === 'number')) return null;
  return 'Bhattacharyya –: the sensor moved (a column of 0.09° needs 20 beams in the mean), or the histograms share nothing';
}

/** Meaning of the Bhattacharyya distance of two logs and its floor, or the reason why there is none. */
export function comparedBhattacharyyaNote(bhattacharyya: number | null): string {
  return (
    bhattacharyyaNote([{ name: '', bhattacharyya }]) ??
    'Bhattacharyya: −ln Σ√(p·q) of range histograms by laser, 0.09° and 2 mm; 0: equal. Its floor: two logs of one law that fills K bins of a column differ by about (K − 1)/8·(1/n + 1/m), with n and m beams in it'
  );
}

/** Group by group, one row a model. */
export function groupRows(
  models: readonly Pick<Named, 'name' | 'classes' | 'ranges'>[],
  groups: 'classes' | 'ranges',
): GroupRow[] {
  const rows = models.flatMap(({ name: model, classes, ranges }) =>
    groups === 'classes'
      ? classes.map((group) => ({ ...group, name: group.name ?? 'no return', model }))
      : ranges.map((group) => ({ ...group, name: rangeName(group), model })),
  );
  const names = [...new Set(rows.map(({ name }) => name))];
  return names.flatMap((name) => rows.filter((row) => row.name === name));
}

export const groupColumns: readonly TableColumn<GroupRow>[] = [
  { title: 'group', value: ({ name }) => name, maxLength: 40 },
  { title: 'model', value: ({ model }) => model },
  metricColumn('beams'),
  metricColumn('hitsDetected'),
  metricColumn('missesDetected'),
  metricColumn('cloudM'),
  metricColumn('negLogL'),
  metricColumn('underSampled'),
];

function rangeName({ fromM, toM }: { fromM: number; toM: number | null }): string {
  return toM === null ? `from ${fromM} m` : `${fromM} to ${toM} m`;
}

function sizeText({ elements, triangles, points }: MetricRow): string {
  const parts = [
    [elements, 'g'],
    [triangles, 't'],
    [points, 'pt'],
  ] as const;
  return parts
    .flatMap(([count = 0, unit]) => (count > 0 ? [`${countText(count)} ${unit}`] : []))
    .join(' + ');
}

function metricColumn<Name extends LearnedMetricName>(
  name: Name,
): TableColumn<{ [K in Name]?: number | null }> {
  return {
    title: metricTitle(name),
    value: (row) => metricText(name, row[name]),
    align: 'right',
  };
}
