// Scans of a scenario by the command line, read from the file that they write.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ran } from './commandLine.ts';
import { temporaryFolder } from './folder.ts';

export interface ScanCommand {
  /** Texts of the scenario and of the sensor. */
  scene: string;
  sensor: string;
  /** Files beside the scenario. */
  files?: Record<string, string | Uint8Array>;
  /** x, y, z, yaw and pitch; default: at the origin, along x. */
  pose?: readonly number[];
  seconds?: number;
  columns: string;
  options?: readonly string[];
}

/** Rows of a CSV file, by the names of their columns. */
export function csvRows(file: string): Record<string, number>[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',').map(parseFloat);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? Number.NaN]));
  });
}

/** The rows of a scan, and the folder with all its files. */
export async function scanned(
  command: ScanCommand,
): Promise<{ folder: string; rows: Record<string, number>[] }> {
  const { scene, sensor, files, pose = [0, 0, 0, 0], seconds = 0.1, columns } = command;
  const folder = temporaryFolder({ 'scene.yaml': scene, 'sensor.yaml': sensor, ...files });
  await ran(
    folder,
    'scan',
    join(folder, 'scene.yaml'),
    `--sensor=${join(folder, 'sensor.yaml')}`,
    `--pose=${pose.join(',')}`,
    `--seconds=${seconds}`,
    `--columns=${columns}`,
    '--out=out.csv',
    ...(command.options ?? []),
  );
  return { folder, rows: csvRows(join(folder, 'out.csv')) };
}
