// The air of a scene as its view shows it: how soon the view is lost in it, its colour, and the wind that bends plants.
import type { SceneDocument } from '#contract/documents/scene.ts';
import { visibleExtinctionPerM } from '#domain/shared/weather.ts';
import { meanDisplacementM, swaysInWind, windRecipe } from '#domain/shared/wind.ts';

export interface SceneWind {
  speedMPerS: number;
  /** Unit, from west to east and from south to north. */
  towards: readonly [number, number];
  /** Displacement of tops by the mean wind, before `maxLean`, a share of the height, limits it. */
  topM: number;
  maxLean: number;
  /** Names of models that give way. */
  models: ReadonlySet<string>;
}

export interface SceneAir {
  /** At 550 nm, one way. */
  extinctionPerM: number;
  /** Colour of the air as factors of that of fog: red, green, blue, linear. */
  tint: readonly [number, number, number];
  wind: SceneWind | null;
}

type Air = Pick<SceneDocument, 'weather' | 'atmosphere' | 'wind' | 'models'>;

export const clearAir: SceneAir = { extinctionPerM: 0, tint: [1, 1, 1], wind: null };

/** Ours, for the eye. */
const tints = {
  clear: [1, 1, 1],
  rain: [0.82, 0.85, 0.9],
  snow: [1, 1, 1],
  fog: [0.97, 0.97, 0.97],
  smoke: [0.55, 0.54, 0.53],
  dust: [0.86, 0.68, 0.44],
} as const;

/** The air of a checked scene. */
export function sceneAir(scene: Air): SceneAir {
  const parts = Object.entries(visibleExtinctionPerM(scene)) as [keyof typeof tints, number][];
  const extinctionPerM = parts.reduce((sum, [, own]) => sum + own, 0);
  const mean = (channel: 0 | 1 | 2): number =>
    extinctionPerM === 0
      ? 1
      : parts.reduce((sum, [kind, own]) => sum + own * tints[kind][channel], 0) / extinctionPerM;
  return { extinctionPerM, tint: [mean(0), mean(1), mean(2)], wind: sceneWind(scene) };
}

function sceneWind(scene: Air): SceneWind | null {
  const recipe = windRecipe(scene);
  if (recipe === null) return null;
  const { speedMPerS, towardsRad, maxLean } = recipe;
  const models = Object.entries(scene.models).flatMap(([name, model]) =>
    swaysInWind(model) ? [name] : [],
  );
  return {
    speedMPerS,
    towards: [Math.cos(towardsRad), Math.sin(towardsRad)],
    topM: meanDisplacementM(recipe),
    maxLean,
    models: new Set(models),
  };
}
