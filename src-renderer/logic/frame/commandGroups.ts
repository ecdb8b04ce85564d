// Commands under the headings by which they are listed: the part of the id before the dot.

/** The part of a command that a heading uses. */
interface Listed {
  id: string;
}

const headings: Record<string, string> = {
  go: 'Go to',
  view: 'View',
  layout: 'Layout',
  app: 'Application',
  scene: 'Scene',
  sensor: 'Sensor',
  drive: 'Drive',
  run: 'Run',
  runs: 'Runs',
  campaigns: 'Campaigns',
};

export function headingOf({ id }: Listed): string {
  const part = id.split('.')[0] ?? id;
  return headings[part] ?? part.charAt(0).toUpperCase() + part.slice(1);
}

/** Commands about the work come first, commands about the page last. */
const lastHeadings = ['View', 'Layout', 'Application'];

/** By heading: 'Go to', then in the order in which the headings first come, then those of the page. */
export function groupCommands<C extends Listed>(
  commands: readonly C[],
): { heading: string; commands: C[] }[] {
  const groups = new Map<string, C[]>();
  for (const command of commands) {
    const heading = headingOf(command);
    groups.set(heading, [...(groups.get(heading) ?? []), command]);
  }
  const rank = (heading: string): number =>
    heading === 'Go to' ? -1 : lastHeadings.indexOf(heading) + 1;
  return [...groups]
    .map(([heading, of]) => ({ heading, commands: of }))
    .sort((one, other) => rank(one.heading) - rank(other.heading));
}
