// Goodin 2018, section 3.5.3 and figure 10: the vehicle drives itself through the courtyard with four sensors, and
// the cost maps after 10 s; with numbers for what the paper says of the pictures.
import { UnderstoryError } from '#contract/errors.ts';
import type { Criterion } from '#contract/host/validation.ts';
import { compose } from '#domain/shared/pose.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { ValidationBench } from '../bench.ts';
import type { Drive } from '../benchDrive.ts';
import { costMapPicture } from './costMapPicture.ts';
import {
  distanceEdgesM,
  findIn,
  truthOf,
  type ByDistance,
  type ClassIds,
  type Findings,
  type SeenTick,
} from './findings.ts';
import { above, atLeast, below, equal } from '../criteria.ts';
import type { Experiment } from '../experiment.ts';
import { section, type Section, type Table, type TitledChart } from '../section.ts';
import { throughPoses } from '../trajectories.ts';

/** The order of figure 10. */
const sensors = [
  'lms-291-goodin2018',
  'vlp-16-goodin2018',
  'hdl-32e-goodin2018',
  'hdl-64e-goodin2018',
] as const;
type SensorId = (typeof sensors)[number];
const quickSensors: readonly SensorId[] = ['lms-291-goodin2018', 'hdl-64e-goodin2018'];
const titles: Record<SensorId, string> = {
  'lms-291-goodin2018': 'SICK LMS-291',
  'vlp-16-goodin2018': 'Velodyne VLP-16',
  'hdl-32e-goodin2018': 'Velodyne HDL-32E',
  'hdl-64e-goodin2018': 'Velodyne HDL-64E',
};
const [fullSeconds, quickSeconds] = [10, 1];
/** Ticks that are looked at with ground truth: every fifth. */
const tickStride = 5;
/** Trees whose ranges are compared: as near as this, where both sensors see them well. */
const spreadWithinM = 40;
/** "Intermediate ranges". */
const [middleFromM, middleToM] = [20, 40];

export const courtyard: Experiment = {
  name: 'courtyard',
  title: 'Courtyard: cost maps of four sensors',
  async run(bench, { isQuick, onProgress }) {
    const chosen = isQuick ? quickSensors : sensors;
    const seconds = isQuick ? quickSeconds : fullSeconds;
    const found: Found[] = [];
    for (const sensor of chosen) {
      const scenario = await bench.scenario('courtyard', sensor);
      const drive = await bench.drive(scenario, seconds);
      if (found.length === 0) {
        await bench.build({ recipe: scenario.compiled.recipe, heights: scenario.heights });
      }
      found.push({ sensor, drive, ...(await lookAt(bench, scenario, drive)) });
      onProgress(found.length / chosen.length);
    }
    return courtyardSection(found, seconds);
  },
};

interface Found extends Findings {
  sensor: SensorId;
  drive: Drive;
}

/** The drive's own scans once more, with ground truth. */
async function lookAt(
  bench: ValidationBench,
  { compiled }: LoadedScenario,
  drive: Drive,
): Promise<Findings> {
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  const classes = classesOf(compiled.recipe.classes);
  const truth = truthOf(await bench.instances(), classes, drive.map);
  const trajectory = throughPoses(
    drive.ticks.map(({ timeNs, truth: pose }) => ({ timeNs, pose: compose(pose, sensor.mount) })),
  );
  const seen: SeenTick[] = [];
  for (let at = 1; at < drive.ticks.length; at += tickStride) {
    const [before, now] = [drive.ticks[at - 1], drive.ticks[at]];
    if (before === undefined || now === undefined) continue;
    const { columns } = await bench.scan({
      sensor: sensor.recipe,
      trajectory,
      fromNs: before.timeNs,
      toNs: now.timeNs,
      seed: compiled.scenario.seed,
      columns: ['x_m', 'y_m', 'z_m', 'range_m', 'object_id', 'class_id'],
    });
    seen.push({ vehicleM: [now.truth.positionM[0], now.truth.positionM[1]], columns });
  }
  return findIn(seen, classes, drive.map, truth);
}

