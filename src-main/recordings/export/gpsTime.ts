// GPS time of instants that are known in UTC, for the header and the points of LAS files (ASPRS LAS specification 1.4
// R15, section 2.4: global encoding).

/** Seconds from 1970-01-01 to 1980-01-06, UTC, where GPS time begins. */
const gpsEpochS = 315_964_800;
/** LAS files subtract it, so that a double holds the rest to 60 ns: "adjusted standard GPS time". */
const adjustmentS = 1e9;
/** Days (UTC) from which on one more leap second counts, since 1980 (IERS Bulletin C). */
const leapDays = [
  '1981-07-01',
  '1982-07-01',
  '1983-07-01',
  '1985-07-01',
  '1988-01-01',
  '1990-01-01',
  '1991-01-01',
  '1992-07-01',
  '1993-07-01',
  '1994-07-01',
  '1996-01-01',
  '1997-07-01',
  '1999-01-01',
  '2006-01-01',
  '2009-01-01',
  '2012-07-01',
  '2015-07-01',
  '2017-01-01',
].map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);

/**
 * Adjusted standard GPS time, in seconds, of an instant in seconds since 1970 (UTC, without leap seconds). Null: GPS
 * time had not begun.
 */
export function adjustedGpsTimeS(unixS: number): number | null {
  if (unixS < gpsEpochS) return null;
  const leapSeconds = leapDays.filter((dayS) => dayS <= unixS).length;
  return unixS - gpsEpochS + leapSeconds - adjustmentS;
}
