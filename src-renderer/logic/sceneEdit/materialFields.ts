// The fields of a material in a scenario: those of every surface, and those of its kind.
import { number, shares, type SceneField } from './sceneField.ts';

const surfaces = [
  'lambertian',
  'oren-nayar',
  'mirror',
  'retroreflector',
  'glass',
  'water',
] as const;

/** `surface`: the kind that the document says, if it says one. */
export function materialFields(surface: unknown): SceneField[] {
  const isSmooth = surface === 'mirror' || surface === 'glass' || surface === 'water';
  return [
    {
      path: ['colour'],
      label: 'Colour',
      kind: 'colour',
      fallback: '#9a9a9a',
      hint: 'for rendering',
    },
    {
      path: ['surface', 'kind'],
      label: 'Surface',
      kind: 'choice',
      options: surfaces,
      fallback: 'lambertian',
    },
    ...surfaceFields(surface),
    shares(['reflectance'], 'Reflectance', reflectanceHint(surface)),
    // Shown where they must be 0, too: a document may say otherwise, and its problem needs a place.
    shares(['transmittance'], 'Transmittance', {
      fallback: 0,
      hint: isSmooth ? 'of diffuse surfaces' : 'diffuse, through a leaf',
    }),
    number(['gapFraction'], 'Gap fraction', {
      fallback: 0,
      slider: [0, 1],
      step: 0.01,
      hint: isSmooth ? 'of diffuse surfaces' : 'passes straight through',
    }),
    number(['wetness'], 'Wetness', {
      fallback: 0,
      slider: [0, 1],
      step: 0.05,
      hint: 'share under a film of water',
    }),
  ];
}

function reflectanceHint(surface: unknown): { hint?: string } {
  if (surface === 'mirror') return { hint: 'without effect' };
  if (surface === 'glass') return { hint: 'of dirt on it' };
  return surface === 'water' ? { hint: 'of foam or cloudy water' } : {};
}

function surfaceFields(surface: unknown): SceneField[] {
  const absorption: SceneField = {
    ...{
      path: ['surface', 'absorptionPerM'],
      label: 'Absorption',
      unit: 'per m',
      kind: 'spectrum',
    },
    numbers: 'per m',
    isWide: true,
  };
  const index = (fallback: number): SceneField =>
    number(['surface', 'refractiveIndex'], 'Refractive index', { fallback, step: 0.01 });
  switch (surface) {
    case 'oren-nayar':
      return [number(['surface', 'roughnessDeg'], 'Roughness', { unit: '°', slider: [0, 90] })];
    case 'mirror':
      return [shares(['surface', 'specularReflectance'], 'Specular reflectance', { fallback: 1 })];
    case 'retroreflector':
      return [
        number(['surface', 'gain'], 'Gain', { hint: 'relative to a white surface' }),
        number(['surface', 'halfWidthDeg'], 'Half width', { unit: '°', slider: [0.5, 90] }),
      ];
    case 'glass':
      return [
        index(1.5),
        number(['surface', 'thicknessM'], 'Thickness', { unit: 'm', fallback: 0.004, step: 0.001 }),
        { ...absorption, fallback: 0 },
      ];
    case 'water':
      return [
        index(1.33),
        number(['surface', 'depthM'], 'Max depth', { unit: 'm', fallback: 10, step: 0.1 }),
        { ...absorption, isOptional: true, hint: 'empty: pure water' },
      ];
    default:
      return [];
  }
}
