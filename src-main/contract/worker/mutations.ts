// Mutants: deliberate errors in the binary scanWorkerMutants (native-workers/core/mutation.h), each with its meaning.
// They show that checks of `npm run validate` and of the tests fail when they must.

export const mutations = {
  'stencil-off-centre': 'the rays of a beam lie half a half-axis to the left',
  'strongest-is-closest': "mode 'strongest' returns the closest",
  'cutoff-ignored': 'the averaging window has no end',
  'centre-miss-drops-pulse': 'no return where the ray on the axis misses',
  'bias-of-each-ray': "a laser's bias is drawn for each return",
  'noise-on-empty-pulses': 'a pulse that met nothing returns noise',
  'fourth-power': 'power falls as R⁻⁴ on a wall, too',
} as const;
export type Mutation = keyof typeof mutations;

export const mutationNames = Object.keys(mutations) as Mutation[];
