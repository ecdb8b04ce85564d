// Columns that follow from the number of a pulse, as the worker works them out (core/sensor/pulses.h, aim.h): its time, its
// laser, and where the sensor reports that it aims. Clouds with ground truth leave them out where the aims of the sensor are
// affine (contract/documents/scan/affineAims.ts).
import { columnTypes, type ReturnColumnName, type ReturnTable } from '#contract/columns.ts';
import { affineAimsOf, type AffineAims } from '#contract/documents/scan/affineAims.ts';
import type { LaserBankRecipe, SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { firstPulseFrom, type PulseTiming, slotTimeNs } from './pulseNumbers.ts';

/** The fields of a sensor that its pulses follow from. */
export type PulseRecipe = PulseTiming & Pick<SensorRecipe, 'quantisation'>;

const followingColumns = ['time_ns', 'ring', 'azimuth_rad', 'elevation_rad'] as const;
type FollowingColumn = (typeof followingColumns)[number];

/** The columns that follow from the pulses of a sensor. */
function columnsOfPulses(recipe: PulseRecipe): readonly ReturnColumnName[] {
  return aimsOf(recipe) === null ? [] : followingColumns;
}

function aimsOf({ scan, slotsPerSecond }: PulseRecipe): AffineAims | null {
  return affineAimsOf(scan, slotsPerSecond);
}

/** The columns that are stored of some: without those that follow, where `pulse` is among them. */
export function withoutFollowing(
  columns: readonly ReturnColumnName[],
  recipe: PulseRecipe | undefined,
): ReturnColumnName[] {
  const following = recipe && columns.includes('pulse') ? columnsOfPulses(recipe) : [];
  return columns.filter((name) => !following.includes(name));
}

/** The number from which the pulses of a cloud from `fromNs` on count; null: no columns follow from them. */
export function firstPulseOf(recipe: PulseRecipe, fromNs: number): bigint | null {
  return aimsOf(recipe) === null ? null : firstPulseFrom(recipe, fromNs);
}

/** The table with the columns that follow from its column `pulse`, where it lacks them. */
export function withPulseColumns(
  table: ReturnTable,
  rows: number,
  recipe: PulseRecipe,
): ReturnTable {
  const { pulse } = table;
  const missing = columnsOfPulses(recipe).filter((name) => table[name] === undefined);
  if (pulse === undefined || missing.length === 0) return table;
  const columns = {
    time_ns: new columnTypes.i64(rows),
    ring: new columnTypes.u16(rows),
    azimuth_rad: new columnTypes.f32(rows),
    elevation_rad: new columnTypes.f32(rows),
  } satisfies Required<Pick<ReturnTable, FollowingColumn>>;
  const pulses = pulsesOf(recipe);
  for (let row = 0; row < rows; row++) {
    const { timeNs, ring, azimuthRad, elevationRad } = pulses(Number(pulse[row]));
    columns.time_ns[row] = BigInt(timeNs);
    columns.ring[row] = ring;
    columns.azimuth_rad[row] = azimuthRad;
    columns.elevation_rad[row] = elevationRad;
  }
  return { ...columns, ...table };
}

interface Pulse {
  timeNs: number;
  ring: number;
  /** As the sensor reports it. */
  azimuthRad: number;
  elevationRad: number;
}

/** Pulses by number. */
function pulsesOf(recipe: PulseRecipe): (number: number) => Pulse {
  const { banks, slotPattern } = recipe;
  const aims = aimsOf(recipe);
  if (aims === null) throw new TypeError('the aims of the sensor are not affine');
  // By pulse of a round of the pattern: its slot in the round, its bank, and which of the bank's lasers it is.
  const places = slotPattern.flatMap((index, slot) => {
    const bank = banks[index];
    return bank === undefined ? [] : bank.rings.map((ring, laser) => ({ slot, bank, laser, ring }));
  });
  const cached = { slot: -1, timeNs: 0, azimuthRad: 0 };
  return (number) => {
    const place = places[number % places.length];
    if (place === undefined) throw new RangeError('the sensor has no lasers');
    const { bank, laser, ring } = place;
    const slot = Math.floor(number / places.length) * slotPattern.length + place.slot;
    if (slot !== cached.slot) {
      cached.slot = slot;
      cached.timeNs = slotTimeNs(recipe, slot);
      cached.azimuthRad = aims.slotRad(slot);
    }
    const laterNs = bank.firingOffsetsNs?.[laser] ?? 0;
    return {
      timeNs: cached.timeNs + laterNs,
      ring,
      azimuthRad: reportedRad(recipe, aims, { bank, laser, laterNs }, cached.azimuthRad),
      elevationRad: bank.elevationsRad[laser] ?? NaN,
    };
  };
}

interface Shot {
  bank: LaserBankRecipe;
  laser: number;
  /** Since its slot. */
  laterNs: number;
}

function reportedRad(
  recipe: PulseRecipe,
  { turningRadPerS, isClockwise, isOfTurn }: AffineAims,
  { bank, laser, laterNs }: Shot,
  slotRad: number,
): number {
  let azimuthRad = slotRad;
  if (bank.firingOffsetsNs !== undefined) {
    azimuthRad += turningRadPerS * laterNs * 1e-9;
  }
  const stepRad = recipe.quantisation?.azimuthRad ?? 0;
  if (stepRad > 0) {
    // A billionth of a step more: an angle on a step's edge may have been rounded to just before it.
    const steps = azimuthRad / stepRad;
    azimuthRad = (isClockwise ? Math.ceil(steps - 1e-9) : Math.floor(steps + 1e-9)) * stepRad;
  }
  azimuthRad += bank.azimuthOffsetsRad?.[laser] ?? 0;
  const isInTurn = azimuthRad >= 0 && azimuthRad < 2 * Math.PI;
  return isOfTurn && !isInTurn ? wrapped(azimuthRad) : azimuthRad;
}

function wrapped(azimuthRad: number): number {
  const turned = azimuthRad % (2 * Math.PI);
  if (turned >= 0) return turned;
  // Next to nothing below 0 rounds to the whole turn.
  return turned + 2 * Math.PI < 2 * Math.PI ? turned + 2 * Math.PI : 0;
}
