// The experiments that are made of pieces: closed forms of receiver and surfaces, BlenSor, invariants, learned models. A
// new piece is a line here.
import { backfold } from './blensor/backfold.ts';
import { gate } from './blensor/gate.ts';
import { laserBias } from './blensor/laserBias.ts';
import { mirrorPattern } from './blensor/mirrorPattern.ts';
import { totalReflection } from './blensor/totalReflection.ts';
import { twelveFields } from './blensor/twelveFields.ts';
import { metricsOf } from './closedForm.ts';
import { bodies } from './invariants/bodies.ts';
import { boxSample } from './invariants/boxSample.ts';
import { echoes, edges, emptyPulses } from './invariants/echoes.ts';
import { expectedValues } from './invariants/expectedValues.ts';
import { air, falloff, wallPowers } from './invariants/falloff.ts';
import { identity } from './invariants/identity.ts';
import { moments } from './invariants/moments.ts';
import { nineRays } from './invariants/nineRays.ts';
import { learningForms } from './learned/forms/learningForms.ts';
import { metricForms } from './learned/forms/metricForms.ts';
import { sceneForms } from './learned/forms/sceneForms.ts';
import { piecesExperiment, type Piece } from './parts.ts';
import { passingBodies, turningBodies } from './motion/movingScans.ts';
import { swayingPlants } from './motion/sway.ts';
import { fallingDrops } from './weather/fallingDrops.ts';
import { media } from './weather/media.ts';
import { raisedDust } from './weather/wheelDust.ts';
import { directions, mirrorSpot, rollingScan } from './receiver/aim.ts';
import { airLaws } from './receiver/airLaws.ts';
import { detectionLimit, echoShape } from './receiver/detection.ts';
import { grazingPlanes } from './receiver/grazingPlanes.ts';
import { dualReturns, minimumRange, returnModes } from './receiver/modes.ts';
import { panorama } from './receiver/panorama.ts';
import { rangeNoise, steps } from './receiver/rangeErrors.ts';
import { dropOuts, falseAlarms, intensityErrors } from './receiver/returnErrors.ts';
import { waveform } from './receiver/waveform.ts';
import { diffuse } from './surfaces/diffuse.ts';
import { gapFraction, mirrorImage, retroReflector, spectra } from './surfaces/materials.ts';
import { individuals } from './stands.ts';
import { opticsSample } from './surfaces/opticsSample.ts';
import { transparent } from './surfaces/transparent.ts';
import { leavesOfPulses, voxelSlabs } from './voxels.ts';
import { voxelsOfMesh } from './voxelsOfMesh.ts';
import { plantTruth } from './truth/plants.ts';
import { plotTruth } from './truth/plots.ts';

/** Light that each kind of surface sends back, lets through and turns aside (PHYSICS.md, 1.2 and 4.11). */
const ofSurfaces = [
  diffuse,
  retroReflector,
  mirrorImage,
  gapFraction,
  transparent,
  spectra,
  opticsSample,
];

/** Return modes, noise laws, steps, air, waveform and range limits (PHYSICS.md, 1.3, 1.8, 2.3 and 4.12). */
const ofReceiver = [
  returnModes,
  dualReturns,
  grazingPlanes,
  detectionLimit,
  falseAlarms,
  echoShape,
  minimumRange,
  rangeNoise,
  directions,
  mirrorSpot,
  dropOuts,
  steps,
  intensityErrors,
  rollingScan,
  panorama,
  airLaws,
  waveform,
];

/** Rain, snow, fog, smoke and dust (PHYSICS.md, 2.8 and 4.17). */
const ofWeather = [media, fallingDrops, raisedDust];

/** Scenes with motions and wind (PHYSICS.md, 2.7, 2.9 and 4.16). */
const ofMotion = [turningBodies, passingBodies, swayingPlants];

/** Voxel models (PHYSICS.md, 2.11). */
const ofVoxels = [voxelSlabs, leavesOfPulses, voxelsOfMesh];
/** Measures of plants, voxels and plots (PHYSICS.md, 2.13 and 4.20). */
const ofTruth = [plantTruth, plotTruth];

const ofBlensor = [gate, backfold, totalReflection, mirrorPattern, laserBias, twelveFields];

/** Statements on beam, echoes, power, air, noise and bytes that hold in every scene (PHYSICS.md, 1 and 4.1). */
const ofInvariants = [
  moments,
  bodies,
  boxSample,
  nineRays,
  expectedValues,
  edges,
  echoes,
  falloff,
  wallPowers,
  air,
  emptyPulses,
  identity,
];

/** The pieces that catch mutants. */
export const checks = [
  ...ofSurfaces,
  ...ofReceiver,
  ...ofMotion,
  individuals,
  ...ofWeather,
  ...ofVoxels,
  ...ofTruth,
  ...ofBlensor,
  ...ofInvariants,
].filter(({ catches = [] }: Piece) => catches.length > 0);

export const surfaces = piecesExperiment({
  name: 'surfaces',
  title: 'Surfaces',
  paper: [
    'Each kind of surface follows its published law: Lambert 1760 (ρ·cos θ), Oren and Nayar 1994 (eq. 30), mirrors by total reflection (Gschwandtner 2011, section 3.5), retro-reflectors and gap fractions as PHYSICS.md 1.2 states them.',
    'The expected values are found by another route than the code takes: distances for angles, integrals over a sphere, mirrored scenes, products over sheets.',
  ],
  pieces: ofSurfaces,
  metrics: (forms) => ({ surfaces: metricsOf(forms) }),
});

