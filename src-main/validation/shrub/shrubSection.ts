// What the experiment on shrubs has to show: histograms, criteria, individuals.
import type { ShrubMetrics } from '#contract/host/validation.ts';
import { binCentre, histogramOf, modesOf } from '#domain/metrics/histogram.ts';
import { atLeast, atMost, equal } from '../criteria.ts';
import type { Picture, Section, Table, TitledChart } from '../section.ts';
import { binM, findingsOf, rule, type Individual } from './shrubModes.ts';
import { places, sensorHeightM, type ShrubReturns } from './shrubScene.ts';

/** Share of the returns about a mode that are of its kind. */
const purity = 0.8;

/** The section, from the shrub's returns, those of its leaves without stems, and other plants of its kind. */
export function shrubSection(
  returns: ShrubReturns,
  leavesAlone: ShrubReturns,
  others: readonly Individual[],
  picture: Picture,
): Section {
  const found = findingsOf(returns);
  const { modesM, valleyRatio } = found;
  const alone = modesOf(histogramOf(leavesAlone.rangesM, binM), rule);
  const apartM = (modesM[1] ?? Number.NaN) - (modesM[0] ?? Number.NaN);
  const metrics: ShrubMetrics = {
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
      `The shrub that scenes use (asset potted-shrub) on bare soil; the sensor (asset hdl-64e-goodin2018) is ${sensorHeightM} m above the ground, so that ranges slant. ${metrics.returns} ranges came from the shrub, about ${Math.round(metrics.returns / places)} from each place.`,
      `A mode is the highest bin of 2 cm, and another with at least ${rule.minShare * 100} % of its count, at least ${rule.apart} m away, with a valley between of at most ${rule.valleyShare * 100} % of the lower one. Modes at ${modesM.map((modeM) => modeM.toFixed(2)).join(' and ')} m; the valley has ${(valleyRatio * 100).toFixed(0)} % of the lower one. By ground truth the material that each return came from is known: the nearer mode is foliage, the farther one trunk and stems. Without trunk and stems, the same leaves give ${alone.bins.length === 1 ? 'one mode' : 'two modes'}.`,
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
    metrics: { shrub: metrics },
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
    marks: modesM.map((at, n) => ({ axis: 'x', at, label: n === 0 ? 'foliage' : 'trunk' })),
    caption: `${returns.rangesM.length} returns; by material, as ground truth has it.`,
  };
}
