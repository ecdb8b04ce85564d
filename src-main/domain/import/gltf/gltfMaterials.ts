// Materials of a glTF: colour, image of the base colour, and cuts by its alpha. Other images describe how a surface
// shines under a lamp and are counted as ignored.
import { clamp } from '#domain/shared/numbers.ts';
import type { Material, Texture } from '@gltf-transform/core';
import type { ImportCount } from '#contract/host/importMethods.ts';
import type { ObjMaterial } from '../geometry/objText.ts';
import {
  createNames,
  createTally,
  slugOf,
  type ImportedScene,
  type Tally,
} from '../importedScene.ts';
import { assumedMaterial } from '../materials.ts';

export interface GltfMaterials {
  /** Name of a material in the scene, and the set of texture coordinates that its image needs; null: none. */
  use(material: Material | null): { name: string; coordinateSet: number | null };
  /** Entries of an MTL for these names, and the one threshold of their cuts; null: nothing is cut. */
  libraryOf(names: readonly string[]): { library: ObjMaterial[]; threshold: number | null };
  /** Images that were written, by use. */
  images(): ImportCount[];
  notes(): string[];
}

interface UsedMaterial {
  entry: ObjMaterial;
  coordinateSet: number | null;
  threshold: number | null;
}

/** Adds materials to the scene and images to its files as they are used. */
export function createGltfMaterials(
  stem: string,
  scene: ImportedScene,
  ignored: Tally,
): GltfMaterials {
  const used = new Map<Material | null, UsedMaterial>();
  const byName = new Map<string, UsedMaterial>();
  const images = new Map<Texture, { name: string; hasAlpha: boolean } | null>();
  const materialName = createNames();
  const imageName = createNames();
  const counts = createTally();
  const notes = new Set<string>();

  function imageOf(texture: Texture): { name: string; hasAlpha: boolean } | null {
    const known = images.get(texture);
    if (known !== undefined) return known;
    const bytes = texture.getImage();
    const ending = bytes === null ? null : imageEnding(bytes);
    if (bytes === null || ending === null) {
      ignored.add('images other than PNG and JPEG');
      images.set(texture, null);
      return null;
    }
    const own = slugOf(texture.getName() || texture.getURI().replace(/\.[^.]*$/, ''), 'image');
    const name = `${stem}-${imageName(own)}.${ending}`;
    scene.files.push({ name, content: Uint8Array.from(bytes) });
    counts.add('images');
    const image = { name, hasAlpha: ending === 'png' && pngHasAlpha(bytes) };
    images.set(texture, image);
    return image;
  }

  function add(material: Material | null): UsedMaterial {
    const name = materialName(slugOf(material?.getName() ?? '', 'material'));
    const colour = colourOf(material?.getBaseColorFactor() ?? [1, 1, 1, 1]);
    const entry: ObjMaterial = { name, colour };
    const one: UsedMaterial = { entry, coordinateSet: null, threshold: null };
    scene.materials[name] = assumedMaterial(name, material === null ? undefined : colour);
    if (material === null) return one;
    const texture = material.getBaseColorTexture();
    const image = texture === null ? null : imageOf(texture);
    if (image !== null) {
      entry.colourImage = image.name;
      one.coordinateSet = material.getBaseColorTextureInfo()?.getTexCoord() ?? 0;
    }
    const mode = material.getAlphaMode();
    if (mode !== 'OPAQUE' && image?.hasAlpha === true) {
      entry.alphaImage = image.name;
      one.threshold = mode === 'MASK' ? material.getAlphaCutoff() : 0.5;
      counts.add('materials cut by alpha');
      if (mode === 'BLEND') notes.add(`material '${name}' blends by alpha: it is cut at 0.5`);
    } else if (mode === 'BLEND') {
      notes.add(`material '${name}' blends without an alpha image: it is opaque`);
    }
    const others = [
      material.getNormalTexture(),
      material.getMetallicRoughnessTexture(),
      material.getOcclusionTexture(),
      material.getEmissiveTexture(),
    ];
    ignored.add(
      'images of other uses (normal, roughness, occlusion, emission)',
      others.filter((other) => other !== null).length,
    );
    return one;
  }

  return {
    use: (material) => {
      const one = used.get(material) ?? add(material);
      used.set(material, one);
      byName.set(one.entry.name, one);
      return { name: one.entry.name, coordinateSet: one.coordinateSet };
    },
    libraryOf: (names) => {
      const all = names.flatMap((name) => byName.get(name) ?? []);
      const cuts = [...new Set(all.flatMap(({ threshold }) => threshold ?? []))];
      if (cuts.length > 1) {
        notes.add(
          `a mesh with cuts at ${cuts.join(' and ')} is cut at ${cuts[0]}: a model has one threshold`,
        );
      }
      const threshold = cuts[0] === undefined ? null : clamp(cuts[0], 0, 1);
      return { library: all.map(({ entry }) => entry), threshold };
    },
    images: () => counts.counts(),
    notes: () => [...notes],
  };
}

/** '#rrggbb' of linear factors, by the transfer function of sRGB (IEC 61966-2-1). */
function colourOf(factor: readonly number[]): string {
  const channels = factor.slice(0, 3).map((linear) => {
    const share = clamp(linear, 0, 1);
    const value = share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055;
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** By the first bytes, whatever the file says. */
function imageEnding(bytes: Uint8Array): 'png' | 'jpg' | null {
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47)
    return 'png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpg' : null;
}

/** By the type of colour in the head, or a chunk tRNS before the samples. */
function pngHasAlpha(bytes: Uint8Array): boolean {
  const colourType = bytes[25] ?? 0;
  if (colourType === 4 || colourType === 6) return true;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4);
    if (type === 0x74524e53) return true;
    if (type === 0x49444154) return false;
  }
  return false;
}
