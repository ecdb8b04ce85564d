// Goodin 2018, section 3.4.3 and figure 8: a small potted shrub, 8 m away, seen by a HDL-64E from 91 places
// on a quarter circle. Its ranges are broad and have two modes, foliage and trunk.
import type { Pose } from '#contract/run.ts';
import type { ShrubFigures } from '#contract/validation.ts';
import { binCentre, histogramOf, modesOf, type Histogram } from '#domain/metrics/histogram.ts';
import { radians } from '#domain/maths/numbers.ts';
import { rotationFromDegrees } from '#domain/maths/pose.ts';
import type { BenchScene, ValidationBench } from './bench.ts';
import { atLeast, atMost, equal } from './criteria.ts';
import type { Chart, Experiment, Picture, Section, Table } from './experiment.ts';
import { stands } from './trajectories.ts';

const distanceM = 8;
const sensorHeightM = 1.6;
const places = 91;
const rotationHz = 5;
const rotationNs = 1e9 / rotationHz;
const binM = 0.02;
/** Two modes: this far apart, the valley at most this share of the lower, which is no scatter of a tail. */
const rule = { apart: 0.1, valleyShare: 0.8, leastShare: 0.2 };
/** Share of the returns about a mode that are of its kind. */
const purity = 0.8;
/** Of other individuals of the same plant, beside the one that scenes use. */
const otherSeeds = [2, 3];
/** A trunk and stems this thin are met by no ray. */
const vanishingM = 1e-6;

export const shrub: Experiment = {
  name: 'shrub',
  title: 'Shrub',
  async run(bench, { isQuick, onProgress }) {
    const scene = await sceneOf(bench);
    await bench.build(scene);
    const picture = await rendering(bench);
    const returns = await scanAround(bench, scene);
    onProgress(0.3);
    const bare = withoutStems(scene);
    await bench.build(bare);
    const leavesAlone = await scanAround(bench, bare);
    onProgress(0.6);
    const others: Individual[] = [];
    for (const seed of isQuick ? [] : otherSeeds) {
      const other = individual(scene, seed);
      await bench.build(other);
      others.push({ seed, found: findingsOf(await scanAround(bench, other)) });
    }
    return sectionOf(returns, leavesAlone, others, picture);
  },
};

/** Materials as in the sample scenarios. */
async function sceneOf(bench: ValidationBench): Promise<BenchScene> {
  return bench.scene(
    {
      materials: {
        soil: { reflectance: 0.25, colour: '#8b7a62' },
        leaf: { reflectance: 0.5, colour: '#3f7a2e' },
        bark: { reflectance: 0.3, colour: '#6b5138' },
      },
      models: { shrub: { kind: 'plant', plant: 'potted-shrub' } },
      ground: { kind: 'plane', sizeM: [60, 60], material: 'soil' },
      instances: [{ name: 'shrub', model: 'shrub', positionM: [0, 0, 0] }],
    },
    1,
  );
}

/** Another plant of the same file. */
function individual({ recipe, heights }: BenchScene, seed: number): BenchScene {
  const models = recipe.models.map((model) =>
    model.source.kind === 'plant' ? { ...model, source: { ...model.source, seed } } : model,
  );
  return { recipe: { ...recipe, models }, heights };
}

/** The same leaves in the same places; what bore them is too thin to be met. */
function withoutStems({ recipe, heights }: BenchScene): BenchScene {
  const models = recipe.models.map((model) => {
    const { source } = model;
    if (source.kind !== 'plant' || source.plant.generator !== 'shrub') return model;
    const trunk = { ...source.plant.trunk, radiusM: vanishingM };
    const plant = { ...source.plant, trunk, stemRadiusM: vanishingM };
    return { ...model, source: { ...source, plant } };
  });
  return { recipe: { ...recipe, models }, heights };
}

interface Returns {
  rangesM: Float64Array;
  /** Of each return: a leaf, or wood. */
  isLeaf: boolean[];
}

/** What the shrub itself returned; n-th rotation from the n-th place. */
async function scanAround(bench: ValidationBench, { recipe }: BenchScene): Promise<Returns> {
  const sensor = await bench.sensor('hdl-64e', { rateHz: rotationHz });
  const leaf = recipe.materials.findIndex(({ name }) => name === 'leaf');
  const id = recipe.instances.find(({ name }) => name === 'shrub')?.id;
  const rangesM: number[] = [];
  const isLeaf: boolean[] = [];
  await bench.scanEach(
    {
      sensor,
      trajectory: stands(quarterCircle(), rotationNs),
      toNs: places * rotationNs,
      seed: 1,
      columns: ['range_m', 'object_id', 'material_id'],
    },
    (columns) => {
      for (const [row, object] of columns.object_id.entries()) {
        if (object !== id) continue;
        rangesM.push(columns.range_m[row] ?? Number.NaN);
        isLeaf.push(columns.material_id[row] === leaf);
      }
    },
  );
  return { rangesM: Float64Array.from(rangesM), isLeaf };
}

