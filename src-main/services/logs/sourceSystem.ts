// The coordinate system of a source: its units are converted to metres, or refused with their names, and what an option
// changes is said.
import { badInput } from '#contract/errors.ts';
import type { LengthUnit } from '#contract/documents/quantities.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { systemName } from '#domain/shared/coordinateSystem.ts';
import { metresPerUnit } from '#domain/shared/lengths.ts';
import {
  isMetre,
  metre,
  type StatedSystem,
  type StatedUnit,
  systemInMetres,
  type SystemUnits,
  unitOfHeights,
  unitsOfSystem,
  unitText,
} from '#domain/shared/systemUnits.ts';
import { notesOfReplaced, type Systems, textOfSystem } from '#services/documents/systems.ts';

type Options = Pick<RequestOf<'log.import'>, 'crs' | 'unit'>;

/** The system of a log, and what positions of its source are multiplied by. */
export interface SourceSystem {
  /** In metres; null: not known. */
  crs: string | null;
  /** Metres of a unit of x and y, and of z. */
  metres: { level: number; height: number };
  notes: string[];
}

/** @throws UnderstoryError 'bad-input' for angles and unknown units, with their names */
export async function sourceSystem(
  files: Systems,
  stated: StatedSystem,
  { crs, unit }: Options,
): Promise<SourceSystem> {
  const wkt = stated.crs === null ? null : await textOfSystem(files, stated.crs);
  const ofSystem = wkt === null ? null : unitsOfSystem(wkt);
  const units = await unitsOf(files, stated, ofSystem, unit);
  const notes = notesOfUnits(stated, ofSystem, units, unit);
  const own = systemOf(stated, wkt, ofSystem);
  if (stated.crs !== null && own === null && crs === undefined && isOnEarth(stated.crs)) {
    notes.push(`the log states no system: ${stated.crs} is not known in metres (--crs)`);
  }
  if (stated.crs !== null && isOnEarth(stated.crs)) {
    notes.push(...notesOfReplaced(crs, own ?? stated.crs, 'file'));
  }
  const metres = { level: units.horizontal.metres, height: units.vertical.metres };
  return { crs: crs ?? own, metres, notes };
}

interface UsedUnits {
  horizontal: StatedUnit;
  vertical: StatedUnit;
  /** The file states none, and it is taken to be that of x and y. */
  isVerticalAssumed: boolean;
}

async function unitsOf(
  files: Systems,
  { heights, units, isGeographic, crs }: StatedSystem,
  ofSystem: SystemUnits | string | null,
  unit: LengthUnit | undefined,
): Promise<UsedUnits> {
  if (unit !== undefined) {
    const wanted = { name: unit, metres: metresPerUnit[unit] };
    return { horizontal: wanted, vertical: wanted, isVerticalAssumed: false };
  }
  if (isGeographic || typeof ofSystem === 'string') {
    const found = typeof ofSystem === 'string' ? ofSystem : "angles ('degree')";
    const system = crs === null ? 'its system' : systemName(crs);
    const message = `expected projected coordinates in a unit of length, found ${found} in ${system}: project them first, as 'pdal translate IN OUT reprojection --filters.reprojection.out_srs=EPSG:25832' does`;
    throw badInput('source', message, { title: 'the coordinates are not in metres' });
  }
  const ofHeights = heights === null ? null : await textOfSystem(files, heights);
  const heightUnit = ofHeights === null ? null : unitOfHeights(ofHeights);
  const horizontal = units.horizontal ?? ofSystem?.horizontal ?? metre;
  const vertical =
    units.vertical ?? (typeof heightUnit === 'string' ? null : heightUnit) ?? ofSystem?.vertical;
  for (const { name, metres } of [horizontal, vertical ?? horizontal]) {
    if (metres > 0 && metres < Infinity) continue;
    const message = `expected coordinates in a known unit of length, found ${name} (--unit replaces it)`;
    throw badInput('source', message, { title: 'the unit of the coordinates is not known' });
  }
  return { horizontal, vertical: vertical ?? horizontal, isVerticalAssumed: !vertical };
}

function notesOfUnits(
  { units }: StatedSystem,
  ofSystem: SystemUnits | string | null,
  { horizontal, vertical, isVerticalAssumed }: UsedUnits,
  unit: LengthUnit | undefined,
): string[] {
  const notes: string[] = [];
  const ofFile = units.horizontal ?? (typeof ofSystem === 'string' ? null : ofSystem?.horizontal);
  if (unit !== undefined && ofFile && !isSame(ofFile, horizontal)) {
    notes.push(`--unit ${unit} replaces the unit of the file, ${unitText(ofFile)}`);
  } else if (units.horizontal && ofSystem !== null && typeof ofSystem !== 'string') {
    if (!isSame(units.horizontal, ofSystem.horizontal)) {
      const [key, system] = [units.horizontal, ofSystem.horizontal].map(unitText);
      notes.push(`the file states ${key}, its system has ${system}: the former is used`);
    }
  }
  if (isMetre(horizontal) && isMetre(vertical)) return notes;
  const both = isSame(horizontal, vertical)
    ? unitText(horizontal)
    : `${unitText(horizontal)}, heights in ${unitText(vertical)}`;
  const assumed = isVerticalAssumed ? '; heights state no unit of their own' : '';
  notes.push(`positions of points and poses in ${both} were converted to metres${assumed}`);
  return notes;
}

function isSame(one: StatedUnit, other: StatedUnit): boolean {
  return Math.abs(one.metres / other.metres - 1) < 1e-9;
}

/** The system of the file in metres; null: it is not known, or not on the earth. */
function systemOf(
  { crs }: StatedSystem,
  wkt: string | null,
  ofSystem: SystemUnits | string | null,
): string | null {
  if (crs === null || !isOnEarth(crs) || typeof ofSystem === 'string') return null;
  if (wkt === null) return null;
  const metric = systemInMetres(wkt);
  return metric === wkt ? crs : metric;
}

function isOnEarth(crs: string): boolean {
  return /^\s*(EPSG|PROJ|GEO|COMPD|COMPOUND|BOUND|DERIVED)/i.test(crs);
}
