// Mutants: deliberate errors in the binary scanWorkerMutants (native-workers/core/mutation.h), each with its meaning.
// They show that checks of `npm run validate` and of the tests fail when they must.

/** The path of a pulse: `fast` traces packets of stencil rays, `full` every other pulse (ARCHITECTURE.md, Scan). */
type TracedPath = 'fast' | 'full';

/**
 * No paths of a pulse: `learning` learns models from logs, `growing` grows plants, `truth` measures them, `mapping` maps
 * what a vehicle sees.
 */
export type MutatedPath = TracedPath | 'learning' | 'growing' | 'truth' | 'mapping';

interface MutationMeaning<Path extends MutatedPath> {
  /** Where the error is; `fast`: in sources that no other pulse runs through. */
  path: Path;
  /** The error that it makes. */
  does: string;
}

export const mutations = {
  'stencil-off-centre': fast('the rays of a beam lie half a half-axis to the left'),
  'stencil-too-narrow': fast('rays around the axis lie at 0.94 of their distance from it'),
  'strongest-is-closest': fast("mode 'strongest' returns the closest"),
  'tie-to-the-farther': fast('of equally strong hits the farther is returned'),
  'cutoff-ignored': fast('the averaging window has no end'),
  'mean-over-all-rays': fast('weights are not normalised: rays that miss darken the mean'),
  'centre-miss-drops-pulse': fast('no return where the ray on the axis misses'),
  'share-off-by-a-ray': fast("a return's share of the beam lacks one ray"),
  'cosine-squared': fast('intensity is ρ·cos² θ for ρ·cos θ'),
  'particles-behind-surfaces': fast('drops are drawn behind the surface that ends their ray'),
  'pose-of-first-slot': fast('the pulses of 64 slots leave from the position of the first'),
  'azimuth-mirrored': fast('the head turns the other way than its azimuths say'),
  'leaf-draws-unshared': fast('each ray draws its own leaf in a voxel model'),
  'limit-without-noise': fast('what the limit may lose is always detected'),
  'middle-for-centroid': fast(
    'the range of an echo is the middle between its ends, not weighted by the signal',
  ),
  'bias-of-each-ray': full("a laser's bias is drawn for each return"),
  'noise-twice': full('noise of ranges is drawn and added twice'),
  'noise-on-empty-pulses': full('a pulse that met nothing returns noise'),
  'variance-for-sigma': full('the variance of a range is taken for its standard deviation'),
  'incidence-without-square': full('noise by incidence grows as sin θ/cos θ for sin θ/cos² θ'),
  'range-step-down': full('ranges are rounded down to a step, not to the nearest'),
  'drop-out-of-pulses': full('a drop-out takes all returns of a pulse'),
  'pointing-along-a-diagonal': full('the errors of a direction to the left and up are one number'),
  'encoder-to-nearest': full('azimuths are rounded to the nearest step, not down'),
  'encoder-after-offsets': full("the encoder counts the azimuth of the laser, not the head's"),
  'spot-unturned': full('the mirror turns the axis of a beam, not its spot'),
  'fourth-power': full('power falls as R⁻⁴ on a wall, too'),
  'extinction-one-way': full('air attenuates one way only'),
  'gate-inverted': full('the gate passes what it should keep back between its limits'),
  'half-a-bin': full('the peaks of a waveform lie half a bin too near'),
  'limit-of-each-ray': full("an echo's signal is that of its nearest ray, not the sum"),
  'one-draw-for-all-echoes': full('all echoes of a pulse are detected by one random number'),
  'echoes-in-slices': full(
    'an echo takes what lies within the range resolution of its nearest hit',
  ),
  'last-alone-twice': full('no second return where the strongest is the last'),
  'alarms-by-area': full('ranges of false alarms are as dense as the area that the beam sweeps'),
  'width-without-pulse': full("an echo's width leaves out the width of the pulse"),
  'saturation-before-noise': full('intensities saturate before their noise is added'),
  'gap-twice': full('what is behind a gap fraction is attenuated twice'),
  'oren-nayar-sine': full('the rough part of Oren and Nayar is B·sin θ for B·sin² θ'),
  'lobe-to-one-over-e': full("a retro-reflector's gain falls to 1/e at its half width"),
  'elements-by-ray': fast('each ray of a pulse meets learned elements along its own line'),
  'elements-by-centre': fast('learned elements are met in order of their centres'),
  'one-draw-for-all-pulses': fast('learned models draw the same numbers for every pulse'),
  'ranges-redrawn': fast('ranges on learned elements at or below 0 are drawn again, not truncated'),
  'noise-on-elements': fast("the sensor's range noise is added on learned elements, too"),
  'early-ends-as-misses': learning('a beam that ends before an element is counted as its miss'),
  'flat-by-length': learning(
    'elements thinner than 3 cm count as the papers count, whatever their shape',
  ),
  'screens-by-ellipsoid': learning(
    'flat elements count as the papers count: each return is a hit of all elements that hold it',
  ),
  'greatest-range-of-all-logs': learning(
    'beams pass elements up to the greatest range of all logs',
  ),
  'ray-time-ignored': full('what moves is met where it is at the beginning of a window of time'),
  'matrix-interpolation': full('between steps a body that turns is the mean of two matrices'),
  'plants-in-step': full('all plants sway in the same phase'),
  'leaf-area-two-sided': growing('the leaf area of sized plants counts both sides of a leaf'),
  'truth-two-sided': truth('the leaf area of a plant in the truth counts both sides'),
  'voxels-off-by-one': truth('what is cut at the planes of voxels lies one voxel further east'),
  'one-mirror-more': full('a path has one mirror more than the depth says'),
  'map-pose-of-tick': mapping('all returns of a tick are registered with its first pose'),
  'map-without-margin': mapping("the planner's costs leave out the margin of the tilt"),
  'lone-returns-are-ground': mapping('a lowest return counts as ground without another near it'),
} as const;
export type Mutation = keyof typeof mutations;

export const mutationNames = Object.keys(mutations) as Mutation[];

/** Those of learned models and of maps: tests in test/native/mutants find them, no experiment of `npm run validate` does. */
export const nativeMutations = [
  'elements-by-ray',
  'elements-by-centre',
  'one-draw-for-all-pulses',
  'ranges-redrawn',
  'noise-on-elements',
  'early-ends-as-misses',
  'flat-by-length',
  'screens-by-ellipsoid',
  'greatest-range-of-all-logs',
  'map-pose-of-tick',
  'map-without-margin',
  'lone-returns-are-ground',
] as const satisfies Mutation[];

function fast(does: string): MutationMeaning<'fast'> {
  return { path: 'fast', does };
}

function full(does: string): MutationMeaning<'full'> {
  return { path: 'full', does };
}

function growing(does: string): MutationMeaning<'growing'> {
  return { path: 'growing', does };
}

function learning(does: string): MutationMeaning<'learning'> {
  return { path: 'learning', does };
}

function mapping(does: string): MutationMeaning<'mapping'> {
  return { path: 'mapping', does };
}

function truth(does: string): MutationMeaning<'truth'> {
  return { path: 'truth', does };
}
