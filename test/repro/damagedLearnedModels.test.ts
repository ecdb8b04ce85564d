// A drive and a scan with a learned model that was cut, or is no model, named its file without the folder.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { learnedPly } from '#test/physics/learnedPly.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { flatGround, placed, scenario } from '#test/support/documents.ts';

const scene = scenario({
  models: { site: { kind: 'learned', file: 'models/../site.ply', material: 'grey' } },
  ground: flatGround(40),
  instances: [placed('site', [0, 0, 0])],
  sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
  mission: { startM: [-9, 0], goalM: [9, 0] },
});
const whole = learnedPly([{ meanM: [8, 0, 1], sigmaM: 0.1, permeability: 0.6, support: 20 }]);
const drive = ['--seconds', '0.1'];
const scan = ['--sensor', 'vlp-16', '--pose', '0,0,2,0', '--seconds', '0.1', '--out', 'x.csv'];

describe.each([
  [
    'cut within its rows',
    whole.subarray(0, -20),
    /, byte \d+: expected 65 bytes of rows, found 45/,
  ],
  ['cut within its header', whole.subarray(0, 300), /, line \d+: expected 'end_header'/],
  ['a text', Buffer.from('no model'), /, line 1: expected 'ply' at the start of a PLY file/],
])('a learned model that is %s', (_, bytes, reason) => {
  it.each([
    ['drive', drive],
    ['scan', scan],
  ])('ends a %s with its path and what was expected', async (command, options) => {
    const folder = temporaryFolder({ 'scene.understory.yaml': scene, 'site.ply': bytes });
    const { stderr, exitCode } = await runHere(
      folder,
      command,
      join(folder, 'scene.understory.yaml'),
      ...options,
    );
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(last).toMatch(/^understory: /);
    expect(last).toContain(`${join(folder, 'site.ply')}, `);
    expect(last).toMatch(reason);
    expect(exitCode).toBe(2);
  });
});
