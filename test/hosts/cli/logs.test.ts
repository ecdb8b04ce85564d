// Logs of our own scans, surveys and runs with the real worker, and their picture.
import { existsSync, readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import { beforeAll, describe, expect, it } from 'vitest';
import { beamStates } from '#contract/log/log.ts';
import { radians } from '#domain/shared/numbers.ts';
import { inverseOf, rotate, type Quaternion } from '#domain/shared/pose.ts';
import { beamsIn, distance, type LoggedBeam } from '#test/services/logs/imported.ts';
import { runHere } from '#test/support/commandLine.ts';
import { beamColumns, compared, createLogFolder, place, still, stripsFile } from './logFolder.ts';

const { folder, fileOf, run, statistics, rowsOf } = createLogFolder();

describe('a scan as a log', () => {
  it('has every pulse that a table of the scan with misses has', async () => {
    const turn = [...place, '--seconds', '0.11'];
    await run(...turn, '--out', 'turn.log');
    await run(...turn, '--misses', ...beamColumns, '--out', 'turn.csv');
    const rows = rowsOf('turn.csv');
    const beams = await beamsIn(fileOf('turn.log'));
    expect(beams).toHaveLength(rows.length);
    const found = await statistics('turn.log');
    const misses = rows.filter((row) => row['return_no'] === '0').length;
    expect(found).toMatchObject({
      beams: rows.length,
      misses,
      returns: rows.length - misses,
      unknown: 0,
      missesAre: 'recorded',
      source: 'scan',
    });
    expect(misses).toBeGreaterThan(1000);
    // Firings of sixteen lasers each 55.296 µs that begin in the first turn.
    const pulsesOfTurn = 16 * Math.ceil(1e8 / 55_296);
    for (const [at, row] of rows.entries()) {
      const of = (...names: string[]): number[] => names.map((name) => Number(row[name]));
      const beam = beams[at];
      const origin = of('beam_origin_x_m', 'beam_origin_y_m', 'beam_origin_z_m');
      const direction = of('beam_direction_x', 'beam_direction_y', 'beam_direction_z');
      if (
        beam === undefined ||
        distance(beam.origin, origin) > 1e-6 ||
        distance(beam.direction, direction) > 1e-6 ||
        (row['return_no'] === '0') !== (beam.state === beamStates.miss) ||
        (beam.state === beamStates.returned &&
          beam.rangeM !== Math.fround(Number(row['range_m']))) ||
        String(beam.timeNs) !== row['time_ns'] ||
        beam.sweep !== Math.floor(Number(row['pulse']) / pulsesOfTurn)
      ) {
        throw new Error(`row ${at} of the table is ${JSON.stringify(row)}`);
      }
    }
  });

  it('of a survey is in the world, as its navigation reports it', async () => {
    await run('scan', fileOf(stripsFile), '--out', 'strips.log');
    await run('scan', fileOf(stripsFile), '--misses', ...beamColumns, '--out', 'strips.csv');
    const found = await statistics('strips.log');
    expect(found).toMatchObject({ crs: 'EPSG:32632', missesAre: 'recorded' });
    expect(found.extentM.minM[0]).toBeGreaterThan(499_900);
    expect(found.misses).toBeGreaterThan(1000);
    const rows = rowsOf('strips.csv');
    const beams = await beamsIn(fileOf('strips.log'));
    const pulses = new Map(rows.map((row) => [`${row['pulse']} ${row['ring']}`, row]));
    expect(beams).toHaveLength(pulses.size);
    // Positions of the table are rounded to a micrometre.
    const worstM = [...pulses.values()].reduce((worst, row, at) => {
      const origin = ['x', 'y', 'z'].map((axis) => Number(row[`beam_origin_${axis}_m`]));
      const own = beams[at]?.origin ?? [];
      const inWorld = own.map((m, axis) => m + ([500_000, 5_400_000, 0][axis] ?? 0));
      return Math.max(worst, distance(inWorld, origin));
    }, 0);
    expect(worstM).toBeLessThan(2e-5);
  });

  it('is refused with columns or a frame, which it has of its own', async () => {
    for (const extra of [beamColumns, ['--frame', 'sensor']]) {
      const { exitCode, stderr } = await runHere(folder, ...still, ...extra, '--out', 'no.log');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('expected no frame and no columns with a .log file');
    }
    expect(existsSync(fileOf('no.log'))).toBe(false);
  });

  it('may be parts, which `learn` takes as they are', async () => {
    const scan = ['scan', fileOf(stripsFile)];
    await run(...scan, '--part', '1/2', '--out', 'part-1.log');
    await run(...scan, '--part', '2/2', '--out', 'part-2.log');
    const parts = [await beamsIn(fileOf('part-1.log')), await beamsIn(fileOf('part-2.log'))].flat();
    const whole = await beamsIn(fileOf('strips.log'));
    expect(parts).toHaveLength(whole.length);
    const worst = compared(parts, whole);
    expect(worst).toMatchObject({ wrong: 0, timeNs: 0, rangeM: 0 });
    // Origins are single precision about that of their chunk.
    expect(worst.originM).toBeLessThan(1e-6);
    const joined = await runHere(folder, 'join', 'part-1.log', 'part-2.log', '--out', 'all.log');
    expect(joined.stderr).toContain('`learn` takes several logs');
  });
});

describe('a drive with misses', () => {
  let beams: LoggedBeam[];
  let run_: { id: string };
  beforeAll(async () => {
    await run('drive', 'clearing', '--sensor', 'vlp-16', '--seconds', '0.3', '--misses', '--quiet');
    const listed = JSON.parse(await run('runs', 'list', '--json')) as { id: string }[];
    run_ = listed[0] ?? { id: '' };
    // Its id by the beginning.
    await run('log', 'import', run_.id.slice(0, 12), '--out', 'drive.log');
    beams = await beamsIn(fileOf('drive.log'));
  });

  it('has as many misses as pulses without a return', async () => {
    const scans = JSON.parse(await run('runs', 'scans', run_.id, '--json')) as {
      pulses: number;
      returns: number;
    }[];
    const sum = (name: 'pulses' | 'returns'): number =>
      scans.reduce((all, scan) => all + scan[name], 0);
    const misses = beams.filter(({ state }) => state === beamStates.miss).length;
    expect(misses).toBeGreaterThan(1000);
    expect(beams).toHaveLength(sum('pulses'));
    expect(misses).toBe(sum('pulses') - sum('returns'));
  });

  it('has the origin and direction of each pulse, of misses too', async () => {
    await run('poses', run_.id, '--objects', 'lidar', '--step', '0.002', '--out', 'sensor.tum');
    const lines = readFileSync(fileOf('sensor.tum'), 'utf8').split('\n');
    const poses = lines.flatMap((line) => {
      const words = line.split(/\s+/).map(Number);
      return line.startsWith('#') || words.length < 8 ? [] : [words];
    });
    let [near, worstM, worstRad, misses] = [0, 0, 0, 0];
    for (const { timeNs, origin, direction, laser, azimuthRad, state } of beams) {
      const pose = poses.find(([timeS = 0]) => Math.abs(timeS * 1e9 - Number(timeNs)) < 20_000);
      if (pose === undefined) continue;
      const [, x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = pose;
      const turned: Quaternion = [qx, qy, qz, qw];
      near += 1;
      if (state === beamStates.miss) misses += 1;
      worstM = Math.max(worstM, distance(origin, [x, y, z]));
      const own = rotate(inverseOf(turned), direction as [number, number, number]);
      // The manual of a VLP-16: lasers from -15° in steps of 2°.
      const elevationRad = radians(-15 + 2 * laser);
      const expected = [
        Math.cos(elevationRad) * Math.cos(azimuthRad),
        Math.cos(elevationRad) * Math.sin(azimuthRad),
        Math.sin(elevationRad),
      ];
      worstRad = Math.max(worstRad, distance(own, expected));
    }
    expect(near).toBeGreaterThan(500);
    expect(misses).toBeGreaterThan(100);
    // 20 µs at 3 m/s, and the digits of the text.
    expect(worstM).toBeLessThan(1e-3);
    expect(worstRad).toBeLessThan(1e-3);
  });
});

it('log show draws the returns', async () => {
  await run('log', 'show', 'turn.log', '--out', 'turn.png');
  const { data, width, channels } = decode(readFileSync(fileOf('turn.png')));
  const count = (isOf: (red: number, green: number, blue: number) => boolean): number => {
    let pixels = 0;
    for (let at = 0; at < data.length; at += channels) {
      if (isOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) pixels += 1;
    }
    return pixels;
  };
  expect(width).toBeGreaterThan(1000);
  // Ground is blue, by its height.
  expect(
    count((red, green, blue) => blue > 120 && blue > red + 40 && blue > green),
  ).toBeGreaterThan(1000);
});
