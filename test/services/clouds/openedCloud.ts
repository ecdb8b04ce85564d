// Clouds as a front end reads them: opened, then all of their nodes.
import type { Columns } from '#contract/columns.ts';
import type {
  CloudNodeColumns,
  CloudSource,
  OctreeHead,
  OctreeNodeColumns,
} from '#contract/host/cloudMethods.ts';
import type { Handlers } from '#services/handlers.ts';
import { callContext } from '#test/support/context.ts';

/** x, y, z, intensity, class and, where the cloud has it, colour of each point, as one text, sorted. */
export type PointTexts = string;

/** @throws as cloud.open and cloud.nodes */
export async function openedCloud(
  handlers: Handlers<'cloud'>,
  source: CloudSource,
  signal = callContext.signal,
): Promise<{ head: OctreeHead; points: PointTexts }> {
  const context = { ...callContext, signal };
  const { reply, columns } = await handlers['cloud.open']({ source, mayBuild: true }, context);
  if (reply.octree === null) throw new Error('expected an octree');
  // Why the cast: the contract has the columns of the reply.
  const nodes = columns as unknown as OctreeNodeColumns;
  const { key } = reply.octree;
  const found: string[] = [];
  for (const node of nodes.points.keys()) {
    const chunk = (_: unknown, sent: Columns): Promise<void> => {
      const { position, intensity, class_id: ids, colour } = sent as unknown as CloudNodeColumns;
      for (const [row, id] of ids.entries()) {
        const place = [...position.subarray(3 * row, 3 * row + 3)];
        const rgb = colour?.subarray(3 * row, 3 * row + 3) ?? [];
        found.push([...place, intensity[row], id, ...rgb].join());
      }
      return Promise.resolve();
    };
    await handlers['cloud.nodes']({ key, nodes: [node] }, { ...callContext, chunk });
  }
  return { head: reply.octree, points: textOf(found) };
}

/** The same of tables of returns. */
export function pointsOfTables(tables: readonly Columns[]): PointTexts {
  const names = ['x_m', 'y_m', 'z_m', 'intensity', 'class_id'];
  return textOf(
    tables.flatMap((table) =>
      Array.from({ length: table['x_m']?.length ?? 0 }, (_, row) =>
        names.map((name) => table[name]?.[row]).join(),
      ),
    ),
  );
}

// Why one text: the difference of two lists takes minutes to print.
function textOf(points: string[]): PointTexts {
  return points.sort().join('\n');
}
