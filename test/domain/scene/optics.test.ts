// Materials, air and mirrors: what is refused, and what the worker is given.
import { describe, expect, it } from 'vitest';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { atmosphereRecipe, materialRecipe } from '#domain/scene/optics.ts';
import { minimalScenario } from '#test/support/documents.ts';

type Scene = NonNullable<ReturnType<typeof parseScenario>['value']>['scene'];

function withMaterial(fields: string): string {
  expect(minimalScenario).toContain('{ reflectance: 0.3 }');
  return minimalScenario.replace('{ reflectance: 0.3 }', `{ ${fields} }`);
}

function problemsOf(text: string): string[] {
  return parseScenario(text).problems.map(({ path, message }) => `${path}: ${message}`);
}

function sceneOf(text: string): Scene {
  const { value, problems } = parseScenario(text);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('unreachable');
  return value.scene;
}

function materialOf(fields: string): ReturnType<typeof materialRecipe> {
  const material = sceneOf(withMaterial(fields)).materials['soil'];
  if (!material) throw new Error('expected a material');
  return materialRecipe('soil', material);
}

describe('materials', () => {
  it('leave out what they do not have', () => {
    expect(Object.keys(materialOf('reflectance: 0.3'))).toEqual([
      'name',
      'reflectance',
      'colourRgb',
    ]);
  });

  it('keep spectra as they are', () => {
    const { reflectance } = materialOf('reflectance: [[905, 0.45], [1550, 0.25]]');
    expect(reflectance).toEqual([
      [905, 0.45],
      [1550, 0.25],
    ]);
  });

  it('have their angles in radians', () => {
    const rough = materialOf('reflectance: 0.2, surface: { kind: oren-nayar, roughnessDeg: 30 }');
    expect(rough.surface).toEqual({ kind: 'oren-nayar', roughnessRad: Math.PI / 6 });
    const sign = materialOf(
      'reflectance: 0.5, surface: { kind: retroreflector, gain: 300, halfWidthDeg: 45 }',
    );
    expect(sign.surface).toEqual({
      kind: 'retroreflector',
      gain: 300,
      halfWidthRad: Math.PI / 4,
    });
    expect(materialOf('reflectance: 0, surface: { kind: mirror }').surface).toEqual({
      kind: 'mirror',
    });
  });

  it('reflect and let through all that comes, at most', () => {
    expect(materialOf('reflectance: 0.7, transmittance: 0.3').transmittance).toBe(0.3);
    const { transmittance } = materialOf(
      'reflectance: [[680, 0.05], [905, 0.5]], transmittance: [[680, 0.03], [905, 0.5]]',
    );
    expect(transmittance).toEqual([
      [680, 0.03],
      [905, 0.5],
    ]);
  });

  it('have gaps and water only where they say so', () => {
    expect(materialOf('reflectance: 0.7, gapFraction: 0.4, wetness: 0.5')).toMatchObject({
      gapFraction: 0.4,
      wetness: 0.5,
    });
  });

  it('are glass of 4 mm, or clear water to 10 m, unless they say otherwise', () => {
    expect(materialOf('reflectance: 0, surface: { kind: glass }').surface).toEqual({
      kind: 'glass',
      refractiveIndex: 1.5,
      absorptionPerM: 0,
      thicknessM: 0.004,
    });
    const { surface } = materialOf('reflectance: 0, surface: { kind: water }');
    expect(surface).toMatchObject({ kind: 'water', refractiveIndex: 1.33, depthM: 10 });
    const { absorptionPerM } = surface as { absorptionPerM: number[][] };
    expect(absorptionPerM).toContainEqual([905, 7]);
    const mirror = 'reflectance: 0, surface: { kind: mirror, specularReflectance: 0.9 }';
    expect(materialOf(mirror).surface).toEqual({ kind: 'mirror', specularReflectance: 0.9 });
  });

  const at = 'scene.materials.soil';
  const faults: [what: string, fields: string, expected: string[]][] = [
    [
      'more than there is',
      'reflectance: 0.7, transmittance: 0.4',
      [`${at}.transmittance: expected at most 0.3, since 0.7 is reflected, found 0.4 (line 5)`],
    ],
    [
      'more than there is, at one wavelength of a spectrum',
      'reflectance: [[900, 0.2], [1000, 0.9], [1100, 0.2]], transmittance: 0.2',
      [
        `${at}.transmittance: expected at most 0.1 at 1000 nm, since 0.9 is reflected, found 0.2 (line 5)`,
      ],
    ],
    [
      'a wavelength twice',
      'reflectance: [[905, 0.2], [905, 0.3]]',
      [`${at}.reflectance[1][0]: expected a wavelength above 905, found 905 (line 5)`],
    ],
    [
      'a reflectance out of range in a spectrum',
      'reflectance: [[905, 0.2], [1550, 1.2]]',
      [`${at}.reflectance[1][1]: expected at most 1, found 1.2 (line 5)`],
    ],
    [
      'half a point of a spectrum',
      'reflectance: [[905]]',
      [`${at}.reflectance[0]: expected a list of at least 2, found a list of 1 (line 5)`],
    ],
    [
      'an empty spectrum',
      'reflectance: []',
      [`${at}.reflectance: expected a list of at least 1, found a list of 0 (line 5)`],
    ],
    [
      'a mirror that lets light through',
      'reflectance: 0, surface: { kind: mirror }, transmittance: 0.5',
      [`${at}.transmittance: expected 0, a mirror lets nothing through, found 0.5 (line 5)`],
    ],
    [
      'more than there is, between the points of the reflectance',
      'reflectance: [[900, 0.2], [1100, 0.8]], transmittance: [[900, 0.1], [1000, 0.6], [1100, 0.1]]',
      [
        `${at}.transmittance[1][1]: expected at most 0.5 at 1000 nm, since 0.5 is reflected, found 0.6 (line 5)`,
      ],
    ],
    [
      'more than there is, beyond the last point of the transmittance',
      'reflectance: [[900, 0.2], [1550, 0.8]], transmittance: [[680, 0.1], [905, 0.3]]',
      [
        `${at}.transmittance: expected at most 0.2 at 1550 nm, since 0.8 is reflected, found 0.3 (line 5)`,
      ],
    ],
    [
      'a wavelength of the transmittance twice',
      'reflectance: 0.2, transmittance: [[905, 0.2], [905, 0.3]]',
      [`${at}.transmittance[1][0]: expected a wavelength above 905, found 905 (line 5)`],
    ],
    [
      'gaps in water',
      'reflectance: 0, surface: { kind: water }, gapFraction: 0.5',
      [`${at}.gapFraction: expected 0, water has its own law, found 0.5 (line 5)`],
    ],
    [
      'leaves of glass',
      'reflectance: 0, surface: { kind: glass }, transmittance: [[905, 0.5]]',
      [`${at}.transmittance: expected 0, glass has its own law, found a spectrum (line 5)`],
    ],
    [
      'an absorption that falls back',
      'reflectance: 0, surface: { kind: water, absorptionPerM: [[905, 7], [532, 0.05]] }',
      [`${at}.surface.absorptionPerM[1][0]: expected a wavelength above 905, found 532 (line 5)`],
    ],
    [
      'an unknown surface',
      'reflectance: 0.3, surface: { kind: glossy }',
      [
        `${at}.surface.kind: expected one of 'lambertian', 'oren-nayar', 'mirror', 'retroreflector', 'glass', 'water', found 'glossy' (line 5)`,
      ],
    ],
    [
      'a rough surface without its roughness',
      'reflectance: 0.3, surface: { kind: oren-nayar }',
      [`${at}.surface.roughnessDeg: expected a number, found nothing (line 5)`],
    ],
  ];
  it.each(faults)('refuse %s', (_, fields, expected) => {
    expect(problemsOf(withMaterial(fields))).toEqual(expected);
  });
});

