// Embree's coherent traversal lost rays of packets in which the height of the rays changed its sign close to
// the horizontal: in a closed room, where every ray meets something, pulses came back with half a beam.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const room = `
understory: 2
name: A closed room with blocks in it
scene:
  materials: { grey: { reflectance: 0.5 } }
  models:
    room: { kind: box, sizeM: [60, 70, 40], material: grey }
    bank: { kind: box, sizeM: [0.5, 1.5, 2], material: grey }
  instances:
    - { name: room, model: room, positionM: [0, 0, 0], onGround: false }
    - { name: a, model: bank, positionM: [6, 0, 2], yawDeg: 30, pitchDeg: 20, onGround: false }
    - { name: b, model: bank, positionM: [-5, 1, 2], yawDeg: 75, onGround: false }
    - { name: c, model: bank, positionM: [1, 6, 2.2], yawDeg: 10, onGround: false }
    - { name: d, model: bank, positionM: [0, -4, 2.2], yawDeg: 100, onGround: false }
    - { name: e, model: bank, positionM: [3, 3, 1.5], yawDeg: 100, rollDeg: 33, onGround: false }
    - { name: f, model: bank, positionM: [5, -5, 2], yawDeg: 33, pitchDeg: 12, onGround: false }
    - { name: g, model: bank, positionM: [13, 2, 4], yawDeg: 88, scale: 4, onGround: false }
`;

// One laser is level behind the sensor, whose nose is 8 degrees up.
const sensor = `
understorySensor: 3
id: seven
name: Seven lasers
source: none
scan: { kind: spinning, rateHz: 10, slotsPerRevolution: 600 }
banks: [{ name: all, elevationsDeg: { fromDeg: -12, toDeg: 12, count: 7 } }]
range: { minM: 0, maxM: 1000 }
beam: { shape: elliptical, divergenceHorizontalMrad: 30, divergenceVerticalMrad: 10 }
returns: { mode: first, signalCutoffM: 1000 }
`;

it('every ray of every pulse meets a closed room', async () => {
  const folder = temporaryFolder();
  const [scene, lasers, out] = ['room.yaml', 'seven.yaml', 'out.csv'].map((n) => join(folder, n));
  if (scene === undefined || lasers === undefined || out === undefined) throw new Error('no names');
  writeFileSync(scene, room);
  writeFileSync(lasers, sensor);
  const place = ['--pose=1,-1,3,-123,-8', '--seconds', '0.1', '--columns', 'beam_share'];
  const { exitCode, stderr } = await runHere(
    folder,
    ...['scan', scene, '--sensor', lasers, ...place, '--out', out],
  );
  expect(stderr).toContain('4,200 pulses, 4,200 returns');
  expect(exitCode).toBe(0);
  const [, ...shares] = readFileSync(out, 'utf8').trimEnd().split('\n').map(Number);
  expect(shares).toHaveLength(4200);
  expect(shares.filter((share) => share < 0.999)).toEqual([]);
});
