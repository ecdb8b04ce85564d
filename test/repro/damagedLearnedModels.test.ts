// A drive and a scan with a learned model that was cut, or is no model, named its file without the folder.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { learnedPly } from '#test/physics/learnedPly.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const scenario = `understory: 2
name: Learned site
scene:
  materials: { soil: { reflectance: 0.25 } }
  models: { site: { kind: learned, file: models/../site.ply, material: soil } }
  ground: { kind: plane, sizeM: [40, 40], material: soil }
  instances: [{ name: site, model: site, positionM: [0, 0, 0] }]
sensors: [{ name: lidar, sensor: vlp-16, mount: { positionM: [0, 0, 2] } }]
mission: { startM: [-9, 0], goalM: [9, 0] }
`;
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
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'scene.understory.yaml'), scenario);
    writeFileSync(join(folder, 'site.ply'), bytes);
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