export const receiver = piecesExperiment({
  name: 'receiver',
  title: 'Receiver',
  paper: [
    'Modes, averaging window and shares: Goodin 2018, section 3.2.3. Noise: σ² = σ0² + (σa·sin θ/cos² θ)² (Deschaud 2012) with terms by range and signal, a bias for each laser (Gschwandtner 2011, eq. 2), normal pointing errors, independent drop-outs. Detection limits, false alarms and errors of intensities: ours. Air: Kruse 1962, Kim 2001, Carbonneau and Wisely 1998. Waveform: Gaussian pulses; two maxima are two echoes where their sum halves between them, from a distance of 3.3 σ on.',
  ],
  pieces: ofReceiver,
  metrics: (forms) => ({ receiver: metricsOf(forms) }),
});

export const motion = piecesExperiment({
  name: 'motion',
  title: 'Motion',
  paper: [
    'Each pulse meets the world at its own time (Gschwandtner 2011, section 4, scans animated scenes frame by frame). A body that moves keeps its shape, turns evenly between steps of 2 ms, and is met where its motion has it at the time of the pulse.',
  ],
  pieces: ofMotion,
  metrics: (forms) => ({ motion: metricsOf(forms) }),
});

export const voxels = piecesExperiment({
  name: 'voxels',
  title: 'Voxel models',
  paper: [
    'Leaves of a density λ let exp(−GλL) of the rays pass (Monsi and Saeki 1953), G the mean projection of their angles (Ross 1981); free paths are exponential, and a leaf is met in proportion to its projected area.',
  ],
  pieces: ofVoxels,
  metrics: (forms) => ({ voxels: metricsOf(forms) }),
});

export const stands = piecesExperiment({
  name: 'stands',
  title: 'Stands',
  paper: [
    'An individual of a species has the height that Näslund 1936 gives its diameter, and crown and leaf area by laws of its species (PHYSICS.md, 2.12; values recalled).',
  ],
  pieces: [individuals],
  metrics: (forms) => ({ stands: metricsOf(forms) }),
});

export const weather = piecesExperiment({
  name: 'weather',
  title: 'Weather',
  paper: [
    'Dust, snow, rain and fog are future work of Goodin 2018. Drops by size: Marshall and Palmer 1948; flakes: Gunn and Marshall 1958; fog: Kim 2001. What drops, flakes and media send back is one signal with that of the surfaces.',
  ],
  pieces: ofWeather,
  metrics: (forms) => ({ weather: metricsOf(forms) }),
});

export const truth = piecesExperiment({
  name: 'truth',
  title: 'Truth of plants',
  paper: [
    'Leaf area index by gap fractions: Miller 1967, 2·∫ −ln P(θ)·cos θ·sin θ dθ. Clumping: Nilson 1971, P(θ) = exp(−Ω·G(θ)·L/cos θ).',
    'Leaf area is one-sided; areas of voxels are those of triangles cut at their planes.',
  ],
  pieces: ofTruth,
  metrics: (forms) => ({ truth: metricsOf(forms) }),
});

export const blensor = piecesExperiment({
  name: 'blensor',
  title: 'BlenSor: gate, folds, mirrors, errors, ground truth',
  paper: [
    'Gschwandtner 2011, equation 1 and figure 2b: a HDL-64E S2 sees any surface that reflects up to 50 m; from there to 120 m the least reflectance grows from 10 % to 80 %.',
    'Equation 3 and figure 2a: a time-of-flight camera reports what lies beyond half of its greatest range as that much nearer.',
    'Section 3.5 and figure 2c: total reflection. The mirror itself returns nothing; what is seen in it is reported along the original direction at the length of the whole path, to a set depth.',
    'Section 3.3 and figure 3: emitters above each other on a rotating mirror; as it turns, the line of their beams tilts, until at 90° they lie side by side.',
    'Equation 2: each laser has a bias besides the noise of each ray; two of 64 lasers may differ by up to 12 cm on one plane.',
    'Section 4: ground truth of twelve fields: time, yaw, pitch, distance, noisy distance, clean point, noisy point, object.',
  ],
  pieces: ofBlensor,
  metrics: () => ({}),
});

export const invariants = piecesExperiment({
  name: 'invariants',
  title: 'Invariants',
  paper: [
    'Σw = 1, the centroid of a beam on its axis, its second moment as stated (PHYSICS.md, 1.1). A target that fills the spot falls as R⁻², a wire across it as R⁻³, a patch smaller than it as R⁻⁴. A miss of the centre ray drops nothing; echoes within the range resolution merge, beyond it they do not; nothing returns where nothing was hit; one seed gives the same bytes on any number of threads.',
    'Box, wall, sphere: range, intensity and share of the beam in closed form, ray by ray, to 1e-4.',
  ],
  pieces: ofInvariants,
  metrics: (_, criteria) => ({ invariants: criteria }),
});

export const learnedClosedForms = piecesExperiment({
  name: 'learned-closed-forms',
  title: 'Learned models: closed forms',
  paper: [
    'Permeability is N_m/(N_h + N_m); a beam passes what it pierces with the product of permeabilities; ranges follow the mixture of what it meets (Browning 2012, sections 3.3 and 5.4).',
    'The expected values come from laws of the logs that were written: planes with normal noise, free paths in a homogeneous medium, histograms and clouds with known distances.',
  ],
  pieces: [metricForms, learningForms, sceneForms],
  metrics: (forms, criteria) => ({
    learned: {
      closedForms: [
        ...forms.map(({ name, measured, expected, tolerance, pass }) => ({
          name,
          value: measured,
          expected,
          tolerance,
          pass,
        })),
        ...criteria
          .filter(({ comparison }) => comparison === 'below')
          .map(({ name, value, expected, pass }) => ({
            name,
            value,
            expected,
            tolerance: 0,
            pass,
          })),
      ],
    },
  }),
});
