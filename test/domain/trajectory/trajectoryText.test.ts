// Trajectories of other programs: what is read, and one clear problem for each kind of mistake.
import { describe, expect, it } from 'vitest';
import {
  trajectoryFormatOf,
  trajectoryReader,
  type TrajectoryTextOptions,
} from '#domain/trajectory/trajectoryText.ts';
import { rotate } from '#domain/shared/pose.ts';

function read(text: string, options: TrajectoryTextOptions, pieceLength = text.length || 1) {
  const reader = trajectoryReader(options);
  for (let at = 0; at < text.length; at += pieceLength)
    reader.take(text.slice(at, at + pieceLength));
  return reader.finish();
}

const tum = { format: 'tum' } as const;
const line = (timeS: string, rest = '1 2 3 0 0 0 1'): string => `${timeS} ${rest}\n`;

describe('TUM', () => {
  it('reads positions, rotations and times, in pieces of any length', () => {
    const text = `# time x y z qx qy qz qw\n${line('0.0')}\n${line('0.1', '4 5 6 0 0 1 0')}`;
    for (const pieceLength of [1, 7, 1000]) {
      const { value, problems } = read(text, tum, pieceLength);
      expect(problems).toEqual([]);
      expect(value?.epochS).toBe(0);
      expect([...(value?.trajectory.time_ns ?? [])]).toEqual([0n, 100_000_000n]);
      expect([...(value?.trajectory.z_m ?? [])]).toEqual([3, 6]);
      expect([...(value?.trajectory.qz ?? [])]).toEqual([0, 1]);
    }
  });

  it('keeps every nanosecond of times since 1970, from the first whole second on', () => {
    const text = line('1763798400.123456789') + line('1763798401.000000001');
    const { value } = read(text, tum);
    expect(value?.epochS).toBe(1_763_798_400);
    expect([...(value?.trajectory.time_ns ?? [])]).toEqual([123_456_789n, 1_000_000_001n]);
  });

  it('normalises quaternions that were rounded on writing', () => {
    const { value } = read(line('0', '0 0 0 0 0 0.7071 0.7071'), tum);
    const { qz, qw } = value?.trajectory ?? {};
    expect(Math.hypot(qz?.[0] ?? 0, qw?.[0] ?? 0)).toBeCloseTo(1, 15);
  });

  it.each([
    ['equal times', line('0') + line('0'), 'line 2', /after that of the pose before \(0 s\)/],
    ['decreasing times', line('5') + line('4.5'), 'line 2', /found 4\.5 s/],
    ['a quaternion of another length', line('0', '1 2 3 0 0 0 2'), 'line 1', /length of 2\.0/],
    ['too few numbers', '0 1 2 3\n', 'line 1', /expected 8 numbers .* found 4/],
    ['words', line('0', '1 2 east 0 0 0 1'), 'line 1', /expected numbers only/],
    ['NaN', line('0', '1 2 nan 0 0 0 1'), 'line 1', /expected numbers only/],
    ['nothing', '# empty\n', '(file)', /at least one pose/],
    [
      'a gap',
      line('0') + line('0.1') + line('0.2') + line('5'),
      'line 4',
      /at most 2 s between two poses, found a gap of 4\.8 s/,
    ],
  ])('reports %s with its line', (_, text, path, message) => {
    const { value, problems } = read(text, tum);
    expect(value).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toBe(path);
    expect(problems[0]?.message).toMatch(message);
  });

  it('takes gaps up to the length that was allowed', () => {
    const text = line('0') + line('0.1') + line('5');
    expect(read(text, { ...tum, maxGapS: 5 }).problems).toEqual([]);
  });
});

describe('CSV with named columns', () => {
  it('takes columns in any order, ignores others, and angles in degrees', () => {
    const text = 'note,z_m,y_m,x_m,yaw_deg,time_ns\na,3,2,1,90,1000\nb,3,2,2,180,2000\n';
    const { value, problems } = read(text, { format: 'csv' });
    expect(problems).toEqual([]);
    const { x_m, time_ns, qz, qw } = value?.trajectory ?? {};
    expect([...(time_ns ?? [])]).toEqual([1000n, 2000n]);
    expect([...(x_m ?? [])]).toEqual([1, 2]);
    expect(qz?.[0]).toBeCloseTo(Math.SQRT1_2, 12);
    expect(qw?.[0]).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it('turns by roll and pitch as REP-103 has them', () => {
    const text = 'time_s,x_m,y_m,z_m,roll_deg,pitch_deg,yaw_deg\n0,0,0,0,0,30,0\n';
    const t = read(text, { format: 'csv' }).value?.trajectory;
    const ahead = rotate([t?.qx[0] ?? 0, t?.qy[0] ?? 0, t?.qz[0] ?? 0, t?.qw[0] ?? 0], [1, 0, 0]);
    // Positive pitch lowers the nose.
    expect(ahead[2]).toBeCloseTo(-0.5, 12);
    expect(ahead[0]).toBeCloseTo(Math.cos(Math.PI / 6), 12);
  });

  it('names the columns that are missing', () => {
    const { problems } = read('time,x,y\n0,1,2\n', { format: 'csv' });
    expect(problems[0]?.message).toMatch(/time_s, x_m, y_m, z_m, yaw_deg/);
  });
});

describe('KITTI', () => {
  it('turns the axes of the camera into x ahead, y left, z up', () => {
    // The camera has moved 5 m ahead (its z) and 1 m down (its y), and turned right by 90° about its y.
    const matrix = '0 0 1 0 0 1 0 1 -1 0 0 5';
    const { value, problems } = read(`1 0 0 0 0 1 0 0 0 0 1 0\n${matrix}\n`, {
      format: 'kitti',
      timesS: [0, 0.1],
    });
    expect(problems).toEqual([]);
    const t = value?.trajectory;
    expect([t?.x_m[1], t?.y_m[1], t?.z_m[1]]).toEqual([5, -0, -1]);
    const rotation = [t?.qx[1] ?? 0, t?.qy[1] ?? 0, t?.qz[1] ?? 0, t?.qw[1] ?? 0] as const;
    const [x, y, z] = rotate([...rotation], [1, 0, 0]);
    // A turn to the right: ahead becomes right, −y.
    expect(x).toBeCloseTo(0, 12);
    expect(y).toBeCloseTo(-1, 12);
    expect(z).toBeCloseTo(0, 12);
  });

  it('asks for as many times as poses', () => {
    const { problems } = read('1 0 0 0 0 1 0 0 0 0 1 0\n', { format: 'kitti' });
    expect(problems[0]?.message).toMatch(/a time for each pose in times\.txt.*found 0/);
  });
});

it('knows formats by the ending of a name', () => {
  expect(trajectoryFormatOf('a/b.TUM')).toBe('tum');
  expect(trajectoryFormatOf('poses.csv')).toBe('csv');
  expect(trajectoryFormatOf('poses.bin')).toBeNull();
});
