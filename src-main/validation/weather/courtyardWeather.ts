// The courtyard in each weather: what a LIDAR on the same path loses and what it makes up, and the cost maps of drives.
import { UnderstoryError } from '#contract/errors.ts';
import { airKinds } from '#contract/worker/weatherRecipe.ts';
import { compose } from '#domain/shared/pose.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { ValidationBench } from '../bench.ts';
import type { Drive } from '../benchDrive.ts';
import { costMapPicture } from '../courtyard/costMapPicture.ts';
import { above, equal } from '../criteria.ts';
import type { Experiment } from '../experiment.ts';
import { section, type Section } from '../section.ts';
import { throughPoses } from '../trajectories.ts';

const samples = [
  'courtyard',
  'courtyard-rain',
  'courtyard-snow',
  'courtyard-fog',
  'courtyard-dust',
];
const [fullSeconds, quickSeconds] = [10, 1];
/** The last of the drive, 0.1 s each: that many are scanned again. */
const scannedTicks = 3;

interface Counts {
  pulses: number;
  /** Pulses of which a surface returned. */
  surfaces: Set<number>;
  /** Pulses of which something in the air returned. */
  inAir: Set<number>;
}

interface Found extends Counts {
  sample: string;
  name: string;
  drive: Drive;
  seenCells: number;
}

export const courtyardWeather: Experiment = {
  name: 'courtyard-weather',
  title: 'Courtyard in rain, snow, fog and dust',
  async run(bench, { isQuick, onProgress }) {
    const seconds = isQuick ? quickSeconds : fullSeconds;
    const found: Found[] = [];
    let path: Trajectory | undefined;
    for (const sample of samples) {
      const scenario = await bench.scenario(sample);
      const drive = await bench.drive(scenario, seconds);
      path ??= pathOf(drive, scenario);
      await bench.build({ recipe: scenario.compiled.recipe, heights: scenario.heights });
      const counts = await count(bench, scenario, path, seconds);
      const seenCells = drive.cost.filter((cost) => cost !== 255).length;
      found.push({ sample, name: scenario.compiled.scenario.name, drive, seenCells, ...counts });
      onProgress(found.length / samples.length);
    }
    return sectionOf(found, seconds);
  },
};

/** The path of the sensor. */
function pathOf({ ticks }: Drive, scenario: LoadedScenario): Trajectory {
  const { mount } = sensorOf(scenario);
  return throughPoses(ticks.map(({ timeNs, truth }) => ({ timeNs, pose: compose(truth, mount) })));
}

function sensorOf({ compiled }: LoadedScenario) {
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  return sensor;
}

async function count(
  bench: ValidationBench,
  scenario: LoadedScenario,
  trajectory: Trajectory,
  seconds: number,
): Promise<Counts> {
  const { compiled } = scenario;
  const toNs = Math.round(seconds * 1e9);
  const { columns, result } = await bench.scan({
    sensor: sensorOf(scenario).recipe,
    trajectory,
    fromNs: toNs - scannedTicks * 100_000_000,
    toNs,
    seed: compiled.scenario.seed,
    columns: ['pulse', 'class_id'],
  });
  const ofAir = airKinds.map((kind) => compiled.recipe.classes.indexOf(kind));
  const noise = compiled.recipe.classes.indexOf('noise');
  const counts: Counts = { pulses: result.pulses, surfaces: new Set(), inAir: new Set() };
  for (const [row, classId] of columns.class_id.entries()) {
    const pulse = Number(columns.pulse[row]);
    if (ofAir.includes(classId)) counts.inAir.add(pulse);
    else if (classId !== noise) counts.surfaces.add(pulse);
  }
  return counts;
}

function sectionOf(found: readonly Found[], seconds: number): Section {
  const [clear] = found;
  if (clear === undefined) throw new UnderstoryError('internal', 'no courtyard was driven');
  const lostOf = ({ surfaces }: Found): number =>
    [...clear.surfaces].filter((pulse) => !surfaces.has(pulse)).length;
  const percent = (count: number): string => `${((100 * count) / clear.pulses).toFixed(2)} %`;
  return section({
    paper: ['Goodin 2018, section 4: dust, snow, rain and fog are future work.'],
    ours: [
      `The courtyard and its samples in weather, VLP-16. Each is driven for ${seconds} s on a map of its own scans; the last ${scannedTicks} ticks of the clear drive are then scanned in each weather, along one path. Lost: pulses of which a surface returned in clear air and returns no more. Made up: pulses of which a drop, a flake or a medium returned.`,
    ],
    pictures: found.map(({ name, drive }) =>
      costMapPicture(
        drive,
        `${name}, ${seconds} s`,
        'Black: cost 0, white: 100, dark blue: not seen; orange: the driven path. 200 × 200 m, north is up.',
      ),
    ),
    tables: [
      {
        title: 'Pulses that are lost and made up',
        columns: ['scene', 'pulses', 'of surfaces', 'lost', 'made up', 'cells of the map seen'],
        rows: found.map((each) => [
          each.name,
          String(each.pulses),
          percent(each.surfaces.size),
          percent(lostOf(each)),
          percent(each.inAir.size),
          String(each.seenCells),
        ]),
        caption: 'Shares of all pulses. The sensor reports the strongest echo alone.',
      },
    ],
    criteria: [
      equal('pulses of which air returns, on a clear day', clear.inAir.size, 0),
      ...found
        .slice(1)
        .flatMap((each) => [
          above(`${each.name}: pulses of surfaces that are lost`, lostOf(each), 0),
          above(`${each.name}: pulses that are made up`, each.inAir.size, 0),
        ]),
    ],
  });
}
