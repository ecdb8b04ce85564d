// Dust that wheels raise, as the worker and the trails of vehicles (domain/shared/motion/dustTrail.ts) are given it.
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { WeatherDocument } from '#contract/documents/weather.ts';
import type { PlumeRecipe } from '#contract/worker/weatherRecipe.ts';
import { power } from '#domain/shared/numbers.ts';
import { windRecipe } from '#domain/shared/wind.ts';

type WheelDust = NonNullable<WeatherDocument['wheelDust']>;

/** Cross-section in m² of a gram, and the speed in m/s at which it falls, by the sizes of its grains. */
const grains = {
  pm10: { extinctionM2PerG: 0.6, settlingMPerS: 0.002 },
  '5-um': { extinctionM2PerG: 0.23, settlingMPerS: 0.002 },
  '10-um': { extinctionM2PerG: 0.11, settlingMPerS: 0.008 },
} as const;

const gramsPerMOfPoundPerMile = 0.2819;
const mPerSOfMilePerHour = 0.44704;

/** EPA, AP-42, 13.2.2, equation 1b, PM-10: grams of dust for each metre of way at 1 m/s; it grows as the root of speed. */
export function dustGPerM({ siltPercent, moisturePercent }: WheelDust): number {
  const poundPerMile =
    (1.8 * (siltPercent / 12) * Math.sqrt(1 / mPerSOfMilePerHour / 30)) /
    power(moisturePercent / 0.5, 0.2);
  return poundPerMile * gramsPerMOfPoundPerMile;
}

/** The plume drifts with the wind of the scene. */
export function plumeRecipe(
  dust: WheelDust,
  scene: Pick<SceneDocument, 'wind' | 'motions'>,
): PlumeRecipe {
  const { extinctionM2PerG, settlingMPerS } = grains[dust.grains];
  const { speedMPerS, towardsRad } = windRecipe(scene) ?? { speedMPerS: 0, towardsRad: 0 };
  const motionNames = Object.keys(scene.motions ?? {});
  return {
    raised: {
      extinctionM2PerM: dustGPerM(dust) * extinctionM2PerG,
      byVehicle: dust.vehicle,
      motions: dust.motions.map((name) => motionNames.indexOf(name)),
    },
    windMPerS: [speedMPerS * Math.cos(towardsRad), speedMPerS * Math.sin(towardsRad)],
    firstM: dust.firstM,
    mixingM2PerS: dust.mixingM2PerS,
    settlingMPerS,
    lidarRatioSr: dust.lidarRatioSr,
  };
}
