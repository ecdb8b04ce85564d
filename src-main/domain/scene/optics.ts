// Materials and air as a person writes them become what the worker traces: radians, colours as numbers.
import type { AtmosphereRecipe, MaterialRecipe } from '#contract/worker/recipe.ts';
import type { Share } from '#contract/documents/optics.ts';
import type { SceneDocument } from '#contract/documents/scene.ts';
import { radians } from '#domain/shared/numbers.ts';

type MaterialDocument = SceneDocument['materials'][string];

/** The plainest form: what a material does not have is left out. */
export function materialRecipe(
  name: string,
  { reflectance, surface, part, colour, ...amounts }: MaterialDocument,
): MaterialRecipe {
  return {
    name,
    reflectance,
    ...(surface.kind !== 'lambertian' && { surface: surfaceRecipe(surface) }),
    ...nonZero(amounts),
    ...(part !== undefined && { part }),
    colourRgb: colourRgb(colour),
  };
}

/** Parts that are not there are left out, and the law without a visibility. */
export function atmosphereRecipe({
  visibilityKm,
  visibilityLaw,
  ...amounts
}: NonNullable<SceneDocument['atmosphere']>): AtmosphereRecipe {
  return {
    ...(visibilityKm !== undefined && { visibilityKm, visibilityLaw }),
    ...nonZero(amounts),
  };
}

function nonZero<T extends Record<string, Share>>(amounts: T): { [K in keyof T]?: T[K] } {
  const given = Object.entries(amounts).filter(([, amount]) => amount !== 0);
  // Why the cast: Object.fromEntries loses the names.
  return Object.fromEntries(given) as { [K in keyof T]?: T[K] };
}

function surfaceRecipe(
  surface: MaterialDocument['surface'],
): NonNullable<MaterialRecipe['surface']> {
  switch (surface.kind) {
    case 'oren-nayar':
      return { kind: surface.kind, roughnessRad: radians(surface.roughnessDeg) };
    case 'retroreflector':
      return {
        kind: surface.kind,
        gain: surface.gain,
        halfWidthRad: radians(surface.halfWidthDeg),
      };
    case 'mirror': {
      const { kind, specularReflectance } = surface;
      return { kind, ...(specularReflectance !== 1 && { specularReflectance }) };
    }
    default:
      return surface;
  }
}

/** '#rrggbb' to 0–1. */
function colourRgb(hex: string): [number, number, number] {
  const channel = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}
