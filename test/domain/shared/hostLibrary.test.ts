// Recordings and results do not depend on the C library of the machine: the functions of Math that are used where they
// come from have the bits that they had when this was written, and are V8's own.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uniforms } from '#domain/random/philox.ts';
import { cubed, squared } from '#domain/shared/numbers.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** Arguments of 400 calls: around 0, to some turns, far outside, and the ends of the domain. */
function argumentsOf(from: number, to: number): number[] {
  const inside = Array.from({ length: 400 }, (_, n) => {
    const [share, other] = uniforms(5, 77, 0, n);
    const wide = from + (to - from) * share;
    return n % 4 === 0 ? wide * other * other * other : wide;
  });
  return [...inside, from, to];
}

type Unary = 'sin' | 'cos' | 'tan' | 'asin' | 'acos' | 'atan' | 'exp' | 'log' | 'log10' | 'sqrt';

/** SHA-256 of the bits of the results, the first 16 digits. Node 24 on x64; equal on every machine. */
const expected: Record<Unary | 'atan2' | 'hypot', [from: number, to: number, hash: string]> = {
  sin: [-1e3, 1e6, '366c98a9be337352'],
  cos: [-1e3, 1e6, '1ea2a552eb60092d'],
  tan: [-1e3, 1e4, '9ddcfd218ea179ea'],
  asin: [-1, 1, '3a600b8a18a471ec'],
  acos: [-1, 1, 'a42299608bac492f'],
  atan: [-1e3, 1e3, 'f65cc8caa951c4e0'],
  exp: [-700, 700, '8db0b2630261f344'],
  log: [1e-300, 1e12, '40309096722b26b0'],
  log10: [1e-300, 1e12, 'd3b9cbd4f51aab13'],
  sqrt: [0, 1e12, '5e748747c5d2f2f5'],
  atan2: [-1e3, 1e3, '543865cd5e2e0629'],
  hypot: [-1e6, 1e6, '52fec1724d8647a9'],
};

function results(name: keyof typeof expected): Float64Array {
  const [from, to] = expected[name];
  const values = argumentsOf(from, to);
  if (name === 'atan2' || name === 'hypot') {
    return Float64Array.from(values, (x, n) => Math[name](x, values.at(-n - 1) ?? 0));
  }
  return Float64Array.from(values, (x) => Math[name](x));
}

describe('functions of Math', () => {
  it.each(Object.keys(expected) as (keyof typeof expected)[])('%s has the same bits', (name) => {
    const bits = (): string => {
      const { buffer } = results(name);
      return createHash('sha256').update(new Uint8Array(buffer)).digest('hex').slice(0, 16);
    };
    expect(bits()).toBe(expected[name][2]);
    // Compiled code calls what interpreted code does.
    for (let n = 0; n < 100; n += 1) results(name);
    expect(bits()).toBe(expected[name][2]);
  });
});

it('use no function of the C library, but for **', () => {
  const folder = temporaryFolder();
  const names = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'exp', 'log', 'log10', 'sqrt'];
  const lines = [
    ...names.map((name) => `double ${name}(double x) { return 42.125; }`),
    ...['atan2', 'hypot', 'pow'].map(
      (name) => `double ${name}(double x, double y) { return 42.125; }`,
    ),
  ];
  writeFileSync(join(folder, 'fake.c'), lines.join('\n'));
  const library = join(folder, 'fake.so');
  execFileSync('cc', ['-shared', '-fPIC', '-fno-builtin', '-o', library, join(folder, 'fake.c')]);
  const script = `
    const power = (x, y) => x ** y;
    const values = [];
    for (let n = 0; n < 30_000; n += 1) {
      const x = 0.3 + n * 1e-5;
      values.splice(0, Infinity, ${names.map((name) => `Math.${name}(x)`).join()}, Math.atan2(x, 2), Math.hypot(x, 2), power(x, 3));
    }
    console.log(JSON.stringify(values));`;
  const run = (env: NodeJS.ProcessEnv): number[] =>
    JSON.parse(
      execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' }),
    ) as number[];
  const real = run(process.env);
  const faked = run({ ...process.env, LD_PRELOAD: library });
  expect(faked.slice(0, -1)).toEqual(real.slice(0, -1));
  // The counterpart: where the library is called, its value arrives.
  expect(faked.at(-1)).toBe(42.125);
});

describe('powers', () => {
  it('are rounded once', () => {
    const exact = (x: number): number => {
      const [numerator, scale] = [BigInt(x * 2 ** 52), 2n ** 156n];
      const cube = numerator ** 3n;
      // All bits are there: Number rounds them once.
      return Number((cube << 120n) / scale) / 2 ** 120;
    };
    for (let n = 0; n < 500; n += 1) {
      const [share] = uniforms(6, 78, 0, n);
      const x = 0.5 + Math.round(share * 2 ** 30) / 2 ** 31;
      expect(cubed(x)).toBe(exact(x));
    }
    expect([cubed(0.1), cubed(-2), squared(-3)]).toEqual([0.0010000000000000002, -8, 9]);
  });
});
