// Coordinate reference systems that documents, options and files state, with the table of EPSG codes.
import {
  crsProblem,
  epsgCodeOf,
  isSameSystem,
  systemName,
} from '#domain/shared/coordinateSystem.ts';
import type { Files } from '#services/ports/files.ts';

export type Systems = Pick<Files, 'coordinateSystem'>;

/** Well-known text; null: the EPSG code is not in the table. */
export function textOfSystem(files: Systems, crs: string): Promise<string | null> {
  const code = epsgCodeOf(crs);
  return code === null ? Promise.resolve(crs) : files.coordinateSystem(code);
}

/** The problem of a system that positions in metres are to be in; null: nothing. */
export async function problemOfSystem(files: Systems, crs: string): Promise<string | null> {
  return crsProblem(crs, await textOfSystem(files, crs));
}

/** A note where the system of an option replaces another one. @param where it is stated: 'file', 'scene' */
export function notesOfReplaced(
  crs: string | undefined,
  stated: string | null | undefined,
  where: string,
): string[] {
  if (crs === undefined || stated === null || stated === undefined) return [];
  if (isSameSystem(crs, stated)) return [];
  return [`--crs ${systemName(crs)} replaces the system of the ${where}, ${systemName(stated)}`];
}
