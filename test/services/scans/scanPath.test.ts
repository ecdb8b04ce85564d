// The pieces of a scan, and how much of it is done.
import { expect, it } from 'vitest';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import { stationaryAt } from '#domain/trajectory/trajectory.ts';
import { piecesOf, progressOfPath, type ScanPath } from '#services/scans/scanPath.ts';

const trajectory = stationaryAt(poseFromDegrees({ positionM: [0, 0, 2], yawDeg: 0, pitchDeg: 0 }));
/** Two legs, of which the first 0.3 s are left out. */
const path: ScanPath = {
  legs: [
    { name: 'first', fromNs: 0, toNs: 1e9, trajectory },
    { name: 'second', fromNs: 1e9, toNs: 3e9, trajectory },
  ],
  whole: { fromNs: 0, toNs: 3e9 },
  isSurvey: true,
  isPart: true,
  fromNs: 3e8,
  toNs: 3e9,
};

it('reports progress over all pieces of a scan', () => {
  const shares: number[] = [];
  for (const piece of piecesOf(path, 5e8)) {
    for (const done of [0, 50, 100]) {
      const progress = progressOfPath(path, piece, { phase: 'scan', done, total: 100 });
      shares.push(progress.done / progress.total);
    }
  }
  expect(shares).toHaveLength(3 * 6);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares[0]).toBe(0);
  // Half of the first piece, of 0.2 s of 2.7 s.
  expect(shares[1]).toBeCloseTo(0.1 / 2.7, 12);
  expect(shares.at(-1)).toBe(1);
});

it('reports progress over all passes of a piece', () => {
  const [piece] = piecesOf(path, 5e8);
  if (piece === undefined) throw new Error('there is no piece');
  const shares = [0, 1].flatMap((index) =>
    [0, 100].map((done) => {
      const pass = { index, of: 2 };
      return progressOfPath(path, piece, { phase: 'scan', done, total: 100 }, pass).done / 2e8;
    }),
  );
  expect(shares).toEqual([0, 0.5, 0.5, 1]);
});

it('begins a piece whose size is not known yet', () => {
  const [piece] = piecesOf(path, 5e8);
  if (piece === undefined) throw new Error('there is no piece');
  expect(progressOfPath(path, piece, { phase: 'scan', done: 0, total: 0 }).done).toBe(0);
});
