// Embree's coherent traversal lost rays of packets in which the height of the rays changed its sign close to
// the horizontal: in a closed room, where every ray meets something, pulses came back with half a beam.
import { expect, it } from 'vitest';
import { placed, scenario, sensor } from '#test/support/documents.ts';
import { scanned } from '#test/support/scan.ts';

const room = scenario({
  models: {
    room: { kind: 'box', sizeM: [60, 70, 40], material: 'grey' },
    bank: { kind: 'box', sizeM: [0.5, 1.5, 2], material: 'grey' },
  },
  instances: [
    placed('room', [0, 0, 0]),
    placed('bank', [6, 0, 2], { name: 'a', yawDeg: 30, pitchDeg: 20 }),
    placed('bank', [-5, 1, 2], { name: 'b', yawDeg: 75 }),
    placed('bank', [1, 6, 2.2], { name: 'c', yawDeg: 10 }),
    placed('bank', [0, -4, 2.2], { name: 'd', yawDeg: 100 }),
    placed('bank', [3, 3, 1.5], { name: 'e', yawDeg: 100, rollDeg: 33 }),
    placed('bank', [5, -5, 2], { name: 'f', yawDeg: 33, pitchDeg: 12 }),
    placed('bank', [13, 2, 4], { name: 'g', yawDeg: 88, scale: 4 }),
  ],
});

// One laser is level behind the sensor, whose nose is 8 degrees up.
const lasers = sensor({
  scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 600 },
  banks: [{ name: 'all', elevationsDeg: { fromDeg: -12, toDeg: 12, count: 7 } }],
  beam: { shape: 'elliptical', divergenceHorizontalMrad: 30, divergenceVerticalMrad: 10 },
  returns: { mode: 'first', signalCutoffM: 1000 },
});

it('every ray of every pulse meets a closed room', async () => {
  const pose = [1, -1, 3, -123, -8];
  const { rows } = await scanned({ scene: room, sensor: lasers, pose, columns: 'beam_share' });
  const shares = rows.map(({ beam_share: share = NaN }) => share);
  expect(shares).toHaveLength(4200);
  expect(shares.filter((share) => !(share >= 0.999))).toEqual([]);
});