function classesOf(names: readonly string[]): ClassIds {
  const indexOf = (name: string): number => {
    const index = names.indexOf(name);
    if (index < 0) throw new UnderstoryError('internal', `the courtyard has no class '${name}'`);
    return index;
  };
  return { grass: indexOf('grass'), tree: indexOf('tree') };
}

function courtyardSection(found: readonly Found[], seconds: number): Section {
  return section({
    paper: [
      'Goodin 2018, section 3.5.3 (figure 10): cost maps of 400 × 400 cells of 0.5 m after 10 simulated seconds. "The LMS-291, which produces only a horizontal slice of the environment, does not detect most of the grass—it only detects the trees. Additionally, the vegetation that is detected has less range variability within objects."',
      'The VLP-16 detects tall obstacles at intermediate ranges somewhat better than the HDL-64E, which is better at detecting smaller nearby obstacles.',
    ],
    ours: [
      `The sample courtyard (191 million instanced triangles), seed 1, the vehicle drives itself for ${seconds} s with each sensor. Cells, trees and ranges are distinguished by ground truth, in every ${tickStride}th tick of 0.1 s; distances are those of the nearest such tick. A cell has grass where a patch of grass is on its middle; a tree is found when a return comes from it.`,
    ],
    charts: [
      byDistanceChart('Cells of grass found', 'share of the cells with grass', found, shareOfGrass),
      byDistanceChart(
        'Cells with returns from trees',
        'cells',
        found,
        ({ treeCells }) => treeCells,
      ),
      spreadChart(found),
    ],
    pictures: found.map(({ sensor, drive }) =>
      costMapPicture(
        drive,
        `Figure 10: ${titles[sensor]}, ${seconds} s`,
        'Black: cost 0, white: 100, dark blue: not seen; orange: the driven path. 200 × 200 m, north is up.',
      ),
    ),
    tables: [countsTable(found), treesTable(found)],
    criteria: criteriaOf(found),
  });
}

function criteriaOf(found: readonly Found[]): Criterion[] {
  const of = (id: SensorId): Found | undefined => found.find(({ sensor }) => sensor === id);
  const [lms, vlp, hdl] = [
    of('lms-291-goodin2018'),
    of('vlp-16-goodin2018'),
    of('hdl-64e-goodin2018'),
  ];
  const criteria: Criterion[] = [];
  if (lms !== undefined && hdl !== undefined) {
    const grass = (each: Found): number => sum(each.grassCells);
    criteria.push(
      // Level at 2 m, half of 12.9 mrad wide: 1.48 m up at its 80 m, and grass is about 1 m high at most.
      equal('cells of grass that the LMS-291 finds', grass(lms), 0),
      above('cells of grass that the HDL-64E finds', grass(hdl), 0),
      atLeast(
        'trees within 40 m that the LMS-291 finds, of those there',
        sum(lms.trees.slice(0, 3)) / sum(lms.treesThere.slice(0, 3)),
        0.5,
      ),
      below(
        'spread of ranges within a tree, median: LMS-291 below HDL-64E',
        medianSpread(lms),
        medianSpread(hdl),
        'm',
      ),
    );
  }
  if (vlp !== undefined && hdl !== undefined) {
    criteria.push(
      above(
        `greatest height seen of trees at ${middleFromM} to ${middleToM} m, mean: VLP-16 above HDL-64E`,
        meanHeight(vlp),
        meanHeight(hdl),
        'm',
      ),
      above(
        'cells with returns from trees at 20 to 70 m: VLP-16 more than HDL-64E',
        sum(vlp.treeCells.slice(2, 4)),
        sum(hdl.treeCells.slice(2, 4)),
      ),
      above(
        'cells of grass found within 20 m: HDL-64E more than VLP-16',
        sum(hdl.grassCells.slice(0, 2)),
        sum(vlp.grassCells.slice(0, 2)),
      ),
    );
  }
  return criteria;
}

