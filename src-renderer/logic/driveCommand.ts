// What is on screen as a line for the command line: the same drive without the page.

export interface DriveChoice {
  scenario: string;
  /** Left out: the scenario's own sensors. */
  sensor?: string;
  /** Left out: the scenario's own seed. */
  seed?: number;
  /** Left out: to the goal. */
  seconds?: number;
}

/** The command that starts the drive; arguments are quoted for a POSIX shell where they need it. */
export function driveCommand({ scenario, sensor, seed, seconds }: DriveChoice): string {
  const parts = ['npx', 'understory', 'drive', quote(scenario)];
  if (sensor !== undefined) parts.push('--sensor', quote(sensor));
  if (seed !== undefined) parts.push('--seed', String(seed));
  if (seconds !== undefined) parts.push('--seconds', String(seconds));
  return parts.join(' ');
}

function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
