// Coordinate reference systems of scenes, logs and models: 'EPSG:n' of a projected system in metres, or well-known text.
import { isMetre, unitsOfSystem, unitText } from './systemUnits.ts';

/** The code of 'EPSG:25832'; null: the text is another. */
export function epsgCodeOf(crs: string): number | null {
  const digits = /^EPSG:([0-9]{1,7})$/i.exec(crs.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The code that a well-known text, of version 1 or 2, has of its whole; null: it states none. */
function epsgCodeIn(wkt: string): number | null {
  const end = /(?:AUTHORITY|ID)\s*[[(]\s*"EPSG"\s*,\s*"?([0-9]{1,7})"?\s*[\])]\s*[\])]\s*$/i;
  const digits = end.exec(wkt)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether two texts are of one system: the same text, or the same EPSG code, which well-known text may state, too. */
export function isSameSystem(one: string, other: string): boolean {
  const [a, b] = [one, other].map((crs) => crs.replace(/\s+/g, ''));
  if (a === b) return true;
  const [codeA, codeB] = [one, other].map((crs) => epsgCodeOf(crs) ?? epsgCodeIn(crs));
  return codeA !== null && codeA === codeB;
}

/** The different systems among texts, in their order; null: not known. */
export function differentSystems(texts: readonly (string | null)[]): string[] {
  const found: string[] = [];
  for (const crs of texts) {
    if (crs !== null && !found.some((one) => isSameSystem(one, crs))) found.push(crs);
  }
  return found;
}

/** A system in some words: 'EPSG:25832', or the name in its well-known text. */
export function systemName(crs: string): string {
  const name = /^\s*[A-Z_]+\s*[[(]\s*"([^"]+)"/i.exec(crs)?.[1] ?? crs.trim();
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}

/** The problem of `crs`; `wktOfCode` is what the table has for its EPSG code. Null: nothing. */
export function crsProblem(crs: string, wktOfCode: string | null): string | null {
  const isCode = epsgCodeOf(crs) !== null;
  const found = crs.length > 60 ? `${crs.slice(0, 57)}…` : crs;
  if (isCode && wktOfCode === null) {
    return `expected the EPSG code of a projected system in metres, found '${crs}', which is not in the table; others may be given as WKT`;
  }
  const units = unitsOfSystem(isCode && wktOfCode !== null ? wktOfCode : crs);
  if (typeof units === 'string') {
    return `expected 'EPSG:n', or the WKT of a system in metres (PROJCS[…], …), found ${units} in '${found}'`;
  }
  const other = [units.horizontal, units.vertical].find((unit) => unit !== null && !isMetre(unit));
  if (other === undefined || other === null) return null;
  return `expected a system in metres, found ${unitText(other)} in '${systemName(crs)}'`;
}
