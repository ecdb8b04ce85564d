// Recordings of other programs, one target a kind, by log.import; and logs of ours, on which both readers agree.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { UnderstoryError } from '#contract/errors.ts';
import { logFormatVersion, requiredLogColumns, type LogHead } from '#contract/log/log.ts';
import { importTo, logs } from '#test/services/logs/importTo.ts';
import { sourcesByKind } from '#test/services/logs/sampleSources.ts';
import { turningBeams } from '#test/recordings/log/turningBeams.ts';
import { sanitizers } from '#test/native/sanitizers.ts';
import { projectRoot } from '#test/stages.ts';
import type { Input, Target } from '../target.ts';

/** A source as files below one folder, the source itself or a file in it first. */
function foreign(kind: string): Target {
  return {
    name: `log-${kind}`,
    seeds: async (folder) => {
      const own = join(folder, '00');
      mkdirSync(own);
      const { file } = (await sourcesByKind[kind]?.(own)) ?? { file: own };
      return [inputOf(folder, file)];
    },
    open: () =>
      Promise.resolve(async (file, out) => {
        const trajectory = join(dirname(file), 'poses.tum');
        const hasPoses = readdirSync(dirname(file)).includes('poses.tum');
        const source = kind === 'kitti' ? join(dirname(file), '..') : file;
        await importTo(join(out, 'x.log'), source, hasPoses ? { trajectory } : {});
      }),
  };
}

function inputOf(folder: string, first: string): Input {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => statSync(name).isFile());
  const ordered = [first, ...names.filter((name) => name !== first)];
  return Object.fromEntries(
    ordered.map((name) => [relative(folder, name), new Uint8Array(readFileSync(name))]),
  );
}

const head: LogHead = {
  format: logFormatVersion,
  understoryVersion: 'test',
  source: 'csv',
  derived: [],
  originM: [0, 0, 0],
  crs: null,
  columns: [...requiredLogColumns, 'label'],
  classes: [],
  sensor: {
    name: null,
    lasers: 1,
    elevationsRad: [0],
    minM: null,
    maxM: 100,
    rangeStepM: null,
    azimuthStepRad: null,
    firingsPerTurn: 360,
    turnsPerS: 10,
    recipe: null,
  },
  intensityOfWhite: null,
  misses: 'recorded',
  returns: 'strongest',
  cuts: { azimuthDeg: null, rangeM: null, bodyM: null },
};

/** Refusals of TypeScript for parts that C++ does not use: fields of heads, names of frames, further columns and counts. */
const unusedInNative =
  /its head is damaged|expected a section|expected the columns of the head|its counts are wrong/;

/** Refusals of C++ for values of a frame that no log uses, such as its id. */
const frameHeader = /the header of a frame is not/;

const ownLog: Target = {
  name: 'own-log',
  seeds: async (folder) => {
    const file = join(folder, 'a.log');
    const writer = await logs.create(file, head, { isReplacing: false });
    for (let part = 0; part < 2; part += 1) await writer.write(turningBeams(500), 500);
    await writer.close();
    return [{ 'a.log': new Uint8Array(readFileSync(file)) }];
  },
  open: () => {
    const nativeReads = openNativeReader();
    return Promise.resolve(async (file) => {
      const native = await nativeReads(file);
      const own = (await readOwn(file))?.message ?? null;
      if (native === null && own === null) return;
      const isAgreed = native !== null && own !== null;
      if (isAgreed || unusedInNative.test(own ?? '') || frameHeader.test(native ?? '')) {
        throw new UnderstoryError('corrupt', own ?? native ?? '');
      }
      throw new Error(
        `the readers disagree: C++ ${native ?? 'takes it'}; TypeScript ${own ?? 'takes it'}`,
      );
    });
  },
};

/** Null: it was read to its end. */
async function readOwn(file: string): Promise<UnderstoryError | null> {
  try {
    const log = await logs.open(file);
    try {
      for await (const { beams } of log.tables()) if (beams === 0) return null;
    } finally {
      await log.close();
    }
    return null;
  } catch (error) {
    if (error instanceof UnderstoryError && error.code !== 'internal') return error;
    throw error;
  }
}

/** C++ reads a log to its end; null, or why not. */
function openNativeReader(): (file: string) => Promise<string | null> {
  // Whichever the set-up of the tests, or of fuzzing alone, has built.
  const programs = ['release', 'sanitize'].map((build) => join(projectRoot, `build/${build}/fuzz`));
  const program = programs.find((file) => existsSync(file));
  if (program === undefined) throw new Error(`expected one of ${programs.join(', ')}`);
  const child = spawn(program, ['--read-logs'], {
    env: { ...process.env, ...sanitizers },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.unref();
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (file) => {
    child.stdin.write(`${file}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the reader in C++ ended at ${basename(file)}`);
    return value === 'accepted' ? null : value;
  };
}

export const logTargets = [...Object.keys(sourcesByKind).map(foreign), ownLog];
