// Weather as a person writes it becomes numbers of drops and flakes by size, and media: PHYSICS.md, 2.8.
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { WeatherDocument } from '#contract/documents/weather.ts';
import type {
  AirKind,
  MediumRecipe,
  ParticlesRecipe,
  WeatherRecipe,
} from '#contract/worker/weatherRecipe.ts';
import { cubed, power, squared } from './numbers.ts';

/** Marshall and Palmer 1948: N0 in 1/(m³ mm), Λ in 1/mm, the rate in mm/h. */
const rainNumberPerM3Mm = 8000;
/** Density of a flake against that of water, by wetness. */
const flakeDensity = { dry: 0.1, wet: 0.3 } as const;
/** Decibels per kilometre to a coefficient per metre. */
const perMOfDecibelPerKm = Math.log(10) / 10 / 1000;

/** Parts that are not there are left out. */
export function weatherRecipe({ rain, snow, fog, smoke, dust }: WeatherDocument): WeatherRecipe {
  const media: MediumRecipe[] = [];
  if (fog) {
    const visibilityKm = fog.visibilityM / 1000;
    media.push({ kind: 'fog', visibilityKm, lidarRatioSr: fog.lidarRatioSr });
  }
  if (smoke) media.push({ kind: 'smoke', ...smoke });
  if (dust) media.push({ kind: 'dust', ...dust });
  return {
    particles: [...(rain ? [rainDrops(rain)] : []), ...(snow ? [flakes(snow)] : [])],
    media,
  };
}

/** Extinction of discs, one way, per metre: ½ π N0 f² / Λ³. */
export function particleExtinctionPerM(
  particles: Omit<ParticlesRecipe, 'kind' | 'reflectance'>,
): number {
  const { numberPerM3Mm, sizesPerMm, sizeFactor } = particles;
  return ((Math.PI / 2) * numberPerM3Mm * squared(sizeFactor) * 1e-6) / cubed(sizesPerMm);
}

/** Visibility over extinction at 550 nm, with a contrast of 2 %: Koschmieder 1924. */
const visibilityDepth = 3.912;

/** Extinction of the air at 550 nm, one way, per metre: that of a scene's weather and atmosphere. */
export function visibleExtinctionPerM({
  weather,
  atmosphere,
}: Pick<SceneDocument, 'weather' | 'atmosphere'>): Record<AirKind | 'clear', number> {
  const { particles, media } = weatherRecipe(weather ?? {});
  const all: Record<AirKind | 'clear', number> = {
    rain: 0,
    snow: 0,
    fog: 0,
    smoke: 0,
    dust: 0,
    clear: atmosphere === undefined ? 0 : clearExtinctionPerM(atmosphere),
  };
  for (const one of particles) all[one.kind] += particleExtinctionPerM(one);
  for (const { kind, visibilityKm = Infinity, extinctionPerM = 0 } of media) {
    all[kind] += extinctionPerM + visibilityDepth / (1000 * visibilityKm);
  }
  return all;
}

/** Visibility in an extinction at 550 nm. */
export function visibilityM(extinctionPerM: number): number {
  return visibilityDepth / extinctionPerM;
}

function clearExtinctionPerM({
  visibilityKm = Infinity,
  rainMmPerH,
  extinctionPerM,
}: NonNullable<SceneDocument['atmosphere']>): number {
  const rain = rainMmPerH > 0 ? rainExtinctionPerM(rainMmPerH) : 0;
  return visibilityDepth / (1000 * visibilityKm) + rain + extinctionPerM;
}

/** Carbonneau and Wisely 1998, as in ITU-R P.1814. */
function rainExtinctionPerM(rateMmPerH: number): number {
  return 1.076 * power(rateMmPerH, 0.67) * perMOfDecibelPerKm;
}

function rainDrops({
  rateMmPerH,
  law,
  reflectance,
}: NonNullable<WeatherDocument['rain']>): ParticlesRecipe {
  const drops = {
    numberPerM3Mm: rainNumberPerM3Mm,
    sizesPerMm: 4.1 * power(rateMmPerH, -0.21),
    sizeFactor: 1,
  };
  if (law === 'carbonneau') {
    drops.numberPerM3Mm *= rainExtinctionPerM(rateMmPerH) / particleExtinctionPerM(drops);
  }
  return { kind: 'rain', ...drops, reflectance };
}

/** Gunn and Marshall 1958, by the diameters of the melted flakes. */
function flakes({
  rateMmPerH,
  wetness,
  reflectance,
}: NonNullable<WeatherDocument['snow']>): ParticlesRecipe {
  return {
    kind: 'snow',
    numberPerM3Mm: 3800 * power(rateMmPerH, -0.87),
    sizesPerMm: 2.55 * power(rateMmPerH, -0.48),
    sizeFactor: Math.cbrt(1 / flakeDensity[wetness]),
    reflectance,
  };
}
