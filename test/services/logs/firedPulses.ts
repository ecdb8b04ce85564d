// Pulses of sample sensors over firing sequences, as the worker's rows have them, with made-up ranges and misses.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { ReturnTable } from '#contract/columns.ts';
import { sensorSchema } from '#contract/documents/sensor.ts';
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { velodyneSensorOf } from '#domain/shared/velodyne/sensor.ts';
import { projectRoot } from '#test/stages.ts';

export function recipeOf(id: string, mode: ReturnMode = 'strongest'): SensorRecipe {
  const text = readFileSync(path.join(projectRoot, `assets/sensors/${id}.yaml`), 'utf8');
  const { value } = compileSensor(sensorSchema.parse(parse(text)), { mode });
  if (value === null) throw new Error(`${id} does not compile`);
  return value;
}

export interface FiredPulse {
  timeNs: number;
  pulse: number;
  ring: number;
  azimuthRad: number;
  elevationRad: number;
  /** From the nearest; empty: a miss. */
  returns: { rangeM: number; intensity: number }[];
}

/** All pulses of `sequences` rounds of the slot pattern from one on. */
export function firedPulses(recipe: SensorRecipe, from: number, sequences: number): FiredPulse[] {
  const { banks, slotPattern, slotsPerSecond, scan, returns } = recipe;
  const perRound = slotPattern.reduce((sum, bank) => sum + (banks[bank]?.rings.length ?? 0), 0);
  const rateHz = scan.rateHz;
  const pulses: FiredPulse[] = [];
  for (let round = from; round < from + sequences; round++) {
    let pulse = round * perRound;
    for (const [at, index] of slotPattern.entries()) {
      const bank = banks[index];
      const slotNs = ((round * slotPattern.length + at) * 1e9) / slotsPerSecond;
      for (const [laser, ring] of (bank?.rings ?? []).entries()) {
        const timeNs = Math.round(slotNs + (bank?.firingOffsetsNs?.[laser] ?? 0));
        const turnRad = -2 * Math.PI * rateHz * timeNs * 1e-9;
        const offsetRad = bank?.azimuthOffsetsRad?.[laser] ?? 0;
        const nearM = 2 + ((pulse * 37) % 1000) / 17;
        const strong = { rangeM: nearM, intensity: 5 + (pulse % 90) };
        const weak = { rangeM: nearM + 3, intensity: pulse % 2 === 0 ? 2 : 99 };
        const isDual = returns.mode === 'strongest-and-last' && pulse % 3 === 0;
        pulses.push({
          timeNs,
          pulse,
          ring,
          azimuthRad: Math.atan2(Math.sin(turnRad + offsetRad), Math.cos(turnRad + offsetRad)),
          elevationRad: bank?.elevationsRad[laser] ?? 0,
          returns: pulse % 5 === 0 ? [] : isDual ? [strong, weak] : [strong],
        });
        pulse += 1;
      }
    }
  }
  return pulses;
}

/** Rows of pulses: one for each return, one for a miss. */
function rowsOf(pulses: readonly FiredPulse[]): { table: ReturnTable; rows: number } {
  const rows = pulses.flatMap(({ returns, ...pulse }) =>
    returns.length === 0
      ? [{ ...pulse, returnNo: 0, rangeM: NaN, intensity: NaN }]
      : returns.map((one, at) => ({ ...pulse, returnNo: at + 1, ...one })),
  );
  const table = {
    time_ns: BigInt64Array.from(rows, ({ timeNs }) => BigInt(timeNs)),
    pulse: BigUint64Array.from(rows, ({ pulse }) => BigInt(pulse)),
    azimuth_rad: Float32Array.from(rows, ({ azimuthRad }) => azimuthRad),
    return_no: Uint8Array.from(rows, ({ returnNo }) => returnNo),
    range_m: Float32Array.from(rows, ({ rangeM }) => rangeM),
    intensity: Float32Array.from(rows, ({ intensity }) => intensity),
  };
  return { table, rows: rows.length };
}

/** Writes pulses as packets in two tables. @returns parts that packets cannot hold */
export async function writePackets(
  file: string,
  recipe: SensorRecipe,
  pulses: readonly FiredPulse[],
  epochS = 0,
): Promise<string[]> {
  const { value, problem } = velodyneSensorOf(recipe);
  if (value === null) throw new Error(problem);
  const exporters = createExporters({ dataFolder: null });
  const options = { sensor: value, epochS };
  const exporter = await exporters.createPackets(file, options, { isReplacing: false });
  const half = pulses.length >> 1;
  for (const part of [pulses.slice(0, half), pulses.slice(half)]) {
    const { table, rows } = rowsOf(part);
    await exporter.write(table, rows);
  }
  return (await exporter.close()).leftOut;
}
