// The plan of a campaign: an ordered list of runs, from the file alone. Pure and deterministic: the same file gives the
// same list on every machine.
//
// Order, from slow to fast: seeds, scenarios, points of the design, sensors. Why: the first runs cover the whole design
// with one seed each, and neighbours share a scene.
import type { AxisValue, Campaign } from '#contract/documents/campaign.ts';
import type { CampaignAxisSummary } from '#contract/host/campaignMethods.ts';
import { pointsOf } from './design.ts';

export interface PlannedRun {
  /** Place in the plan, from 0. */
  index: number;
  /** As the campaign names it. */
  scenario: string;
  /** In place of the scenario's own sensors; null: those. */
  sensor: string | null;
  /** As `--set` takes them, in the order of the axes. */
  settings: string[];
  seed: number;
  /** Which of the seeds, from 0. */
  replicate: number;
  /** By axis. */
  values: Record<string, AxisValue>;
}

/** Every run of a campaign, in plan order. */
export function planRuns(campaign: Campaign): PlannedRun[] {
  const { scenarios, sensors = [null], vary, save } = campaign;
  const names = Object.keys(vary);
  const paths = Object.values(vary).map(({ set }) => (typeof set === 'string' ? [set] : set));
  const always = save.truth ? [] : ['recording.truth=false'];
  const points = pointsOf(campaign).map((point) => ({
    values: Object.fromEntries(point.map((value, axis) => [names[axis] ?? '', value])),
    settings: [
      ...point.flatMap((value, axis) =>
        (paths[axis] ?? []).map((path) => settingText(path, value)),
      ),
      ...always,
    ],
  }));
  const runs: PlannedRun[] = [];
  for (const [replicate, seed] of seedsOf(campaign).entries()) {
    for (const scenario of scenarios) {
      for (const { values, settings } of points) {
        for (const sensor of sensors) {
          runs.push({ index: runs.length, scenario, sensor, settings, seed, replicate, values });
        }
      }
    }
  }
  return runs;
}

/** The seeds of every combination. */
function seedsOf({ seeds, replicates = 1 }: Campaign): number[] {
  return seeds ?? Array.from({ length: replicates }, (_, index) => index + 1);
}

/** One setting: JSON is YAML, so that texts such as 'on' stay texts. */
export function settingText(path: string, value: AxisValue): string {
  return `${path}=${JSON.stringify(value)}`;
}

/** The axes of a plan, those of the file first, then scenario, sensor and seed. */
export function axesOf(campaign: Campaign, runs: readonly PlannedRun[]): CampaignAxisSummary[] {
  const { vary, scenarios, sensors = [] } = campaign;
  const own = Object.entries(vary).map(([name, axis]): CampaignAxisSummary => {
    const kind = 'values' in axis ? 'values' : 'range' in axis ? 'range' : 'normal';
    return summary(name, kind, differentValues(runs, name));
  });
  return [
    ...own,
    ...(scenarios.length > 1 ? [summary('scenario', 'scenario', scenarios)] : []),
    ...(sensors.length > 0 ? [summary('sensor', 'sensor', sensors)] : []),
    summary('seed', 'seed', seedsOf(campaign)),
  ];
}

/** Maximum number of values in a summary. */
const maxValues = 1000;

function summary(
  name: string,
  kind: CampaignAxisSummary['kind'],
  values: readonly AxisValue[],
): CampaignAxisSummary {
  return { name, kind, count: values.length, values: values.slice(0, maxValues) };
}

function differentValues(runs: readonly PlannedRun[], axis: string): AxisValue[] {
  return [...new Set(runs.map(({ values }) => values[axis] ?? null))];
}
