// Files beside or in place of a recording, in the folder of a run that came without one: what it takes to simulate the
// run again and is not in the catalogue.
import { bundledCommandsSchema } from '#contract/documents/bundle.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { DriveCommand } from '#contract/host/run.ts';
import type { Files, RunFolders } from '#services/ports/files.ts';

/** Heights of the ground in metres, f32, row by row from the south. */
export const heightsName = 'heights.f32';
export const commandsName = 'commands.json';

/** @throws UnderstoryError 'not-found' | 'io' */
export async function readHeights(
  files: Pick<Files, 'pieces'>,
  folders: Pick<RunFolders, 'sideFile'>,
  runId: string,
): Promise<Float32Array> {
  const pieces: Uint8Array[] = [];
  await files.pieces(folders.sideFile(runId, heightsName), (piece) => {
    pieces.push(piece.slice());
  });
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
}

/** @throws UnderstoryError 'not-found' | 'io' | 'corrupt' */
export async function readCommands(
  files: Pick<Files, 'readText'>,
  folders: Pick<RunFolders, 'sideFile'>,
  runId: string,
): Promise<DriveCommand[]> {
  const file = folders.sideFile(runId, commandsName);
  return commandsFrom(await files.readText(file), file);
}

/** @throws UnderstoryError 'corrupt' */
export function commandsFrom(text: string, file: string): DriveCommand[] {
  const { value } = parseWith(bundledCommandsSchema, jsonOf(text));
  if (value === null) throw new UnderstoryError('corrupt', `'${file}' holds no commands`);
  return value;
}

/** Undefined where the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Name of a file or folder without those above it. */
export function lastName(path: string): string {
  return path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
}
