// Light of the sky by the hour.
import { describe, expect, it } from 'vitest';
import { daylight, hourText, sunAt } from '#renderer/logic/scene/daylight.ts';

const degrees = (radians: number): number => (180 / Math.PI) * radians;

describe('the sun', () => {
  it('is highest at noon in the south, as high as latitude and declination say', () => {
    const [east, north, up] = sunAt(12);
    expect(east).toBeCloseTo(0, 12);
    expect(north).toBeLessThan(0);
    // 90° − 48° + 15°.
    expect(degrees(Math.asin(up))).toBeCloseTo(57, 9);
  });

  it('rises north of east when the day is longer than the night, and sets north of west', () => {
    // cos H = −tan φ tan δ: 107.3°, 7.16 h from noon.
    const halfDayH =
      degrees(Math.acos(-Math.tan(0.8377580409572781) * Math.tan(0.2617993877991494))) / 15;
    for (const [hour, side] of [
      [12 - halfDayH, 1],
      [12 + halfDayH, -1],
    ] as const) {
      const [east, north, up] = sunAt(hour);
      expect(up).toBeCloseTo(0, 9);
      expect([Math.sign(east), north > 0]).toEqual([side, true]);
    }
  });

  it.each([0, 5, 9.5, 14, 21, 24])('has a direction of length 1 at %d h', (hour) => {
    expect(Math.hypot(...sunAt(hour))).toBeCloseTo(1, 12);
    expect(Math.hypot(...daylight(hour).direction)).toBeCloseTo(1, 3);
  });
});

describe('daylight', () => {
  it('always comes from above, and never jumps', () => {
    const step = 1 / 240;
    for (let hour = step; hour <= 24; hour += step) {
      const [before, now] = [daylight(hour - step), daylight(hour)];
      expect(now.direction[2] > 0 || Math.max(...now.sun) === 0, `${hour} h`).toBe(true);
      for (const name of ['sun', 'sky', 'horizon', 'zenith'] as const) {
        for (const channel of [0, 1, 2] as const) {
          const jump = Math.abs(now[name][channel] - before[name][channel]);
          // A quarter of a minute: the whole range of twilight takes half an hour.
          expect(jump, `${name} at ${hour} h`).toBeLessThan(0.03);
        }
      }
    }
  });

  it('is warm when the sun is low, and dim at night', () => {
    const [noon, evening, night] = [daylight(12), daylight(18.6), daylight(0)];
    expect(evening.sun[0] / evening.sun[2]).toBeGreaterThan(2 * (noon.sun[0] / noon.sun[2]));
    expect(Math.max(...night.sun)).toBeLessThan(0.2 * Math.max(...noon.sun));
    expect(Math.max(...night.sun)).toBeGreaterThan(0);
  });
});

it('an hour is written with its minutes', () => {
  expect([6.5, 0, 24, 13.75].map(hourText)).toEqual(['06:30', '00:00', '00:00', '13:45']);
});
