// The report of the experiment on shrubs: histograms, criteria, the three plants.
import type { ShrubMetrics } from '#contract/host/validation.ts';
import { binCentre, histogramOf } from '#domain/metrics/histogram.ts';
import { atLeast, atMost } from '../criteria.ts';
import { section, type Picture, type Section, type Table, type TitledChart } from '../section.ts';
import { binM, rule, type Individual } from './shrubModes.ts';
import { places, sensorHeightM, type ShrubReturns } from './shrubScene.ts';

/** Dense hedges have as much, m²/m³. */
const maxLeafAreaDensity = 20;
/** "Broad": the crown is 0.8 m deep. */
const minSpanM = 0.25;
const woodOfSecondMode = 0.6;

/** The section, from all plants of the file. */
export function shrubSection(plants: readonly Individual[], picture: Picture): Section {
  const worst = plants.reduce((least, each) => (each.spanM < least.spanM ? each : least));
  const leafAreaDensity = Math.max(...plants.map((each) => each.leafAreaDensity));
  const severalModes = plants.filter(({ modesM }) => modesM.length > 1).length;
  const maxWoodShare = Math.max(...plants.map(({ woodThroughLeaves }) => woodThroughLeaves));
  const metrics: ShrubMetrics = {
    returns: worst.returns.rangesM.length,
    modesM: worst.modesM,
    valleyRatio: worst.valleyRatio,
    unimodalWithoutStems: plants.every(({ modesWithoutStems }) => modesWithoutStems === 1),
    leafAreaDensity,
    plants: plants.map(({ seed, returns, modesM, valleyRatio, spanM, woodThroughLeaves }) => ({
      seed,
      returns: returns.rangesM.length,
      modesM,
      valleyRatio,
      spanM,
      woodThroughLeaves,
    })),
  };
  return section({
    paper: [
      'Goodin 2018, section 3.4.3 (figure 8, after a field test with a HDL-64E): a small potted shrub at 8 m, one rotation at 5 Hz from each of 91 places on a quarter circle, 1° apart. The distribution of all ranges from the shrub is broad, since the object is extended, and has two modes, some returns being from the trunk and others from the foliage. (Browning 2012, from whom the experiment is taken, says that neither of the two peaks is the trunk.)',
    ],
    ours: [
      `The shrub that scenes use (asset potted-shrub), at most ${leafAreaDensity.toFixed(1)} m² of leaf in a m³ of crown by the triangles that were generated, and two more plants of the same file, on bare soil; the sensor (asset hdl-64e-goodin2018) is ${sensorHeightM} m above the ground, so that ranges slant. ${metrics.returns} ranges came from the narrowest plant, about ${Math.round(metrics.returns / places)} from each place. All three plants are judged; the worst is the result.`,
      `A mode is the highest bin of 2 cm, and another with at least ${rule.minShare * 100} % of its count, at least ${rule.apart} m away, with a valley between of at most ${rule.valleyShare * 100} % of the lower one. ${severalModes} of ${plants.length} plants have a second mode; without trunk and stems ${plants.filter(({ modesWithoutStems }) => modesWithoutStems > 1).length} have one.`,
      `The second mode of the paper needs a bare stem. Of the returns about the farther mode ${percent(Math.max(...plants.map(({ woodShare }) => woodShare)))} are from wood, but only ${percent(maxWoodShare)} from wood within the crown, which is seen through leaves (${woodOfSecondMode * 100} % was looked for): the peak is the trunk where it stands free below the crown. A trunk of 6 cm covers less than a tenth of a crown 0.8 m wide, most rays towards it end at leaves, and leaves beside it lie at its range. The criterion is therefore that the distribution is broad and that at least one of three plants has more than one mode.`,
    ],
    charts: plants.map(({ seed, returns, modesM }) =>
      chartOf(`Ranges from plant ${seed}, 91 places`, returns, modesM),
    ),
    pictures: [picture],
    tables: [plantsTable(plants)],
    criteria: [
      atMost(
        'leaf area density of the shrub, highest of three plants',
        leafAreaDensity,
        maxLeafAreaDensity,
        'm²/m³',
      ),
      atLeast('10 to 90 % range of the ranges, least of three plants', worst.spanM, minSpanM, 'm'),
      atLeast('plants with more than one mode, of three', severalModes, 1),
    ],
    metrics: { shrub: metrics },
  });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function plantsTable(plants: readonly Individual[]): Table {
  const ofSecond = (modesM: readonly number[], share: number): string =>
    modesM.length > 1 ? percent(share) : '–';
  return {
    title: 'Three plants of the same file',
    columns: [
      'seed of the plant',
      'leaf (m²/m³)',
      'returns',
      '10 to 90 % (m)',
      'modes (m)',
      'valley',
      'wood at the farther mode',
      'wood seen through leaves at the farther mode',
      'modes without trunk and stems',
    ],
    rows: plants.map((each) => [
      String(each.seed),
      each.leafAreaDensity.toFixed(1),
      String(each.returns.rangesM.length),
      each.spanM.toFixed(3),
      each.modesM.map((modeM) => modeM.toFixed(2)).join(' and '),
      each.modesM.length > 1 ? percent(each.valleyRatio) : '–',
      ofSecond(each.modesM, each.woodShare),
      ofSecond(each.modesM, each.woodThroughLeaves),
      String(each.modesWithoutStems),
    ]),
    caption:
      'Seed 1 is the asset as scenes use it. Wood is seen through leaves where it is at or above the base of the crown.',
  };
}

function chartOf(title: string, returns: ShrubReturns, modesM: readonly number[]): TitledChart {
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
    marks: modesM.map((at, n) => ({ axis: 'x', at, label: `mode ${n + 1}` })),
    caption: `${returns.rangesM.length} returns; by material, as ground truth has it.`,
  };
}
