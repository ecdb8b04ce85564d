// Logs by way of every format that says where pulses began, and what `log export` writes, read back: our own scans with
// the real worker.
import { existsSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { beamStates } from '#contract/log/log.ts';
import { beamsIn, distance } from '#test/services/logs/imported.ts';
import { runHere } from '#test/support/commandLine.ts';
import { beamColumns, compared, createLogFolder, place, still, stripsFile } from './logFolder.ts';

const { folder, fileOf, run, statistics } = createLogFolder();

beforeAll(async () => {
  await run(...still, '--out', 'box.log');
  await run('scan', fileOf(stripsFile), '--out', 'strips.log');
});

describe('files of our own scans', () => {
  // LAS: times are in seconds, in a double. PLY and PCD: whole nanoseconds.
  it.each(['csv', 'npz', 'las', 'pcd', 'ply', 'mcap'])('import from .%s', async (ending) => {
    const name = `still.${ending}`;
    const extra = ending === 'mcap' ? [] : beamColumns;
    await run(...still, '--misses', ...extra, '--out', name);
    await run('log', 'import', name, '--out', `${ending}.log`);
    const found = compared(
      await beamsIn(fileOf(`${ending}.log`)),
      await beamsIn(fileOf('box.log')),
    );
    expect(found.wrong).toBe(0);
    expect(found.timeNs).toBeLessThanOrEqual(1);
    expect(found.originM).toBeLessThan(2e-6);
    expect(found.angleRad).toBeLessThan(1e-6);
    expect(found.rangeM).toBeLessThan(1e-6);
    const ofFile = await statistics(`${ending}.log`);
    const { beams, misses } = await statistics('box.log');
    expect(ofFile).toMatchObject({ beams, misses, missesAre: 'recorded' });
  });

  it.each(['csv', 'npz', 'las', 'pcd', 'ply'])(
    'import surveys in the world from .%s',
    async (ending) => {
      const name = `flight.${ending}`;
      await run('scan', fileOf(stripsFile), '--misses', ...beamColumns, '--out', name);
      await run('log', 'import', name, '--out', `flight-${ending}.log`);
      const [found, expected] = [
        await statistics(`flight-${ending}.log`),
        await statistics('strips.log'),
      ];
      for (const end of ['minM', 'maxM'] as const) {
        expect(distance(found.extentM[end], expected.extentM[end])).toBeLessThan(1e-3);
      }
      expect(found.beams).toBe(expected.beams);
      expect(found.misses).toBe(expected.misses);
    },
  );

  it('say that misses are unknown where they were left out', async () => {
    for (const ending of ['npz', 'mcap']) {
      const extra = ending === 'mcap' ? [] : beamColumns;
      await run(...still, ...extra, '--out', `returns.${ending}`);
      const args = ['log', 'import', `returns.${ending}`, '--out', 'returns.log', '--force'];
      const { stderr } = await runHere(folder, ...args);
      expect(stderr).toMatch(/misses are unknown|were not recorded/);
      expect(await statistics('returns.log')).toMatchObject({ missesAre: 'unknown', misses: 0 });
    }
  });

  it('have unknown misses, which models that need them report in one sentence', async () => {
    await run(...place, '--seconds', '0.1', ...beamColumns, '--out', 'unknown.npz');
    await run('log', 'import', 'unknown.npz', '--out', 'unknown.log');
    const sentence = 'a log lacks the beams of its source without a return';
    for (const model of ['voxel', 'surface']) {
      const args = ['--model', model, '--out', `${model}.ply`];
      const { exitCode, stderr } = await runHere(folder, 'learn', 'unknown.log', ...args);
      expect(exitCode, stderr).toBe(0);
      expect(stderr.split(sentence)).toHaveLength(model === 'voxel' ? 2 : 1);
    }
  });

  it('are refused in one line if they are no points, or logs already', async () => {
    for (const [source, message] of [
      ['nothing', "there is no run or file 'nothing'"],
      ['box.log', `source: '${fileOf('box.log')}' is a log already`],
    ] as const) {
      const { stderr } = await runHere(folder, 'log', 'import', source, '--out', 'none.log');
      expect(stderr).toBe(`understory: ${message}\n`);
    }
  });

  it('are refused where they do not say where pulses began, with what would', async () => {
    await run(...still, '--out', 'plain.npz');
    const npz = await runHere(folder, 'log', 'import', 'plain.npz', '--out', 'none.log');
    expect(npz.stderr).toContain('scan --columns default,beam');
    await run(...still, '--out', 'plain.csv');
    const csv = await runHere(folder, 'log', 'import', 'plain.csv', '--out', 'none.log');
    expect(csv.stderr).toContain('expected columns named origin_x_m');
    expect(existsSync(fileOf('none.log'))).toBe(false);
  });
});

describe('log export', () => {
  it.each(['csv', 'las', 'npz', 'pcd', 'ply'])(
    'writes .%s, which imports to the same beams',
    async (ending) => {
      for (const log of ['box', 'strips']) {
        const name = `export-${log}.${ending}`;
        await run('log', 'export', `${log}.log`, '--misses', '--out', name);
        await run('log', 'import', name, '--out', `back-${log}-${ending}.log`);
        const [found, expected] = [
          await statistics(`back-${log}-${ending}.log`),
          await statistics(`${log}.log`),
        ];
        const { beams, returns, misses, missesAre } = expected;
        expect(found).toMatchObject({ beams, returns, misses, missesAre });
        expect(distance(found.extentM.minM, expected.extentM.minM)).toBeLessThan(1e-3);
      }
      const back = await beamsIn(fileOf(`back-box-${ending}.log`));
      const worst = compared(back, await beamsIn(fileOf('box.log')));
      expect(worst).toMatchObject({ wrong: 0 });
      expect(worst.originM).toBeLessThan(2e-6);
      expect(worst.rangeM).toBeLessThan(1e-6);
      expect(worst.angleRad).toBeLessThan(1e-6);
    },
  );

  it('writes .parquet, and returns alone where misses are not asked for', async () => {
    await run('log', 'export', 'box.log', '--out', 'box.parquet');
    const bytes = readFileSync(fileOf('box.parquet'));
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      compressors: { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) },
    });
    const beams = (await beamsIn(fileOf('box.log'))).filter(
      ({ state }) => state === beamStates.returned,
    );
    expect(rows).toHaveLength(beams.length);
    const wrong = rows.filter((row, at) => row['range_m'] !== beams[at]?.rangeM).length;
    expect(wrong).toBe(0);
  });

  it('refuses a file of no known ending', async () => {
    const { exitCode, stderr } = await runHere(
      folder,
      'log',
      'export',
      'box.log',
      '--out',
      'x.txt',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('expected a file that ends in one of .csv');
  });
});
