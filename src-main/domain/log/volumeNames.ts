// Classes that are volumes (leaves, blades or twigs, which beams enter) or surfaces, by their names in English. The last
// word that is known decides: a beech tree is a volume, a tree trunk a surface.

/** Vegetation, classes of LAS among it. */
const vegetation =
  'tree shrub bush hedge grass plant vegetation leaf foliage crop canopy crown understory undergrowth scrub forest ' +
  'conifer broadleaf sapling seedling twig branch needle herb weed flower vine lawn meadow reed fern';
/** Common names, those of assets/species among them. */
const species =
  'alder ash aspen bamboo barley beech birch blackthorn bracken bramble cedar cherry chestnut corn cypress elder elm ' +
  'eucalyptus fir hawthorn hazel heather hemlock holly hornbeam ivy juniper larch lime linden maize maple nettle oak palm ' +
  'pine poplar rapeseed rice rowan rye spruce sunflower sycamore walnut wheat willow yew';
const surfaces =
  'ground terrain soil earth sand gravel rock stone boulder water road street path pavement sidewalk parking lane marking ' +
  'asphalt concrete surface rail wall building house roof facade fence barrier guardrail curb bridge floor ceiling ' +
  'window structure tower wire conductor insulator pole post sign light car vehicle truck bus train bicycle motorcycle ' +
  'bicyclist motorcyclist rider person pedestrian trunk stem stump log wood bark root pot box cube sphere cylinder plane ' +
  'target reflector tripod object noise outlier rain snow fog smoke dust';

const isVolumeWord: ReadonlyMap<string, boolean> = new Map([
  ...words(surfaces).map((word) => [word, false] as const),
  ...words(`${vegetation} ${species}`).map((word) => [word, true] as const),
]);

/** Whether a class of this name is of volumes; null: the name does not say it. */
export function isVolumeName(name: string): boolean | null {
  const known = (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu) ?? []).flatMap((word) => {
    const found = singularsOf(word.toLowerCase()).find((one) => isVolumeWord.has(one));
    return isVolumeWord.get(found ?? '') ?? [];
  });
  return known.at(-1) ?? null;
}

/** Classes of a source. */
export interface VolumeNames {
  /** Whether a class is a volume; null: unknown. */
  isVolume: (name: string) => boolean | null;
  /** Names that were asked for and are unknown. */
  unknown: () => string[];
}

/** @param stated names of the classes that the source states as volumes; null: it states none, and names decide */
export function createVolumeNames(stated: readonly string[] | null): VolumeNames {
  const known = new Map<string, boolean | null>();
  return {
    isVolume(name) {
      let found = known.get(name);
      if (found === undefined) {
        found = stated === null || name === '' ? isVolumeName(name) : stated.includes(name);
        known.set(name, found);
      }
      return found;
    },
    unknown: () => [...known].flatMap(([name, found]) => (found === null && name ? [name] : [])),
  };
}

function words(text: string): string[] {
  return text.split(' ');
}

/** The word, and what it may be the plural of. */
function singularsOf(word: string): string[] {
  if (word === 'leaves') return ['leaf'];
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
}
