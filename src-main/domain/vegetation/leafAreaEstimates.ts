// Leaf area density of a voxel, one-sided, from the beams through it (PHYSICS.md, 2.14): contact frequency, maximum
// likelihood of free paths, Beer and Lambert.
import {
  estimatorNames,
  type EstimateReplies,
  type EstimatorErrors,
  type EstimatorName,
} from '#contract/host/estimateMethods.ts';
import type { BeamSums } from './beamSums.ts';

/** One-sided leaf area, m² in 1 m³; NaN: not known. */
export interface DensityEstimate {
  density: number;
  /** As for independent beams; without a hit as if there were one. */
  standardError: number;
}

const unknown: DensityEstimate = { density: NaN, standardError: NaN };

/** All NaN where fewer than `minBeams` entered the voxel. */
export function leafAreaEstimates(
  sums: BeamSums,
  minBeams: number,
): Record<EstimatorName, DensityEstimate> {
  if (sums.beams < minBeams || !(sums.freeM > 0)) {
    return { contact: unknown, likelihood: unknown, beerLambert: unknown };
  }
  const { beams, hits, freeM, effectiveM, hitEffectiveM, potentialM } = sums;
  const deviation = hits === 0 ? 1 : Math.sqrt(hits);
  return {
    contact: { density: hits / freeM, standardError: deviation / freeM },
    likelihood: {
      // Pimont 2018: less the bias of a ratio, Σ zₑ of the hits over (Σ zₑ)².
      density: hits / effectiveM - hitEffectiveM / effectiveM ** 2,
      standardError: deviation / effectiveM,
    },
    beerLambert: beerLambert(hits / beams, beams, deviation, potentialM),
  };
}

/** Not known where no beam passes. */
function beerLambert(
  share: number,
  beams: number,
  deviation: number,
  potentialM: number,
): DensityEstimate {
  if (share >= 1) return unknown;
  const meanM = potentialM / beams;
  return {
    density: -Math.log1p(-share) / meanM,
    standardError: deviation / beams / Math.sqrt(1 - share) / meanM,
  };
}

/** A voxel as a file has it. Densities are in m² in 1 m³; NaN: not known. */
export interface LeafAreaRow extends Record<EstimatorName, DensityEstimate> {
  /** Beams whose line crosses it; `beams` of them reach it. */
  lines: number;
  beams: number;
  hits: number;
  pathM: number;
  /** Share of the lines through it, by length, that no beam reaches; NaN: there are no lines. */
  occludedShare: number;
  lineM: number;
  truth: number;
}

export function leafAreaRow(sums: BeamSums, minBeams: number, truth: number): LeafAreaRow {
  const { lines, beams, hits, pathM, lineM } = sums;
  const occludedShare = lineM > 0 ? Math.max(0, 1 - pathM / lineM) : NaN;
  return {
    lines,
    beams,
    hits,
    pathM,
    lineM,
    occludedShare,
    truth,
    ...leafAreaEstimates(sums, minBeams),
  };
}

/** Totals over all voxels, and errors of estimators where the truth is known. */
export interface EstimateSums {
  add(row: LeafAreaRow): void;
  totals(hasTruth: boolean): EstimateTotals;
}
export type EstimateTotals = Pick<
  EstimateReplies['log.estimate'],
  'voxels' | 'occludedShare' | 'leafAreaM2' | 'errors'
>;

export function createEstimateSums(voxelM: number): EstimateSums {
  const voxels = { known: 0, fewBeams: 0, occluded: 0, unseen: 0 };
  const each = { contact: noSums(), likelihood: noSums(), beerLambert: noSums() };
  let [pathM, lineM] = [0, 0];
  return {
    add(row) {
      voxels[kindOf(row)] += 1;
      pathM += row.pathM;
      lineM += row.lineM;
      for (const name of estimatorNames) addVoxel(each[name], row[name].density, row.truth);
    },
    totals: (hasTruth) => {
      const areaOf = (name: EstimatorName): number => each[name].density * voxelM ** 3;
      return {
        voxels: { ...voxels },
        occludedShare: lineM > 0 ? 1 - pathM / lineM : null,
        leafAreaM2: {
          contact: areaOf('contact'),
          likelihood: areaOf('likelihood'),
          beerLambert: areaOf('beerLambert'),
        },
        errors: hasTruth
          ? {
              contact: errorsOf(each.contact),
              likelihood: errorsOf(each.likelihood),
              beerLambert: errorsOf(each.beerLambert),
            }
          : null,
      };
    },
  };
}

function kindOf({ lineM, beams, contact }: LeafAreaRow): keyof EstimateTotals['voxels'] {
  if (!(lineM > 0)) return 'unseen';
  if (beams === 0) return 'occluded';
  return Number.isNaN(contact.density) ? 'fewBeams' : 'known';
}

interface VoxelErrorSums {
  voxels: number;
  density: number;
  truth: number;
  squares: number;
}

function noSums(): VoxelErrorSums {
  return { voxels: 0, density: 0, truth: 0, squares: 0 };
}

function addVoxel(sums: VoxelErrorSums, density: number, truth: number): void {
  if (Number.isNaN(density)) return;
  sums.voxels += 1;
  sums.density += density;
  sums.truth += truth;
  sums.squares += (density - truth) ** 2;
}

function errorsOf({ voxels, density, truth, squares }: VoxelErrorSums): EstimatorErrors {
  const rmse = voxels > 0 ? Math.sqrt(squares / voxels) : null;
  return {
    voxels,
    relativeBias: truth > 0 ? density / truth - 1 : null,
    rmse,
    relativeRmse: rmse !== null && truth > 0 ? (rmse * voxels) / truth : null,
  };
}
