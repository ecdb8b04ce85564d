// `compare` states what the Bhattacharyya distance means, or why there is none.
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';

/** A sensor that stays; 400 beams along one line, this share of them 2 mm farther than the others. */
function lineOfBeams(share: number): string {
  const rows = Array.from({ length: 400 }, (_, n) =>
    [n, '0,0,2', n < 400 * share ? 10.002 : 10, '0,2,0,0'].join(','),
  );
  return ['time_ns,origin_x,origin_y,origin_z,x,y,z,azimuth_rad,laser', ...rows].join('\n');
}

describe('compare', () => {
  it('states what the Bhattacharyya distance of two logs means', async () => {
    const folder = temporaryFolder({ 'one.csv': lineOfBeams(0.5), 'other.csv': lineOfBeams(0.25) });
    const { stderr } = await runHere(folder, 'compare', 'one.csv', 'other.csv');
    expect(stderr).toContain('note: Bhattacharyya: −ln Σ√(p·q) of range histograms');
    expect(stderr).toContain('Its floor: ');
    const printed = await runHere(folder, 'compare', 'one.csv', 'other.csv', '--json');
    const { bhattacharyya } = JSON.parse(printed.stdout) as { bhattacharyya: number };
    const overlap = Math.sqrt(0.5 * 0.25) + Math.sqrt(0.5 * 0.75);
    expect(bhattacharyya).toBeCloseTo(-Math.log(overlap), 6);
  });

  it('states why there is none', async () => {
    const folder = temporaryFolder({
      'one.csv': lineOfBeams(0.5).split('\n').slice(0, 10).join('\n'),
    });
    const { stderr } = await runHere(folder, 'compare', 'one.csv', 'one.csv');
    expect(stderr).toContain('note: Bhattacharyya –: the sensor moved');
  });
});
