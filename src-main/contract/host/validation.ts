// The result of `understory validate`: the metrics of each experiment, every criterion, and whether all held.
// `validate.json` is a Validation without changes.
import type { LearnedKind } from '../worker/learnedModel.ts';
import type { Mutation, MutatedPath } from '../worker/mutations.ts';

/** Eight cases: distance, density, diameter. KS: Kolmogorov and Smirnov's distance, of the worst seed. */
export interface GrassStandMetrics {
  /** From the sensor to the edge of the stand. */
  distanceM: number;
  densityPerM2: number;
  diameterM: number;
  /** Independent beams of each seed. */
  beams: number;
  /** Nearest hit of a beam of many rays, to the axis of the stem, against the exact law. */
  ksExact: number;
  /** 1.95 / sqrt(beams): 0.1 %. */
  ksCritical: number;
  /** Mode `first`, default stencil, against the laws of Goodin 2018, section 3.4.1. */
  ksGamma: number;
  ksExponential: number;
  /** The law of Macedo et al., corrected: PHYSICS.md, 4.3. */
  ksMacedo: number;
  /** Most frequent range of mode `first` behind the edge of the stand, of all seeds. */
  peakM: number;
}

export interface RodsMetrics {
  /** Behind the axes of the rods. */
  backgroundM: number;
  /** Ranges strictly between rods and background. */
  mixedPixels: number;
  pulses: number;
}

/** Metrics of the plant with the narrowest distribution, and of all plants of the file. */
export interface ShrubMetrics {
  returns: number;
  /** The modes of the histogram, one or two, the nearer first. */
  modesM: number[];
  /** Count in the valley between them over that of the lower mode; 1 with one mode. */
  valleyRatio: number;
  /** True where it holds for every plant. */
  unimodalWithoutStems: boolean;
  /** One-sided, m² in 1 m³ of the crown; the densest plant. */
  leafAreaDensity: number;
  plants: {
    /** Seed of the plant. */
    seed: number;
    returns: number;
    modesM: number[];
    valleyRatio: number;
    /** From the 10th to the 90th percentile of the ranges. */
    spanM: number;
    /** Share of the returns about the farther mode that are from wood within the crown; 0 with one mode. */
    woodThroughLeaves: number;
  }[];
}

/** Share of the rays that cross a slab of leaves, for one leaf area density. */
export interface SlabMetrics {
  /** Leaf area density, one side, m² in 1 m³. */
  lad: number;
  expected: number;
  measured: number;
  /** Over independent draws of the leaves. */
  standardError: number;
}

/** Nine rays against a thousand, mode `first`, in a stand of grass; differences pulse by pulse. */
export interface ConvergenceMetrics {
  distanceM: number;
  densityPerM2: number;
  diameterM: number;
  rays: number;
  rangeBiasM: number;
  rangeSpreadM: number;
  intensityBias: number;
  intensitySpread: number;
}

/** How a value is held against what was expected. */
export type Comparison = 'within' | 'below' | 'at-most' | 'above' | 'at-least' | 'equal';

/** A criterion that decides. */
export interface Criterion {
  name: string;
  value: number;
  expected: number;
  /** Greatest difference that passes, for 'within'; otherwise 0. */
  tolerance: number;
  comparison: Comparison;
  /** SI unit, or '1'. */
  unit: string;
  pass: boolean;
}

/** A measured value beside a closed form that is found by another derivation than the simulation's own. */
export interface ClosedFormMetrics {
  name: string;
  expected: number;
  measured: number;
  /** Standard error of the measured value; 0 where nothing is random. */
  standardError: number;
  /** Greatest difference that passes. */
  tolerance: number;
  /** Source of the closed form: author, year, place; or the derivation in a phrase. */
  source: string;
  pass: boolean;
}

/** Share of the rays that pass a layer of discs, for one leaf-angle law and zenith angle of the rays. */
export interface CanopyMetrics {
  law: string;
  leafAreaIndex: number;
  discRadiusM: number;
  zenithDeg: number;
  expected: number;
  /** exp(−G·LAI/cos θ), without the correction for finite discs. */
  uncorrected: number;
  measured: number;
  standardError: number;
}

