// Every sensor that comes with Understory scans: as many pulses as its file promises, returns within its
// limits, and the same bytes in one interval as in two.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { compileScenario, openWorker, scanRows, sensorRecipe, standingAt } from './realWorker.ts';

const ids = readdirSync(join(assetsFolder, 'sensors')).map((name) => name.replace('.yaml', ''));
const trajectory = standingAt(0, 0, 1.5);

/** An even number; or a whole image. */
const slots = 96;

const { worker } = await openWorker(await compileScenario('optics'), { threads: 2 });

/** False alarms are rows beside the returns of the mode, anywhere. */
function withoutFalseAlarms(sensor: SensorRecipe): SensorRecipe {
  const { detection } = sensor.returns;
  if (detection === undefined) return sensor;
  const silent = { ...detection, falseAlarmsPerPulse: 0 };
  return { ...sensor, returns: { ...sensor.returns, detection: silent } };
}

/** Where the sensor looks ahead: sweeps and mirrors in their middle. */
function firstSlot({ scan }: SensorRecipe): number {
  const isSweeping = scan.kind === 'sweep' || scan.kind === 'mirror';
  return isSweeping ? Math.max(0, Math.floor((scan.slotsPerScan - slots) / 2)) : 0;
}

/** Pulses of slots [from, from + slots), or of one image. */
function pulsesFrom({ scan, slotPattern, banks }: SensorRecipe, from: number): number {
  if (scan.kind === 'image') return scan.columns * scan.rows;
  const lasers = (slot: number): number =>
    banks[slotPattern[slot % slotPattern.length] ?? -1]?.elevationsRad.length ?? NaN;
  return Array.from({ length: slots }, (_, at) => lasers(from + at)).reduce((sum, n) => sum + n);
}

/** The time at which a slot fires; of a panorama those of the first line, which has more slots. */
function slotNs({ scan, slotsPerSecond }: SensorRecipe, slot: number): number {
  const isSweeping = scan.kind === 'sweep' || scan.kind === 'mirror';
  const share = isSweeping ? (scan.activeShare ?? 1) : 1;
  const rateHz = scan.kind === 'panorama' ? scan.pulseRateHz : slotsPerSecond / share;
  return Math.round((slot / rateHz) * 1e9);
}

describe('the sensors that come with Understory', () => {
  it.each(ids)('%s scans', async (id) => {
    const sensor = withoutFalseAlarms(await sensorRecipe(id));
    const slot = firstSlot(sensor);
    const [fromNs, toNs] = [slotNs(sensor, slot), slotNs(sensor, slot + slots)];
    const order = { sensor, trajectory, seed: 3, misses: true };
    const rows = await scanRows(worker, { ...order, fromNs, toNs });
    const pulses = new Set(rows.pulse);
    expect(pulses.size).toBe(pulsesFrom(sensor, slot));

    const most = { 'strongest-and-last': 2, all: sensor.returns.maxReturns ?? 3 };
    const returnLimit = sensor.returns.mode in most ? most[sensor.returns.mode as 'all'] : 1;
    const { noise } = sensor;
    // Six sigma of everything that may be added to a range but incidence and signal, which may be much.
    const spreadM =
      6 *
      Math.hypot(
        noise?.laserBiasSigmaM ?? 0,
        noise?.rangeSigmaM ?? 0,
        100 * (noise?.incidenceSigmaM ?? 0),
        1000 * (noise?.signalSigmaM ?? 0),
        10 * (noise?.limitSigmaM ?? 0),
      );
    let returns = 0;
    for (const [row, number] of rows.return_no.entries()) {
      expect(number).toBeLessThanOrEqual(returnLimit);
      if (number === 0) continue;
      returns += 1;
      expect(rows.true_range_m[row]).toBeGreaterThanOrEqual(sensor.minRangeM);
      expect(rows.true_range_m[row]).toBeLessThanOrEqual(sensor.maxRangeM);
      const errorM = Math.abs((rows.range_m[row] ?? NaN) - (rows.range_clean_m[row] ?? NaN));
      // Noise may carry a range over the fold.
      const unfoldedM = Math.abs(errorM - (sensor.backfoldM ?? 0));
      const maxM = spreadM + (sensor.quantisation?.rangeM ?? 0) + 1e-5;
      expect(Math.min(errorM, unfoldedM)).toBeLessThanOrEqual(maxM);
      // Less than half of a step of a scale is 0.
      const isRounded = sensor.intensity !== undefined && sensor.intensity.step > 0;
      expect(rows.intensity[row]).toBeGreaterThan(isRounded ? -1 : 0);
      expect(rows.beam_share[row]).toBeGreaterThan(0);
      expect(rows.beam_share[row]).toBeLessThanOrEqual(1 + 1e-6);
    }
    expect(returns).toBeGreaterThan(pulses.size / 20);

    const halfNs = slotNs(sensor, slot + slots / 2);
    const first = await scanRows(worker, { ...order, fromNs, toNs: halfNs });
    const second = await scanRows(worker, { ...order, fromNs: halfNs, toNs });
    for (const name of ['pulse', 'range_m', 'intensity', 'azimuth_rad', 'time_ns'] as const) {
      expect([...first[name], ...second[name]]).toEqual(rows[name]);
    }
  });
});
