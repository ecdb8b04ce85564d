// Option values: what is read, and what is refused.
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { returnColumnNames, returnColumns } from '#contract/columns.ts';
import {
  parseColumns,
  parseNumber,
  parsePort,
  parsePose,
  parseSize,
} from '#hosts/cli/arguments.ts';

describe('a pose', () => {
  it('is x,y,z,yaw with or without pitch', () => {
    const positionM = [-60, -60, 2];
    expect(parsePose('-60,-60,2,45')).toEqual({ positionM, yawDeg: 45, pitchDeg: 0 });
    expect(parsePose(' -60, -60, 2, 45, -5.5 ')).toEqual({ positionM, yawDeg: 45, pitchDeg: -5.5 });
  });

  it.each(['1,2,3', '1,2,3,4,5,6', '1,2,,4', '1,2,x,4', ''])('is not %j', (text) => {
    expect(() => parsePose(text)).toThrow(InvalidArgumentError);
  });
});

describe('a port', () => {
  it('is a whole number of sixteen bits', () => {
    expect([parsePort('0'), parsePort('65535')]).toEqual([0, 65_535]);
  });

  it.each(['-1', '65536', '1.5', '', 'any'])('is not %j', (text) => {
    expect(() => parsePort(text)).toThrow(InvalidArgumentError);
  });
});

describe('sizes, numbers and columns', () => {
  it('are read', () => {
    expect(parseSize('1280x720')).toEqual({ widthPx: 1280, heightPx: 720 });
    expect(parseNumber('1e-3')).toBe(0.001);
    expect(parseColumns('time_ns, class,range_m,')).toEqual(['time_ns', 'class_id', 'range_m']);
  });

  it('a set is replaced by its columns, each once', () => {
    const blensor = parseColumns('blensor');
    expect(blensor).toHaveLength(12);
    expect(blensor.slice(0, 5)).toEqual([
      'time_ns',
      'azimuth_rad',
      'elevation_rad',
      'range_clean_m',
      'range_m',
    ]);
    expect(parseColumns('blensor,class,range_m')).toEqual([...blensor, 'class_id']);
    expect(parseColumns('all')).toEqual(returnColumnNames);
    const truth = parseColumns('truth');
    for (const [name, { kind }] of Object.entries(returnColumns)) {
      if (kind === 'truth') expect(truth).toContain(name);
      expect(parseColumns('sensor').includes(name)).toBe(kind === 'sensor');
    }
  });

  it.each(['1280', '1280x', 'x720', '12.5x3'])('%j is no size', (text) => {
    expect(() => parseSize(text)).toThrow(InvalidArgumentError);
  });

  it.each(['', ' ', 'ten', '1s'])('%j is no number', (text) => {
    expect(() => parseNumber(text)).toThrow(InvalidArgumentError);
  });
});
