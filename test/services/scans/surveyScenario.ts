// A scenario with a survey in a folder of the test file, and its scans with the real worker.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { ReturnColumnName } from '#contract/columns.ts';
import { afterwards } from '#test/support/afterwards.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { sceneServices } from '../scenes/openScene.ts';

export const services = sceneServices();
export const folder = temporaryFolder();
afterwards(() => services.closeAll());

/** Flat ground with a box at the origin. */
export function scenario(survey: unknown, sensor = 'vlp-16'): string {
  return JSON.stringify({
    understory: 2,
    name: 'survey',
    seed: 5,
    scene: {
      materials: { soil: { reflectance: 0.4 } },
      models: { box: { kind: 'box', sizeM: [2, 2, 2], material: 'soil' } },
      ground: { kind: 'plane', sizeM: [400, 400], material: 'soil' },
      instances: [{ name: 'box', model: 'box', positionM: [0, 0, 1] }],
    },
    sensors: [
      { name: 'lidar', sensor, mount: { positionM: [0.3, -0.2, 0.1], rollDeg: 90, yawDeg: 5 } },
    ],
    survey,
  });
}

export async function written(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

type Columns = Record<string, number[]>;

/** The columns asked for, whole, and the leg of each row. */
export async function rowsOf(
  request: RequestInputOf<'scan.start'>,
  columns: readonly ReturnColumnName[],
): Promise<{ columns: Columns; legs: number[]; reply: { legs: unknown; pulses: number } }> {
  const { chunks, reply } = await services.ask('scan.start', { ...request, columns: [...columns] });
  const found: Columns = Object.fromEntries(columns.map((name) => [name, []]));
  const legs: number[] = [];
  for (const { body, columns: table } of chunks) {
    const { rows, leg } = body as { rows: number; leg: number };
    for (const name of columns) {
      for (const value of table[name] ?? []) found[name]?.push(Number(value));
    }
    for (let row = 0; row < rows; row += 1) legs.push(leg);
  }
  return { columns: found, legs, reply };
}

export const strips = {
  kind: 'strips',
  sensor: 'lidar',
  heightM: 40,
  speedMPerS: 100,
  strips: [
    { fromM: [-5, 0], toM: [5, 0] },
    { fromM: [5, 10], toM: [-5, 10], name: 'back' },
  ],
};
