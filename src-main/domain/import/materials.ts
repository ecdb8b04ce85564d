// Reflectances of foreign materials. Guarantee: none of them claims to be measured; an import reports that they are
// assumed from their names, since files for rendering hold colours of visible light only.
import type { SceneInput } from '#contract/documents/scene.ts';

type Material = SceneInput['materials'][string];

/** By words in a name: what surfaces reflect near 905 nm, and a colour for pictures. */
const known: [pattern: RegExp, reflectance: number, colour: string][] = [
  [/leaf|leaves|foliage|blatt|needle|frond|canopy/i, 0.5, '#3f7a2e'],
  [/grass|meadow|herb|weed|wheat|crop|clover|fern|moss/i, 0.45, '#6f9a3c'],
  [/bark|trunk|stem|wood|branch|twig|log|rinde|stamm/i, 0.3, '#6b5138'],
  [/asphalt|road|tarmac|tire|rubber/i, 0.15, '#4a4a4c'],
  [/soil|ground|dirt|terrain|earth|mud|gravel|sand|surface/i, 0.25, '#6e5a41'],
  [/concrete|plaster|wall|stone|rock|brick|cement/i, 0.4, '#a89f91'],
];

/** A diffuse material by its name; @param colour '#rrggbb' of the file, for pictures only */
export function assumedMaterial(name: string, colour?: string): Material {
  const [, reflectance = 0.3, usual = '#8f8f8a'] =
    known.find(([pattern]) => pattern.test(name)) ?? [];
  return { reflectance, colour: colour ?? usual };
}