/** One degree apart, facing the shrub, which stands at the origin. */
function quarterCircle(): Pose[] {
  return Array.from({ length: places }, (_, degree) => {
    const [cosine, sine] = [Math.cos(radians(degree)), Math.sin(radians(degree))];
    return {
      positionM: [-distanceM * cosine, -distanceM * sine, sensorHeightM],
      rotation: rotationFromDegrees(degree, 0, 0),
    };
  });
}

function rendering(bench: ValidationBench): Promise<Picture> {
  return bench.render(
    {
      positionM: [-2.2, 0, 0.8],
      yawRad: 0,
      pitchRad: 0.12,
      verticalFovRad: 0.62,
      widthPx: 420,
      heightPx: 480,
      samplesPerPixel: 16,
    },
    'The shrub (asset potted-shrub), 1.02 m high',
  );
}

/** The bins about a mode in which at least half as many lie, and what they hold. */
interface ModeContent {
  fromM: number;
  toM: number;
  leafShare: number;
}

function contentOf(mode: number, histogram: Histogram, returns: Returns): ModeContent {
  const { counts, from, width } = histogram;
  const half = (counts[mode] ?? 0) / 2;
  let [first, last] = [mode, mode];
  while ((counts[first - 1] ?? 0) >= half && first > 0) first -= 1;
  while ((counts[last + 1] ?? 0) >= half) last += 1;
  const [fromM, toM] = [from + first * width, from + (last + 1) * width];
  let [leaves, all] = [0, 0];
  for (const [row, rangeM] of returns.rangesM.entries()) {
    if (rangeM < fromM || rangeM >= toM) continue;
    all += 1;
    if (returns.isLeaf[row] === true) leaves += 1;
  }
  return { fromM, toM, leafShare: leaves / all };
}

/** Share of the returns of one kind that lie on its mode's side of the valley. */
function sideShare({ rangesM, isLeaf }: Returns, ofLeaves: boolean, valleyM: number): number {
  const own = rangesM.filter((_, row) => isLeaf[row] === ofLeaves);
  return own.filter((rangeM) => rangeM < valleyM === ofLeaves).length / own.length;
}

interface Findings {
  modesM: number[];
  valleyRatio: number;
  /** At the nearer mode. */
  leafShare: number;
  /** At the farther mode. */
  woodShare: number;
  /** On their mode's side of the valley. */
  leafSideShare: number;
  woodSideShare: number;
}

interface Individual {
  seed: number;
  found: Findings;
}

/** Shares are 0 where there is one mode only. */
function findingsOf(returns: Returns): Findings {
  const histogram = histogramOf(returns.rangesM, binM);
  const { bins, valleyBin, valleyRatio } = modesOf(histogram, rule);
  const modesM = bins.map((bin) => Number(binCentre(histogram, bin).toFixed(3)));
  const none = { leafShare: 0, woodShare: 0, leafSideShare: 0, woodSideShare: 0 };
  const [nearer, farther] = bins.map((bin) => contentOf(bin, histogram, returns));
  if (valleyBin === null || nearer === undefined || farther === undefined) {
    return { modesM, valleyRatio, ...none };
  }
  const valleyM = binCentre(histogram, valleyBin);
  return {
    modesM,
    valleyRatio,
    leafShare: nearer.leafShare,
    woodShare: 1 - farther.leafShare,
    leafSideShare: sideShare(returns, true, valleyM),
    woodSideShare: sideShare(returns, false, valleyM),
  };
}

