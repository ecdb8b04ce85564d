// A simulated sensor as one of Velodyne's: which laser of a packet each of its pulses is of. Guarantees: a decoder with
// the calibration of that model finds its lasers in their directions.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { degrees } from '../numbers.ts';
import { mean } from '../statistics.ts';
import { hdl64eS2, statedModels, type VelodyneModel, velodyneModelNames } from './models.ts';

/** Decoders round elevations so. */
const sameDeg = 0.02;

export interface VelodyneSensor {
  model: VelodyneModel;
  /** Packets have two returns of each firing. */
  isDual: boolean;
  returns: 'strongest' | 'last' | 'dual';
  /** By place among the pulses of a firing sequence. */
  lasers: readonly { laser: number; azimuthOffsetRad: number; firingNs: number }[];
  sequenceNs: number;
  phaseNs: number;
  /** Clockwise, as in packets. */
  turnStepsPerNs: number;
  /** Times intensity: a byte. */
  intensityFactor: number;
}

/** Its lasers by their numbers in packets, or why it is none of Velodyne's. */
export function velodyneSensorOf(
  recipe: SensorRecipe,
): { value: VelodyneSensor; problem: null } | { value: null; problem: string } {
  const { scan, banks, slotPattern, slotsPerSecond, returns, intensity, clock } = recipe;
  // Only a sensor that turns without end has a direction.
  if (!('direction' in scan) || scan.direction !== 'clockwise') {
    return { value: null, problem: `expected a sensor that turns clockwise, found '${recipe.id}'` };
  }
  const found = lasersOf(recipe);
  if (found === null) {
    const problem = `expected the lasers of a ${velodyneModelNames}, found those of '${recipe.id}'`;
    return { value: null, problem };
  }
  const slotNs = 1e9 / slotsPerSecond;
  const isDual = returns.mode === 'strongest-and-last' || returns.mode === 'all';
  const lasers = slotPattern.flatMap((index, slot) => {
    const bank = banks[index];
    return (found.numbers[index] ?? []).map((laser, place) => ({
      laser,
      azimuthOffsetRad: bank?.azimuthOffsetsRad?.[place] ?? 0,
      firingNs: slot * slotNs + (bank?.firingOffsetsNs?.[place] ?? 0),
    }));
  });
  return {
    value: {
      model: found.model,
      isDual,
      returns: isDual ? 'dual' : returns.mode === 'last' ? 'last' : 'strongest',
      lasers,
      sequenceNs: slotPattern.length * slotNs,
      phaseNs: clock?.phaseNs ?? 0,
      turnStepsPerNs: (scan.rateHz * 36_000) / 1e9,
      intensityFactor: intensity?.scale === undefined ? 255 : 1,
    },
    problem: null,
  };
}

/** The model, and by bank the number in packets of each laser. Null: it is none of them. */
function lasersOf({
  banks,
  slotPattern,
}: SensorRecipe): { model: VelodyneModel; numbers: number[][] } | null {
  const [first, second, ...others] = banks;
  if (first === undefined || others.length > 0) return null;
  if (second !== undefined) {
    const areHalves = first.rings.length === 32 && second.rings.length === 32;
    const areInTurn = slotPattern.length === 2 && slotPattern[0] !== slotPattern[1];
    if (!areHalves || !areInTurn) return null;
    const isFirstUpper = mean(first.elevationsRad) > mean(second.elevationsRad);
    const upper = first.rings.map((_, laser) => laser);
    const lower = upper.map((laser) => laser + 32);
    return { model: hdl64eS2, numbers: isFirstUpper ? [upper, lower] : [lower, upper] };
  }
  if (slotPattern.length !== 1) return null;
  for (const model of statedModels) {
    const numbers = numbersIn(model, first);
    if (numbers !== null) return { model, numbers: [numbers] };
  }
  return null;
}

/** Each laser of the bank as one of the model's, each once; null: they are not the same. */
function numbersIn(
  { lasers, directions }: VelodyneModel,
  { elevationsRad, azimuthOffsetsRad }: SensorRecipe['banks'][number],
): number[] | null {
  if (directions === null || elevationsRad.length !== lasers) return null;
  const { elevationsDeg, azimuthOffsetsDeg } = directions;
  const numbers = elevationsRad.map((elevationRad, place) => {
    const offsetDeg = degrees(azimuthOffsetsRad?.[place] ?? 0);
    return elevationsDeg.findIndex((deg, laser) => {
      const isLevel = Math.abs(deg - degrees(elevationRad)) <= sameDeg;
      return isLevel && Math.abs((azimuthOffsetsDeg[laser] ?? 0) - offsetDeg) <= sameDeg;
    });
  });
  return numbers.includes(-1) || new Set(numbers).size < lasers ? null : numbers;
}
