// The coordinate reference system of a scene: 'EPSG:n' of a projected system in metres, or well-known text.

/** The code of 'EPSG:25832'; null: the text is another. */
export function epsgCodeOf(crs: string): number | null {
  const digits = /^EPSG:([0-9]{1,7})$/i.exec(crs.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Roots of well-known text, of versions 1 and 2, whose coordinates may be metres. */
const wktRoots = [
  'PROJCS',
  'COMPD_CS',
  'LOCAL_CS',
  'GEOCCS',
  'PROJCRS',
  'PROJECTEDCRS',
  'COMPOUNDCRS',
  'BOUNDCRS',
  'ENGCRS',
  'ENGINEERINGCRS',
];

/** The problem of `crs`; `wktOfCode` is what the table has for its EPSG code. Null: nothing. */
export function crsProblem(crs: string, wktOfCode: string | null): string | null {
  if (epsgCodeOf(crs) !== null) {
    if (wktOfCode !== null) return null;
    return `expected the EPSG code of a projected system in metres, found '${crs}'; others may be given as WKT`;
  }
  const root = /^\s*([A-Z_]+)\s*[[(]/i.exec(crs)?.[1]?.toUpperCase();
  if (root !== undefined && wktRoots.includes(root) && isBalanced(crs)) return null;
  const found = crs.length > 60 ? `${crs.slice(0, 57)}…` : crs;
  return `expected 'EPSG:n', or the WKT of a system in metres (${wktRoots[0]}[…], …), found '${found}'`;
}

/** Whether every bracket outside of quotes is closed, the last one at the end. */
function isBalanced(wkt: string): boolean {
  const outside = wkt.replaceAll(/"[^"]*"/g, '').trim();
  if (outside.includes('"')) return false;
  let depth = 0;
  for (const [index, letter] of [...outside].entries()) {
    if (letter === '[' || letter === '(') depth += 1;
    if (letter === ']' || letter === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && /[\])]/.test(letter) && index < outside.length - 1)) {
      return false;
    }
  }
  return depth === 0;
}
