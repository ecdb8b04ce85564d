// Option values: what is read, and what is refused.
import { describe, expect, it } from 'vitest';
import { returnColumnNames, returnColumns } from '#contract/columns.ts';
import {
  ArgumentError,
  columns,
  numberKind,
  portKind,
  poseKind,
  size,
  uprightBox,
} from '#contract/commands/commandOptions.ts';

const columnsOf = (names: string): string[] => columns('', '').kind.read(names);

describe('a pose', () => {
  it('is x,y,z,yaw with or without pitch', () => {
    const positionM = [-60, -60, 2];
    expect(poseKind.read('-60,-60,2,45')).toEqual({ positionM, yawDeg: 45, pitchDeg: 0 });
    expect(poseKind.read(' -60, -60, 2, 45, -5.5 ')).toEqual({
      positionM,
      yawDeg: 45,
      pitchDeg: -5.5,
    });
  });

  it.each(['1,2,3', '1,2,3,4,5,6', '1,2,,4', '1,2,x,4', ''])('is not %j', (text) => {
    expect(() => poseKind.read(text)).toThrow(ArgumentError);
  });
});

describe('an upright box', () => {
  const { kind } = uprightBox('box', '--box <box>');

  it('is its centre and its size, with or without a yaw, and is written as it is read', () => {
    const box = { centreM: [1, -2, 0.5], sizeM: [20, 1, 6] };
    expect(kind.read('1,-2,0.5,20,1,6')).toEqual(box);
    expect(kind.read('1,-2,0.5,20,1,6,45')).toEqual({ ...box, yawDeg: 45 });
    for (const text of ['1,-2,0.5,20,1,6', '1,-2,0.5,20,1,6,45']) {
      expect(kind.write(kind.read(text))).toEqual([text]);
    }
  });

  it.each(['1,2,3,4,5', '1,2,3,4,5,6,7,8', '1,2,3,4,,6', ''])('is not %j', (text) => {
    expect(() => kind.read(text)).toThrow(ArgumentError);
  });
});

describe('a port', () => {
  it('is a whole number of sixteen bits', () => {
    expect([portKind.read('0'), portKind.read('65535')]).toEqual([0, 65_535]);
  });

  it.each(['-1', '65536', '1.5', '', 'any'])('is not %j', (text) => {
    expect(() => portKind.read(text)).toThrow(ArgumentError);
  });
});

describe('sizes, numbers and columns', () => {
  it('are read', () => {
    expect(size('', '').kind.read('1280x720')).toEqual([1280, 720]);
    expect(numberKind.read('1e-3')).toBe(0.001);
    expect(columnsOf('time_ns, class,range_m,')).toEqual(['time_ns', 'class_id', 'range_m']);
  });

  it('a set is replaced by its columns, each once', () => {
    const blensor = columnsOf('blensor');
    expect(blensor).toHaveLength(12);
    expect(blensor.slice(0, 5)).toEqual([
      'time_ns',
      'azimuth_rad',
      'elevation_rad',
      'range_clean_m',
      'range_m',
    ]);
    expect(columnsOf('blensor,class,range_m')).toEqual([...blensor, 'class_id']);
    expect(columnsOf('all')).toEqual(returnColumnNames);
    const truth = columnsOf('truth');
    for (const [name, { kind }] of Object.entries(returnColumns)) {
      if (kind === 'truth') expect(truth).toContain(name);
      expect(columnsOf('sensor').includes(name)).toBe(kind === 'sensor');
    }
  });

  it.each(['1280', '1280x', 'x720', '12.5x3'])('%j is no size', (text) => {
    expect(() => size('', '').kind.read(text)).toThrow(ArgumentError);
  });

  it.each(['', ' ', 'ten', '1s'])('%j is no number', (text) => {
    expect(() => numberKind.read(text)).toThrow(ArgumentError);
  });
});
