// Commands and what they answer: shapes, exit codes, refusals with every problem.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '#contract/errors.ts';
import { requests } from '#contract/host/methods.ts';
import { exitCodeOfCode, exitCodes, exitCodesHelp } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

const refused = exitCodeOfCode('bad-input');

describe('exit codes', () => {
  it('are all documented, and none of a failure is 0', () => {
    const documented = [...exitCodesHelp.matchAll(/^ {2}(\d+) /gm)].map((match) =>
      Number(match[1]),
    );
    const used = [...errorCodes.map(exitCodeOfCode), ...Object.values(exitCodes)];
    expect(new Set(documented)).toEqual(new Set(used));
    for (const code of errorCodes) expect(exitCodeOfCode(code)).toBeGreaterThan(0);
  });

  it('0 for help, which names every command and exit code', async () => {
    const stdout = await ran(temporaryFolder(), '--help');
    for (const name of [
      'drive',
      'scan',
      'render',
      'depth',
      'poses',
      'runs',
      'scenario',
      'sensor',
      'schema',
      'docs',
      'serve',
      'doctor',
    ]) {
      expect(stdout).toContain(name);
    }
    expect(stdout).toContain(exitCodesHelp);
  });

  it('the help of a command has the defaults of its request', async () => {
    const stdout = await ran(temporaryFolder(), 'depth', '--help');
    const { horizontalFovDeg, maxRangeM, kind } = requests['render.depth'].parse({
      scenario: 'box',
      camera: { positionM: [0, 0, 0], yawDeg: 0 },
      widthPx: 1,
      heightPx: 1,
    });
    const plain = stdout.replaceAll(/\s+/g, ' ');
    expect(plain).toContain(`horizontal field of view; default: ${horizontalFovDeg}`);
    expect(plain).toContain(`not seen; default: ${maxRangeM}`);
    // The command states this one itself.
    expect(plain).toContain(`default: "${kind}"`);
  });

  it.each([
    ['an unknown command', ['dirve']],
    ['an unknown option', ['drive', '--sensors', 'vlp-16']],
    ['a missing option', ['scan', 'box', '--sensor', 'vlp-16']],
    [
      'a pose of three numbers',
      ['scan', 'box', '--sensor', 'vlp-16', '--pose', '1,2,3', '--seconds', '1', '--out', 'a.csv'],
    ],
    ['a negative time', ['drive', 'clearing', '--seconds', '-1']],
    ['an unknown sensor', ['drive', 'clearing', '--sensor', 'hdl-65e']],
    ['a scenario without a mission', ['drive', 'box']],
    ['an unknown document', ['schema', 'scenery']],
  ])('refuses %s', async (_, args) => {
    const { exitCode, stdout, stderr } = await runHere(temporaryFolder(), ...args);
    expect(exitCode).toBe(refused);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('not-found for a run that does not exist', async () => {
    const { exitCode, stderr } = await runHere(temporaryFolder(), 'runs', 'show', '0199');
    expect(exitCode).toBe(exitCodeOfCode('not-found'));
    expect(stderr).toContain("'0199'");
  });
});

describe('documents', () => {
  it('a check reports every problem at its path', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'bad.understory.yaml');
    writeFileSync(
      file,
      'understory: 2\nname: Bad\nseeed: 3\nscene:\n  materials: { soil: { reflectance: 2 } }\n',
    );
    const { exitCode, stdout, stderr } = await runHere(folder, 'scenario', 'check', file, '--json');
    expect(exitCode).toBe(refused);
    const problems = JSON.parse(stdout) as { path: string }[];
    const paths = problems.map(({ path }) => path).sort();
    expect(paths).toEqual(['scene.materials.soil.reflectance', 'seeed']);
    for (const path of paths) expect(stderr).toContain(`  ${path}: `);
  });

  it('samples and sensors are listed', async () => {
    const folder = temporaryFolder();
    const idsOf = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await runHere(folder, ...args, '--json', '--quiet');
      return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    };
    expect(await idsOf('scenario', 'list')).toEqual(
      expect.arrayContaining(['box', 'clearing', 'courtyard']),
    );
    expect(await idsOf('sensor', 'list')).toEqual(
      expect.arrayContaining(['grid-64x2083', 'hdl-32e', 'hdl-64e', 'lms-291', 'vlp-16']),
    );
    expect(await idsOf('runs', 'list')).toEqual([]);
  });

  it('schemas are JSON Schema', async () => {
    const { stdout } = await runHere(temporaryFolder(), 'schema', 'scenario');
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      required: expect.arrayContaining(['understory', 'name', 'scene']) as unknown,
    });
  });

  it('a plan reports triangles before anything is built', async () => {
    const { stdout } = await runHere(temporaryFolder(), 'scenario', 'plan', 'box', '--json');
    // A box and a wall of 12, the ground of 2, a sphere of 256 rings: 2 fans and 254 bands of 512 quads.
    const sphere = 2 * 512 + 2 * 512 * 254;
    expect(JSON.parse(stdout)).toMatchObject({
      instancedTriangles: 12 + 12 + 2 + sphere,
      degenerateTriangles: 0,
      instances: 4,
      buildSeconds: 0,
    });
  });
});