/** Estimates of leaf area density from beams through discs, over the voxels with enough beams: mean over mean truth. */
export interface EstimatorMetrics {
  law: string;
  /** m² in 1 m³ of the layer. */
  leafAreaDensity: number;
  leafSizeM: number;
  zenithDeg: number;
  voxelM: number;
  /** `ray`: one without width; `share`: of nine rays, all returns by their share; `whole`: the first as the whole beam. */
  beam: 'ray' | 'share' | 'whole';
  /** Bounds of the share of the volume of a voxel that no beam reaches. */
  occluded: [number, number];
  voxels: number;
  contact: number;
  likelihood: number;
  beerLambert: number;
  /** The value that Beer and Lambert give for lines of unequal length. */
  expectedBeerLambert: number;
  /** Root mean square of the error of maximum likelihood over its standard error: 1 for independent beams. */
  errorRatio: number;
}

export interface MutantMetrics {
  name: Mutation;
  path: Exclude<MutatedPath, 'learning' | 'mapping'>;
  /** Names of the criteria that turned red. */
  caughtBy: string[];
}

/** A closed form, or a limit with tolerance 0. */
export interface LearnedClosedForm {
  name: string;
  value: number;
  expected: number;
  tolerance: number;
  pass: boolean;
}

/** Bhattacharyya distances to the second log of a target (Browning 2012, table 3). */
export interface LearnedStaticMetrics {
  target: string;
  surface: number;
  volumetric: number;
  /** The distance between two real logs. */
  floor: number;
}

/** One model on one test line of one scene (Browning 2012, tables 4 to 9). */
export interface LearnedMobileMetrics {
  scene: string;
  /** a: the training line again; b: 4 m beside it; c: free, with random roll and pitch. */
  line: string;
  model: LearnedKind;
  /** Elements, triangles and points. */
  elements: number;
  parameters: number;
  hitsDetected: number;
  missesDetected: number;
  sweepCm: number;
  cloudCm: number;
  negLogL: number;
  underSampled: number;
  /** Hits detected of returns nearer than 10 m. */
  hitsDetectedNear: number;
  /** Hits detected of the returns of plants. */
  hitsDetectedOnPlants: number;
  /** Share of the returns of walls, cars and poles that the model has more than 0.5 m farther. */
  behindSolids: number;
}

/** Test logs: what they are, and what reality differs by from itself. */
export interface LearnedLineMetrics {
  scene: string;
  line: string;
  beams: number;
  nonReturns: number;
  trainingBeams: number;
  floorHitsDetected: number;
  floorMissesDetected: number;
  floorSweepCm: number;
  floorCloudCm: number;
}

/** A finding of the papers that is reported, not judged. */
export interface LearnedOrdering {
  scene: string;
  line: string;
  metric: string;
  expected: string;
  measured: string;
  /** Relative distance between the two, in favour of the paper where positive. */
  margin: number;
  holds: boolean;
  /** Why not, where it does not hold. */
  reason: string;
}

/** learned.json, and validate.json under `learned`. */
export interface LearnedMetrics {
  closedForms: LearnedClosedForm[];
  static: LearnedStaticMetrics[];
  mobile: LearnedMobileMetrics[];
  /** By the default rule of counting, in place of that of the papers. */
  defaultRule: LearnedMobileMetrics[];
  lines: LearnedLineMetrics[];
  voxel: { scene: string; sizeM: number; sweepCm: number; cloudCm: number }[];
  otherSensor: LearnedMobileMetrics[];
  large?: {
    returns: number;
    seconds: number;
    peakRssMB: number;
    elements: number;
    mraysPerSecond: number;
  };
  orderings: LearnedOrdering[];
}

/** The metrics by experiment; empty, or null, where an experiment was not asked for. */
export interface ValidationMetrics {
  grassStand: GrassStandMetrics[];
  rods: RodsMetrics[];
  shrub: ShrubMetrics | null;
  slab: SlabMetrics[];
  convergence: ConvergenceMetrics[];
  canopies: CanopyMetrics[];
  estimators: EstimatorMetrics[];
  surfaces: ClosedFormMetrics[];
  receiver: ClosedFormMetrics[];
  motion: ClosedFormMetrics[];
  stands: ClosedFormMetrics[];
  weather: ClosedFormMetrics[];
  voxels: ClosedFormMetrics[];
  /** The truth of plants. */
  truth: ClosedFormMetrics[];
  invariants: Criterion[];
  mutants: MutantMetrics[];
  learned: LearnedMetrics;
}

export interface Validation extends ValidationMetrics {
  /** Every criterion of every experiment. */
  criteria: (Criterion & { experiment: string })[];
  /** Names of the experiments that were carried out. */
  experiments: string[];
  isQuick: boolean;
  seeds: number[];
  version: string;
  /** Instruction set of the ray kernels. */
  isa: string;
  seconds: number;
  passed: boolean;
}
