// The cost of the stencil of nine rays: the same pulses with nine rays and with a thousand, in grass. For
// users, who choose between speed and a finer beam; without criteria.
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { ConvergenceMetrics } from '#contract/host/validation.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { GrassStand } from '#domain/metrics/grassLaws.ts';
import { mean, standardDeviation } from '#domain/shared/statistics.ts';
import type { ValidationBench } from '../bench.ts';
import type { Experiment } from '../experiment.ts';
import { section, type Section, type Table, type TitledChart } from '../section.ts';
import {
  caseName,
  grassSensor,
  passingBy,
  sparseThickStem,
  standsOf,
  stemsOf,
  wideGrassScene,
} from './grassScene.ts';

const fullBeams = 2_000;
const quickBeams = 1_000;
const reference = 1_000;
/** Beams between nine and the reference. */
const counts = [9, 25, 49, 100, 225, 484] as const;
const [curveStand] = standsOf(sparseThickStem);
const modes = ['first', 'closest', 'strongest', 'last'] as const;
type Mode = (typeof modes)[number];

export const convergence: Experiment = {
  name: 'convergence',
  title: 'Convergence: nine rays against a thousand',
  async run(bench, { isQuick, onProgress }) {
    const beams = isQuick ? quickBeams : fullBeams;
    const stems = stemsOf(isQuick);
    const cases: CaseDifferences[] = [];
    const curves: Curve[] = [];
    for (const [index, stem] of stems.entries()) {
      await bench.build(await wideGrassScene(bench, stem, beams, 1));
      for (const stand of standsOf(stem)) {
        cases.push(await differencesIn(bench, stand, beams));
      }
      if (stem === sparseThickStem) curves.push(...(await curvesIn(bench, curveStand, beams)));
      onProgress((index + 1) / stems.length);
    }
    return convergenceSection(cases, curves, beams);
  },
};

/** Mean and standard deviation of the differences of all pulses from the reference. */
interface Differences {
  rangeBiasM: number;
  rangeSpreadM: number;
  intensityBias: number;
  intensitySpread: number;
  /** Share of the pulses that the reference sees and the fewer rays miss. */
  missedShare: number;
}

interface CaseDifferences {
  stand: GrassStand;
  byMode: Map<Mode, Differences>;
}

interface Curve {
  mode: Mode;
  points: { rays: number; differences: Differences }[];
}

interface Echo {
  rangeM: number;
  intensity: number;
}

async function differencesIn(
  bench: ValidationBench,
  stand: GrassStand,
  beams: number,
): Promise<CaseDifferences> {
  const byMode = new Map<Mode, Differences>();
  for (const mode of modes) {
    const few = await echoes(bench, await grassSensor(bench, {}, mode), stand, beams);
    const many = await echoes(bench, await manyRays(bench, reference, mode), stand, beams);
    byMode.set(mode, compare(few, many));
  }
  return { stand, byMode };
}

/** How the differences shrink as rays are added. */
async function curvesIn(
  bench: ValidationBench,
  stand: GrassStand,
  beams: number,
): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const mode of modes) {
    const many = await echoes(bench, await manyRays(bench, reference, mode), stand, beams);
    const points: Curve['points'] = [];
    for (const rays of counts) {
      const few = await echoes(bench, await manyRays(bench, rays, mode), stand, beams);
      points.push({ rays, differences: compare(few, many) });
    }
    curves.push({ mode, points });
  }
  return curves;
}

function manyRays(bench: ValidationBench, count: number, mode: Mode): Promise<SensorRecipe> {
  const beam: Partial<SensorInput['beam']> = {
    stencil: 'rays',
    rays: { count, profile: 'uniform' },
  };
  return grassSensor(bench, beam, mode);
}

/** By number of the pulse. */
async function echoes(
  bench: ValidationBench,
  sensor: SensorRecipe,
  { distanceM }: GrassStand,
  beams: number,
): Promise<Map<bigint, Echo>> {
  const { columns } = await bench.scan({
    sensor,
    ...passingBy(distanceM, beams),
    seed: 1,
    columns: ['pulse', 'range_m', 'intensity'],
  });
  return new Map(
    Array.from(columns.pulse, (pulse, row) => {
      const [rangeM, intensity] = [columns.range_m[row], columns.intensity[row]];
      return [pulse, { rangeM: rangeM ?? Number.NaN, intensity: intensity ?? Number.NaN }];
    }),
  );
}

