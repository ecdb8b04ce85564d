// The measures that the form offers. Which there are is decided by the host (domain/campaign/measuredRun.ts); a test
// compares the two.

/** Measures of a run, by their names in expressions. */
export const measureNames: readonly { name: string; meaning: string }[] = [
  { name: 'goal', meaning: 'the goal was reached, 1 or 0' },
  { name: 'simSeconds', meaning: 'simulated time' },
  { name: 'pathLengthM', meaning: 'length of the path driven' },
  { name: 'collisions', meaning: 'collisions with solid objects' },
  {
    name: 'clearanceM',
    meaning:
      'smallest distance between hull and obstacle, 0 after a collision; unknown beyond 10 m',
  },
  {
    name: 'mapErrorShare',
    meaning: 'share of the known cells of the last cost map that are wrong about obstacles',
  },
  { name: 'distanceToGoalM', meaning: 'distance to the goal at the end' },
  { name: 'positionErrorM', meaning: 'mean error of the estimated position' },
  { name: 'points', meaning: 'returns of all sensors' },
  { name: 'pulses', meaning: 'pulses of all sensors' },
  { name: 'energyJ', meaning: 'energy of the drive' },
  { name: 'shortestLengthM', meaning: 'straight line from start to goal' },
  { name: 'groundCoverLengthM', meaning: 'length of the path through ground cover' },
  { name: 'ticks', meaning: 'simulated ticks' },
];

/** Expressions to begin with. */
export const measureExamples: readonly string[] = [
  "returns(class = 'tree')",
  "count(scans, returns(class = 'tree') > 50)",
  'points / pulses',
];

/** A name for the column of an expression. */
export function newMeasureName(text: string, taken: readonly string[]): string {
  const isName = /^[a-zA-Z]\w*$/.test(text);
  const words = isName ? text : (/'([a-zA-Z]\w*)'/.exec(text)?.[1] ?? 'measure');
  const name = isName ? words : `${words}Measure`.replace('measureMeasure', 'measure');
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.includes(`${name}${number}`)) return `${name}${number}`;
  }
}
