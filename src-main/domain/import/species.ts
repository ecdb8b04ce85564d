// Species of tree lists: which plant of Understory represents a genus, by its scientific, English or German name.

/** How a species grows, as far as the plants of assets can show it. */
export type GrowthForm = 'broad-leaved' | 'conical' | 'shrub';

/** The plant of assets for each form. Conifers are broad-leaved trees with a conical crown; those of stands have species of their own. */
export const plantOfForm: Record<GrowthForm, string> = {
  'broad-leaved': 'broadleaf-tree',
  conical: 'broadleaf-tree',
  shrub: 'potted-shrub',
};

/** The form of a species, by any of its words; null: unknown. */
export function growthFormOf(species: string): GrowthForm | null {
  const plain = species.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z]+/);
  for (const [form, names] of Object.entries(genera)) {
    if (words.some((word) => names.has(word))) return form as GrowthForm;
  }
  return null;
}

const genera: Record<GrowthForm, ReadonlySet<string>> = {
  conical:
    wordsOf(`abies picea pinus larix pseudotsuga cedrus cupressus juniperus taxus thuja tsuga sequoia metasequoia
    chamaecyparis cryptomeria fir spruce pine larch cedar cypress juniper yew hemlock redwood conifer douglas
    fichte tanne kiefer larche douglasie eibe larche zeder nadelbaum`),
  shrub:
    wordsOf(`corylus sambucus crataegus cornus ligustrum viburnum rosa rubus euonymus lonicera rhamnus frangula
    berberis ilex hazel elder hawthorn dogwood privet holly shrub bush hasel holunder weissdorn liguster strauch`),
  'broad-leaved':
    wordsOf(`acer aesculus ailanthus alnus betula carpinus carya castanea catalpa celtis eucalyptus fagus
    fraxinus ginkgo gleditsia juglans liquidambar liriodendron magnolia malus morus nothofagus nyssa olea ostrya
    paulownia platanus populus prunus pyrus quercus robinia salix sorbus tilia ulmus zelkova
    maple alder birch hornbeam hickory chestnut beech ash walnut sweetgum poplar aspen cottonwood cherry plum pear apple
    oak willow rowan linden lime elm sycamore plane broadleaf deciduous
    ahorn erle birke hainbuche buche esche nussbaum pappel kirsche eiche weide linde ulme laubbaum kastanie platane`),
};

function wordsOf(text: string): Set<string> {
  return new Set(text.split(/\s+/));
}