function compare(few: ReadonlyMap<bigint, Echo>, many: ReadonlyMap<bigint, Echo>): Differences {
  const ranges: number[] = [];
  const intensities: number[] = [];
  for (const [pulse, { rangeM, intensity }] of few) {
    const finer = many.get(pulse);
    if (finer === undefined) continue;
    ranges.push(rangeM - finer.rangeM);
    intensities.push(intensity - finer.intensity);
  }
  return {
    rangeBiasM: mean(ranges),
    rangeSpreadM: standardDeviation(ranges),
    intensityBias: mean(intensities),
    intensitySpread: standardDeviation(intensities),
    missedShare: 1 - ranges.length / many.size,
  };
}

function convergenceSection(
  cases: readonly CaseDifferences[],
  curves: readonly Curve[],
  beams: number,
): Section {
  return section({
    paper: [
      'Goodin 2018, section 3.2.1: nine rays sample a pulse. The paper does not say what a finer beam would change.',
    ],
    ours: [
      `The stands of grass above, ${beams} pulses each, traced with the default stencil of nine rays and with a uniform beam of ${reference} rays. Differences are taken pulse by pulse, nine less a thousand: the bias is their mean, the spread their standard deviation. In mode closest nine rays miss stems that only the edge of the spot touches, and see farther; in strongest and last the return is that of a single ray, and nine find less bright and less far ones than a thousand.`,
      'For users: ask for a beam of more rays (stencil rays) where the range of a single pulse in vegetation matters; distributions of the averaged return are already close with nine.',
    ],
    charts: [
      curveChart('Spread of the range', 'm', curves, ({ rangeSpreadM }) => rangeSpreadM),
      curveChart('Bias of the range', 'm', curves, ({ rangeBiasM }) => rangeBiasM),
      curveChart('Bias of the intensity', '', curves, ({ intensityBias }) => intensityBias),
    ],
    tables: modes.map((mode) => tableOf(mode, cases)),
    metrics: { convergence: cases.map(firstMetrics) },
  });
}

function firstMetrics({ stand, byMode }: CaseDifferences): ConvergenceMetrics {
  const { distanceM, densityPerM2, diameterM } = stand;
  const { rangeBiasM, rangeSpreadM, intensityBias, intensitySpread } = differencesOf(
    byMode,
    'first',
  );
  return {
    distanceM,
    densityPerM2,
    diameterM,
    rays: 9,
    rangeBiasM,
    rangeSpreadM,
    intensityBias,
    intensitySpread,
  };
}

function differencesOf(byMode: CaseDifferences['byMode'], mode: Mode): Differences {
  const found = byMode.get(mode);
  if (found === undefined) throw new Error(`mode ${mode} was not looked at`);
  return found;
}

function curveChart(
  title: string,
  unit: string,
  curves: readonly Curve[],
  of: (differences: Differences) => number,
): TitledChart {
  return {
    title: `${title} by rays`,
    x: { name: 'rays of a pulse', unit: '', isLog: true, from: 8, to: 600 },
    y: { name: title.toLowerCase(), unit },
    series: curves.map(({ mode, points }) => ({
      name: mode,
      kind: 'line',
      data: points.map(({ rays, differences }) => [rays, of(differences)]),
    })),
    caption: `${caseName(curveStand)}; uniform stratified beams against one of ${reference} rays.`,
  };
}

function tableOf(mode: Mode, cases: readonly CaseDifferences[]): Table {
  return {
    title: `Mode ${mode}, nine rays less a thousand`,
    columns: [
      'case',
      'range: bias (m)',
      'range: spread (m)',
      'intensity: bias',
      'intensity: spread',
      'pulses missed (%)',
    ],
    rows: cases.map(({ stand, byMode }) => {
      const each = differencesOf(byMode, mode);
      return [
        caseName(stand),
        signed(each.rangeBiasM),
        signed(each.rangeSpreadM),
        signed(each.intensityBias),
        signed(each.intensitySpread),
        (100 * each.missedShare).toFixed(2),
      ];
    }),
  };
}

function signed(value: number): string {
  const text = value.toFixed(3);
  return (Number(text) === 0 ? '0.000' : text).replace('-', '−');
}