function sectionOf(
  returns: Returns,
  leavesAlone: Returns,
  others: readonly Individual[],
  picture: Picture,
): Section {
  const found = findingsOf(returns);
  const { modesM, valleyRatio } = found;
  const alone = modesOf(histogramOf(leavesAlone.rangesM, binM), rule);
  const apartM = (modesM[1] ?? Number.NaN) - (modesM[0] ?? Number.NaN);
  const figures: ShrubFigures = {
    returns: returns.rangesM.length,
    modesM,
    valleyRatio,
    unimodalWithoutStems: alone.bins.length === 1,
  };
  return {
    paper: [
      'Goodin 2018, section 3.4.3 (figure 8, after a field test with a HDL-64E): a small potted shrub at 8 m, one rotation at 5 Hz from each of 91 places on a quarter circle, 1° apart. The distribution of all ranges from the shrub is broad, since the object is extended, and has two modes, some returns being from the trunk and others from the foliage.',
    ],
    ours: [
      `The shrub that scenes use (asset potted-shrub) on bare soil; the sensor (asset hdl-64e) stands ${sensorHeightM} m above the ground, so that ranges slant. ${figures.returns} ranges came from the shrub, about ${Math.round(figures.returns / places)} from each place.`,
      `A mode is the highest bin of 2 cm, and another with at least ${rule.leastShare * 100} % of its count, at least ${rule.apart} m away, with a valley between of at most ${rule.valleyShare * 100} % of the lower one. Modes at ${modesM.map((modeM) => modeM.toFixed(2)).join(' and ')} m; the valley has ${(valleyRatio * 100).toFixed(0)} % of the lower one. By ground truth the material that each return came from is known: the nearer mode is foliage, the farther one trunk and stems. Without trunk and stems, the same leaves give ${alone.bins.length === 1 ? 'one mode' : 'two modes'}.`,
    ],
    charts: [
      chartOf('Ranges from the shrub, 91 places', returns, modesM),
      chartOf('The same without trunk and stems', leavesAlone, []),
    ],
    pictures: [picture],
    tables: others.length > 0 ? [individualsTable([{ seed: 1, found }, ...others])] : [],
    criteria: [
      equal('modes of the histogram', modesM.length, 2),
      atLeast('distance of the modes', apartM, rule.apart, 'm'),
      atMost('valley over the lower mode', valleyRatio, rule.valleyShare),
      atLeast('share of foliage at the nearer mode', found.leafShare, purity),
      atLeast('share of trunk and stems at the farther mode', found.woodShare, purity),
      atLeast("share of foliage on its mode's side", found.leafSideShare, purity),
      atLeast("share of wood on its mode's side", found.woodSideShare, purity),
      equal('modes without trunk and stems', alone.bins.length, 1),
    ],
    figures: { shrub: figures },
  };
}

function individualsTable(individuals: readonly Individual[]): Table {
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  return {
    title: 'Individuals of the same plant',
    columns: [
      'seed of the plant',
      'modes (m)',
      'valley',
      'foliage at the nearer',
      'wood at the farther',
      'foliage on its side',
      'wood on its side',
    ],
    rows: individuals.map(({ seed, found }) => [
      String(seed),
      found.modesM.map((modeM) => modeM.toFixed(2)).join(' and '),
      percent(found.valleyRatio),
      percent(found.leafShare),
      percent(found.woodShare),
      percent(found.leafSideShare),
      percent(found.woodSideShare),
    ]),
    caption:
      "Seed 1 is the asset as scenes use it, and decides. How sharp the trunk's mode is depends on how the trunk bends: where its ranges spread, more of the leaves at the crown's rim lie among them.",
  };
}

function chartOf(title: string, returns: Returns, modesM: readonly number[]): Chart {
  const all = histogramOf(returns.rangesM, binM);
  const bars = (name: string, colour: string, isWanted: (row: number) => boolean) => {
    const part = histogramOf(
      returns.rangesM.filter((_, row) => isWanted(row)),
      binM,
    );
    const data = part.counts.map((count, bin): [number, number] => [binCentre(part, bin), count]);
    return { name, kind: 'bars' as const, widthX: binM, colour, data };
  };
  const wood = bars('trunk and stems', '#8a5a2b', (row) => returns.isLeaf[row] !== true);
  return {
    title,
    x: { name: 'range', unit: 'm', from: 7.7, to: 8.4 },
    y: { name: 'returns in 2 cm', unit: '' },
    series: [
      {
        name: 'all returns',
        kind: 'line',
        colour: '#333333',
        data: all.counts.map((count, bin) => [binCentre(all, bin), count]),
      },
      bars('foliage', '#4f8a3c', (row) => returns.isLeaf[row] === true),
      ...(wood.data.length > 0 ? [wood] : []),
    ],
    marks: modesM.map((at, n) => ({ axis: 'x', at, label: n === 0 ? 'foliage' : 'trunk' })),
    caption: `${returns.rangesM.length} returns; by material, as ground truth has it.`,
  };
}