function medianSpread({ spreadsM }: Found): number {
  const near = spreadsM.filter(({ distanceM }) => distanceM < spreadWithinM);
  const sorted = near.map(({ spreadM }) => spreadM).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function meanHeight({ heightsM }: Found): number {
  const middle = heightsM.filter(
    ({ distanceM }) => distanceM >= middleFromM && distanceM < middleToM,
  );
  return sum(middle.map(({ heightM }) => heightM)) / middle.length;
}

function shareOfGrass({ grassCells, grassCellsThere }: ByDistance): number[] {
  return grassCells.map((count, bin) => count / (grassCellsThere[bin] ?? NaN));
}

function byDistanceChart(
  title: string,
  name: string,
  found: readonly Found[],
  of: (found: Found) => number[],
): TitledChart {
  return {
    title,
    x: { name: 'distance', unit: 'm', from: 0, to: 100 },
    y: { name, unit: '', from: 0 },
    series: found.map((each) => ({
      name: titles[each.sensor],
      kind: 'line',
      data: of(each)
        .map((value, bin): [number, number] => [
          ((distanceEdgesM[bin] ?? NaN) + (distanceEdgesM[bin + 1] ?? NaN)) / 2,
          value,
        ])
        .filter(([, value]) => Number.isFinite(value)),
    })),
    caption: `Between ${distanceEdgesM.join(', ')} m; drawn at the middles.`,
  };
}

function spreadChart(found: readonly Found[]): TitledChart {
  const shown = found.filter(
    ({ sensor }) => sensor === 'lms-291-goodin2018' || sensor === 'hdl-64e-goodin2018',
  );
  return {
    title: 'Spread of the ranges within one tree in one tick',
    x: { name: 'distance of the tree', unit: 'm', from: 0, to: 100 },
    y: { name: 'standard deviation of ranges', unit: 'm', from: 0 },
    series: shown.map(({ sensor, spreadsM }) => ({
      name: titles[sensor],
      kind: 'points',
      data: spreadsM.map(({ distanceM, spreadM }): [number, number] => [distanceM, spreadM]),
    })),
  };
}

function countsTable(found: readonly Found[]): Table {
  const bins = distanceEdgesM.slice(1).map((toM, bin) => `${distanceEdgesM[bin]}–${toM} m`);
  const shared = (count: number, there: number): string =>
    `${count} (${text((100 * count) / there, 1)} %)`;
  return {
    title: 'Cells of grass and of trees found, by distance',
    columns: ['sensor', 'of', ...bins],
    rows: found.flatMap((each) => [
      [
        titles[each.sensor],
        'cells of grass',
        ...each.grassCells.map((count, bin) => shared(count, each.grassCellsThere[bin] ?? NaN)),
      ],
      [titles[each.sensor], 'cells of trees', ...each.treeCells.map(String)],
      [
        titles[each.sensor],
        'trees',
        ...each.trees.map((count, bin) => `${count} of ${each.treesThere[bin] ?? NaN}`),
      ],
    ]),
  };
}

function treesTable(found: readonly Found[]): Table {
  return {
    title: 'Trees: spread of ranges, height seen',
    columns: [
      'sensor',
      `median spread within ${spreadWithinM} m (m)`,
      'trees and ticks',
      `mean greatest height at ${middleFromM} to ${middleToM} m (m)`,
    ],
    rows: found.map((each) => [
      titles[each.sensor],
      text(medianSpread(each), 3),
      String(each.spreadsM.filter(({ distanceM }) => distanceM < spreadWithinM).length),
      text(meanHeight(each), 2),
    ]),
    caption:
      'Spread: standard deviation of the ranges that returned from one tree in one tick of 0.1 s, at least five of them.',
  };
}

/** A dash where there was nothing to measure. */
function text(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

function sum(values: readonly number[]): number {
  return values.reduce((before, each) => before + each, 0);
}
