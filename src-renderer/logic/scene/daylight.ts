// Light of the sky by the hour, for views: where the sun is, and the colours of sun, sky and haze. Nothing that is
// simulated depends on it, and no theme changes it.
import { clamp, radians } from '#domain/shared/numbers.ts';

type Rgb = readonly [number, number, number];
/** Unit; x east, y north, z up. */
type Direction = readonly [number, number, number];

/** Colours are linear; sun, sky and bounce are factors of a surface's colour. */
export interface Daylight {
  /** Towards the sun, or the moon at night. */
  direction: Direction;
  sun: Rgb;
  sky: Rgb;
  bounce: Rgb;
  zenith: Rgb;
  /** And of haze and fog. */
  horizon: Rgb;
}

/** Central Europe in May or August, solar time. */
const latitudeRad = radians(48);
const declinationRad = radians(15);
export const defaultHour = 14;
/** Sine of the sun's elevation at which the moon takes over, while neither is seen. */
const moonBelow = -0.05;
const moonDirection: Direction = [0.3, -0.42, 0.857];
const moonlight: Rgb = [0.17, 0.2, 0.28];

const day = {
  sun: [1.75, 1.6, 1.32],
  sky: [0.52, 0.6, 0.7],
  bounce: [0.3, 0.27, 0.2],
  zenith: [0.266, 0.485, 0.716],
  horizon: [0.768, 0.831, 0.823],
} as const satisfies Record<string, Rgb>;
const dusk = { sun: [1.7, 0.8, 0.3], horizon: [0.8, 0.42, 0.22] } as const;
const night = {
  sky: [0.1, 0.13, 0.2],
  bounce: [0.05, 0.05, 0.06],
  zenith: [0.004, 0.007, 0.018],
  horizon: [0.02, 0.03, 0.052],
} as const satisfies Record<string, Rgb>;

/** Towards the sun; below the horizon at night. `hour`: solar time, 0 to 24. */
export function sunAt(hour: number): Direction {
  const hourAngle = radians(15 * (hour - 12));
  const [sinLat, cosLat] = [Math.sin(latitudeRad), Math.cos(latitudeRad)];
  const [sinDec, cosDec] = [Math.sin(declinationRad), Math.cos(declinationRad)];
  return [
    -cosDec * Math.sin(hourAngle),
    cosLat * sinDec - sinLat * cosDec * Math.cos(hourAngle),
    sinLat * sinDec + cosLat * cosDec * Math.cos(hourAngle),
  ];
}

/** Light at an hour of solar time. */
export function daylight(hour: number): Daylight {
  const sun = sunAt(hour);
  const [, , height] = sun;
  const light = smoothStep(-0.12, 0.25, height);
  const isNight = height < moonBelow;
  const warmth = smoothStep(-0.15, 0.02, height) * (1 - smoothStep(0.02, 0.4, height));
  const seen = smoothStep(0, 0.12, height);
  const moon = 1 - smoothStep(-0.2, moonBelow, height);
  return {
    direction: isNight ? moonDirection : sun,
    sun: isNight
      ? scaled(moonlight, moon)
      : scaled(mixed(dusk.sun, day.sun, smoothStep(0.02, 0.45, height)), seen),
    sky: mixed(night.sky, day.sky, light),
    bounce: mixed(night.bounce, day.bounce, light),
    zenith: mixed(night.zenith, day.zenith, light),
    horizon: mixed(mixed(night.horizon, day.horizon, light), dusk.horizon, 0.7 * warmth),
  };
}

/** '06:30'. */
export function hourText(hour: number): string {
  const minutes = Math.round(60 * hour);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60) % 24)}:${twoDigits(minutes % 60)}`;
}

function smoothStep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (channel: 0 | 1 | 2): number => from[channel] + share * (to[channel] - from[channel]);
  return [at(0), at(1), at(2)];
}

function scaled([r, g, b]: Rgb, factor: number): Rgb {
  return [r * factor, g * factor, b * factor];
}
