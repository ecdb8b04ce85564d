// Things in the air of a scene that send light back: rain, snow, fog, smoke and dust. PHYSICS.md, 2.8.
import { z } from 'zod';
import { form } from './formWords.ts';
import { fraction, positive, slug } from './quantities.ts';

const lidarRatio = (typicalSr: number, of: string) =>
  positive
    .min(1)
    .max(1000)
    .default(typicalSr)
    .describe(`extinction over backscatter, ${of}`)
    .meta(form({ label: 'Lidar ratio', unit: 'sr' }));

const rateMmPerH = (most: number, start: number, of: string) =>
  positive
    .max(most)
    .describe(of)
    .meta(form({ label: 'Rate', unit: 'mm/h', slider: [0, most / 2], start }));

const extinctionPerM = positive
  .max(10)
  .describe('one way, at every wavelength')
  .meta(form({ unit: 'per m', slider: [0, 0.2], start: 0.02 }));

const rainSchema = z.strictObject({
  rateMmPerH: rateMmPerH(200, 10, 'rate of rainfall'),
  law: z
    .enum(['marshall-palmer', 'carbonneau'])
    .default('marshall-palmer')
    .describe(
      'numbers of drops: as Marshall and Palmer 1948 give them, or as many more as the extinction of ITU-R P.1814 takes',
    ),
  reflectance: fraction.min(0.001).default(0.17).describe('of a drop, as a white disc returns 1'),
});

const snowSchema = z.strictObject({
  rateMmPerH: rateMmPerH(50, 2, 'rate of snowfall, as water'),
  wetness: z
    .enum(['dry', 'wet'])
    .default('dry')
    .describe('flakes of a tenth of the density of water, or of three tenths'),
  reflectance: fraction.min(0.001).default(0.5).describe('of a flake, as a white disc returns 1'),
});

const wheelDustSchema = z.strictObject({
  siltPercent: positive
    .max(100)
    .default(8.5)
    .describe('share of the surface below 75 µm: emission as AP-42, 13.2.2 (1b) has it')
    .meta(form({ label: 'Silt', unit: '%', slider: [1, 25] })),
  moisturePercent: positive
    .min(0.03)
    .max(13)
    .default(0.5)
    .describe('of the surface')
    .meta(form({ label: 'Moisture', unit: '%', slider: [0.03, 5] })),
  grains: z
    .enum(['pm10', '5-um', '10-um'])
    .default('pm10')
    .describe('sizes, from which extinction (0.6, 0.23, 0.11 m² a gram) and settling follow'),
  lidarRatioSr: lidarRatio(47, 'of mineral dust'),
  firstM: positive
    .min(0.1)
    .max(5)
    .default(0.5)
    .describe('standard deviation of a puff when it is raised: the wake of the vehicle')
    .meta(form({ label: 'Size of a puff', hint: 'when it is raised' })),
  mixingM2PerS: positive
    .min(1e-3)
    .max(100)
    .default(0.1)
    .describe('eddy diffusivity of the air: the variance of a puff grows by twice as much a second')
    .meta(form({ label: 'Mixing', unit: 'm²/s' })),
  vehicle: z
    .boolean()
    .default(true)
    .describe('the vehicle that carries the sensors raises dust')
    .meta(form({ label: 'Of the vehicle itself' })),
  motions: z
    .array(slug)
    .max(64)
    .default([])
    .describe('motions whose frames are vehicles on the ground that raise dust')
    .meta(form({ label: 'Of motions', hint: 'names' })),
});

export const weatherSchema = z.strictObject({
  rain: rainSchema.optional().describe('drops, each with an echo of its own'),
  snow: snowSchema.optional().describe('flakes, each with an echo of its own'),
  fog: z
    .strictObject({
      visibilityM: positive
        .min(5)
        .max(50_000)
        .describe('meteorological visibility at 550 nm; extinction by Kim 2001')
        .meta(form({ unit: 'm', slider: [10, 1000], hint: 'at 550 nm', start: 200 })),
      lidarRatioSr: lidarRatio(18, 'of droplets of water'),
    })
    .optional()
    .describe('everywhere'),
  smoke: z
    .strictObject({ extinctionPerM, lidarRatioSr: lidarRatio(60, 'of smoke') })
    .optional()
    .describe('everywhere'),
  dust: z
    .strictObject({ extinctionPerM, lidarRatioSr: lidarRatio(47, 'of mineral dust') })
    .optional()
    .describe('everywhere'),
  wheelDust: wheelDustSchema
    .optional()
    .describe('raised by wheels on a dirt track; it drifts with scene.wind, spreads and settles'),
});
export type WeatherDocument = z.output<typeof weatherSchema>;
