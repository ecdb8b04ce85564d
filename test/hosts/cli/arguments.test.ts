// Option values: what is read, and what is refused.
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseColumns, parseNumber, parsePose, parseSize } from '#hosts/cli/arguments.ts';

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

describe('sizes, numbers and columns', () => {
  it('are read', () => {
    expect(parseSize('1280x720')).toEqual({ widthPx: 1280, heightPx: 720 });
    expect(parseNumber('1e-3')).toBe(0.001);
    expect(parseColumns('time_ns, class,range_m,')).toEqual(['time_ns', 'class_id', 'range_m']);
  });

  it.each(['1280', '1280x', 'x720', '12.5x3'])('%j is no size', (text) => {
    expect(() => parseSize(text)).toThrow(InvalidArgumentError);
  });

  it.each(['', ' ', 'ten', '1s'])('%j is no number', (text) => {
    expect(() => parseNumber(text)).toThrow(InvalidArgumentError);
  });
});
