// Words and numbers of a run on its page. Nothing in them depends on when and where the run was simulated.
import { estimateMetrics, runMetrics, type DriveMetrics } from '#contract/host/runMetrics.ts';
import type { BundledRun } from '#contract/documents/bundle.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { countText, numberText, withMinus, withUnit } from '#domain/shared/formats.ts';
import { metricUnit, metricValue } from '#domain/shared/runMetrics.ts';
import type { DrawnRun, ListedRun } from '#services/ports/runDrawings.ts';

export interface NamedText {
  name: string;
  value: string;
}

export interface TextTable {
  title: string;
  texts: NamedText[];
}

/** How a run ended, as a sentence begins. */
const endTexts: Record<NonNullable<BundledRun['end']>, string> = {
  goal: 'Reached the goal',
  seconds: 'Ended after the set time',
  timeout: 'Timed out before the goal',
  stuck: 'Stopped: stuck',
  cancelled: 'Stopped by user',
  'host-lost': 'Ended: the host stopped',
};

/** Null: by its own planner. */
const driverTexts: Record<BundledRun['control'], string | null> = {
  autonomy: null,
  hand: 'a person',
  external: 'an external planner',
};

/** How it ended, and whether that was what was wanted. */
export function endingOf({ state, end, error }: BundledRun): { text: string; isGood: boolean } {
  const text =
    end === null
      ? `The run ${state === 'cancelled' ? 'was stopped' : `is ${state}`}`
      : endTexts[end];
  const isGood = state === 'finished' && (end === null || end === 'goal' || end === 'seconds');
  return { text: error === null ? text : `${text}: ${error}`, isGood };
}

/** The results that are shown large. */
export function mainTexts({ run }: Pick<DrawnRun, 'run'>): NamedText[] {
  return present([
    [
      runMetrics.simSeconds.title,
      run.simSeconds === null ? null : `${run.simSeconds.toFixed(1)} s`,
    ],
    [runMetrics.points.title, run.points === null ? null : countText(run.points)],
    ...(['pathLengthM', 'distanceToGoalM', 'collisions', 'meanPositionErrorM'] as const).map(
      (name) => metric(run, name),
    ),
  ]);
}

/** Everything else, by subject. */
export function textTables({ identity, run, compiled, scans }: DrawnRun): TextTable[] {
  const { scenario, recipe, sensors, scenarioHash, settings = [] } = compiled;
  const { mission } = scenario;
  const originM = originOf(scenario.scene);
  return [
    {
      title: 'Scenario',
      texts: present([
        ['Name', scenario.name],
        ['Seed', String(scenario.seed)],
        ['Settings', settings.length === 0 ? null : settings.join(', ')],
        ['Models', countText(recipe.models.length)],
        ['Placed objects', countText(recipe.instances.length)],
        ['Scatters', recipe.scatters.length === 0 ? null : countText(recipe.scatters.length)],
        ['Classes', recipe.classes.join(', ')],
        ['Start', mission === undefined ? null : placeText(mission.startM)],
        ['Goal', mission === undefined ? null : placeText(mission.goalM)],
        ['Vehicle', scenario.vehicle.name],
        ['Origin', scenario.scene.origin === undefined ? null : placeText(originM)],
        ['Reference system', scenario.scene.crs?.slice(0, 80) ?? null],
      ]),
    },
    {
      title: 'Sensors',
      texts: sensors.map(({ name, recipe: sensor, mount }) => ({
        name,
        value: [
          sensor.id,
          sensor.banks.length === 0
            ? sensor.scan.kind
            : `${countText(sensor.banks.reduce((sum, bank) => sum + bank.elevationsRad.length, 0))} lasers`,
          `${numberText(sensor.minRangeM)} to ${withUnit(sensor.maxRangeM, 'm')}`,
          `at ${placeText(mount.positionM)} on the vehicle`,
        ].join(', '),
      })),
    },
    {
      title: 'Results',
      texts: present([
        ['Scans', countText(scans)],
        ...(['pulses', 'shortestLengthM', 'groundCoverLengthM', 'plans', 'energyJ'] as const).map(
          (name) => metric(run, name),
        ),
        ...estimateMetrics.map((name) => metric(run, name)),
        ['Collided with', listed(run.metrics?.['collidedWith'])],
        ['Driven by', driverTexts[run.control]],
      ]),
    },
    {
      title: 'Simulation',
      texts: present([
        ['Understory', run.version],
        ['Instruction set', run.isa],
        ['Engine', run.engine],
        ['Scenario hash', scenarioHash],
        ['Scene hash', run.sceneHash],
        ['Identity', identity],
      ]),
    },
  ].filter(({ texts }) => texts.length > 0);
}

/** The cells of a run in a table of several. */
export function listedTexts({ run, sensors, seed }: ListedRun): NamedText[] {
  return [
    { name: 'Sensors', value: sensors.join(', ') },
    { name: 'Seed', value: String(seed) },
    { name: 'Ending', value: endingOf(run).text },
    ...mainTexts({ run }),
  ];
}

function metric({ metrics }: BundledRun, name: keyof DriveMetrics): [string, string | null] {
  const value = metricValue(name, metrics);
  const unit = metricUnit(name);
  const { scale } = runMetrics[name];
  const isWhole = scale === undefined && Number.isInteger(value);
  const text = isWhole ? `${countText(value ?? 0)} ${unit}`.trimEnd() : withUnit(value ?? 0, unit);
  return [runMetrics[name].title, value === null ? null : text];
}

function listed(value: unknown): string | null {
  return Array.isArray(value) && value.length > 0 ? value.join(', ') : null;
}

function placeText(placeM: readonly number[]): string {
  return `${placeM.map((m) => withMinus(String(Number(m.toFixed(3))))).join(', ')} m`;
}

function present(texts: readonly (readonly [string, string | null])[]): NamedText[] {
  return texts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}