describe('air', () => {
  const withAir = (fields: string): string => `${minimalScenario}  atmosphere: { ${fields} }\n`;
  const airOf = (fields: string): ReturnType<typeof atmosphereRecipe> => {
    const { atmosphere } = sceneOf(withAir(fields));
    if (!atmosphere) throw new Error('expected air');
    return atmosphereRecipe(atmosphere);
  };

  it('has the parts that are given', () => {
    expect(sceneOf(minimalScenario).atmosphere).toBeUndefined();
    expect(airOf('visibilityKm: 23')).toEqual({ visibilityKm: 23, visibilityLaw: 'kruse' });
    expect(airOf('visibilityKm: 0.2, visibilityLaw: kim')).toEqual({
      visibilityKm: 0.2,
      visibilityLaw: 'kim',
    });
    expect(airOf('rainMmPerH: 5, extinctionPerM: 1e-4')).toEqual({
      rainMmPerH: 5,
      extinctionPerM: 1e-4,
    });
  });

  it('is never opaque at once', () => {
    expect(problemsOf(withAir('visibilityKm: 0'))).toEqual([
      'scene.atmosphere.visibilityKm: expected more than 0, found 0 (line 10)',
    ]);
  });
});

describe('paths over mirrors', () => {
  it('end after four, or as many as are asked for', () => {
    expect(sceneOf(minimalScenario).mirrorDepth).toBe(4);
    expect(sceneOf(`${minimalScenario}  mirrorDepth: 0\n`).mirrorDepth).toBe(0);
    expect(problemsOf(`${minimalScenario}  mirrorDepth: 33\n`)).toEqual([
      'scene.mirrorDepth: expected at most 32, found 33 (line 10)',
    ]);
  });
});
