// Tree lists of forest inventories: a table with a line for each tree becomes instances of plants, as high as the list
// says and, within 10 %, as wide.
import { stringify } from 'yaml';
import { plantMaterials, type Plant } from '#contract/documents/plant.ts';
import type { Parsed } from '#contract/documents/problems.ts';
import type { LengthUnit } from '#contract/documents/quantities.ts';
import { metresPerUnit } from '#domain/shared/lengths.ts';
import { createNames, createTally, emptyScene, slugOf, tidy } from './importedScene.ts';
import type { ImportedScene } from './importedScene.ts';
import { assumedMaterial } from './materials.ts';
import { sizeOf, variantOf, type PlantVariant } from './plantVariant.ts';
import { growthFormOf, plantOfForm, type GrowthForm } from './species.ts';
import { numberOfCell, readTable, refused, type Table, type TableColumn } from './table.ts';

export interface TreeListOptions {
  /** Unit of columns that state none. */
  unit: LengthUnit;
  /** Plant, by the name of a species in lower case or `*`, for species that are not those of species.ts. */
  species: Readonly<Record<string, string>>;
  /** Every plant that may be meant, by its id or file. */
  plants: ReadonlyMap<string, Plant>;
}

/** Trees of a list at most: as many as a scenario's text holds. */
const maxTrees = 100_000;
/** Crowns are made in steps of this ratio of width to height. */
const crownStep = 1.2;

/** Names of columns, without unit, as inventories have them. */
const columnNames = {
  x: ['x', 'easting', 'east', 'x_utm', 'utm_x', 'utm_e', 'rechtswert', 'x_coord', 'coord_x'],
  y: ['y', 'northing', 'north', 'y_utm', 'utm_y', 'utm_n', 'hochwert', 'y_coord', 'coord_y'],
  z: ['z', 'elevation', 'z_coord', 'ground_z'],
  species: ['species', 'sp', 'spp', 'tree_species', 'species_name', 'baumart', 'genus'],
  height: ['height', 'h', 'tree_height', 'hoehe', 'total_height', 'th'],
  crown: ['crown', 'crown_diameter', 'crown_width', 'crown_d', 'cd', 'kronendurchmesser'],
  diameter: ['diameter', 'dbh', 'd', 'bhd', 'dbh_o_b', 'durchmesser'],
  crownBase: ['crown_base', 'crown_base_height', 'cbh', 'hcb', 'kronenansatz'],
  crownRadius: ['crown_radius', 'cr', 'crown_r', 'kronenradius'],
  name: ['name', 'id', 'tree_id', 'treeid', 'tree', 'baum_id', 'nr', 'no'],
} as const;

type Field = keyof typeof columnNames;

interface Tree {
  name: string;
  species: string;
  positionM: [number, number, number];
  hasHeightOfGround: boolean;
  heightM: number;
  crownM: number | null;
}

/** Reads a list: x, y, height; species, crown (width) or crown radius, z and name where it has them. */
export function importTreeList(text: string, options: TreeListOptions): Parsed<ImportedScene> {
  const table = readTable(text, maxTrees, 'trees');
  if (table.value === null) return table;
  if (table.value.rows.length === 0) return refused('(file)', 'expected at least one tree');
  const trees = readTrees(table.value, options.unit);
  if (trees.value === null) return trees;
  const scene = emptyScene();
  const ignored = createTally();
  // The plants of assets follow from height and crown alone.
  const used = new Set(
    Object.entries(fieldsOf(table.value.columns)).flatMap(([field, column]) =>
      field === 'diameter' || field === 'crownBase' ? [] : [column],
    ),
  );
  table.value.columns.forEach(({ title }, column) => {
    if (!used.has(column)) ignored.add(`values of column '${title}'`, trees.value.length);
  });
  placeTrees(trees.value, options, scene, ignored);
  scene.needsGround = trees.value.some(({ hasHeightOfGround }) => !hasHeightOfGround);
  return { value: { ...scene, ignored: ignored.counts() }, problems: [] };
}

/** A tree of a stand's list, as far as the list says. */
export interface ListedSizes {
  /** In the file. */
  line: number;
  species: string;
  positionM: readonly [number, number];
  diameterM?: number;
  heightM?: number;
  crownWidthM?: number;
  crownBaseM?: number;
}

/**
 * Trees of a stand: x, y, species, and height or diameter; crown (width) or crown radius and crown base where it has
 * them. Lengths without a unit are metres, diameters centimetres.
 */
export function readStandList(text: string): Parsed<ListedSizes[]> {
  const table = readTable(text, maxTrees, 'trees');
  if (table.value === null) return table;
  const { columns, rows, hasDecimalComma } = table.value;
  const fields = fieldsOf(columns);
  const needed = ['x', 'y', 'species'] as const;
  const missing: string[] = needed.filter((field) => fields[field] === undefined);
  if (fields.height === undefined && fields.diameter === undefined)
    missing.push('height or diameter');
  if (missing.length > 0) {
    const found = columns.map(({ title }) => title).join(', ');
    return refused('line 1', `expected columns named ${missing.join(', ')}, found ${found}`);
  }
  if (rows.length === 0) return refused('(file)', 'expected at least one tree');
  const trees: ListedSizes[] = [];
  for (const { line, cells } of rows) {
    const lengths: Partial<Record<Field, number>> = {};
    for (const field of [
      'x',
      'y',
      'height',
      'diameter',
      'crown',
      'crownRadius',
      'crownBase',
    ] as const) {
      const column = fields[field] ?? -1;
      const cell = cells[column] ?? '';
      if (cell === '') continue;
      const unit = columns[column]?.unit ?? (field === 'diameter' ? 'cm' : 'm');
      const value = numberOfCell(cell, hasDecimalComma) * metresPerUnit[unit];
      const isPlace = field === 'x' || field === 'y';
      if (!Number.isFinite(value) || (!isPlace && value <= 0)) {
        const expected = isPlace ? `a number for ${field}` : `a ${field} above 0`;
        return refused(`line ${line}`, `expected ${expected}, found '${cell}'`);
      }
      lengths[field] = value;
    }
    const { x, y, height, diameter, crown, crownRadius, crownBase } = lengths;
    if (x === undefined || y === undefined || (height ?? diameter) === undefined) {
      return refused(
        `line ${line}`,
        'expected x, y, and a height or diameter, found an empty cell',
      );
    }
    const width = crown ?? (crownRadius === undefined ? undefined : 2 * crownRadius);
    trees.push({
      line,
      species: cells[fields.species ?? -1] ?? '',
      positionM: [x, y],
      ...(diameter !== undefined && { diameterM: diameter }),
      ...(height !== undefined && { heightM: height }),
      ...(width !== undefined && { crownWidthM: width }),
      ...(crownBase !== undefined && { crownBaseM: crownBase }),
    });
  }
  return { value: trees, problems: [] };
}

/** The column of each field, by its index. */
function fieldsOf(columns: readonly TableColumn[]): Partial<Record<Field, number>> {
  const fields: Partial<Record<Field, number>> = {};
  for (const [field, names] of Object.entries(columnNames) as [Field, readonly string[]][]) {
    const found = names
      .map((name) => columns.findIndex((column) => column.name === name))
      .find((column) => column >= 0);
    if (found !== undefined) fields[field] = found;
  }
  return fields;
}

function readTrees({ columns, rows, hasDecimalComma }: Table, unit: LengthUnit): Parsed<Tree[]> {
  const fields = fieldsOf(columns);
  const missing = (['x', 'y', 'height'] as const).filter((field) => fields[field] === undefined);
  if (missing.length > 0) {
    const found = columns.map(({ title }) => title).join(', ');
    return refused('line 1', `expected columns named ${missing.join(', ')}, found ${found}`);
  }
  const trees: Tree[] = [];
  const nameOf = createNames();
  for (const { line, cells } of rows) {
    const lengthM = (field: Field): number | null => {
      const column = fields[field];
      const cell = column === undefined ? '' : (cells[column] ?? '');
      if (column === undefined || cell === '') return null;
      return numberOfCell(cell, hasDecimalComma) * metresPerUnit[columns[column]?.unit ?? unit];
    };
    const textOf = (field: Field): string => cells[fields[field] ?? -1] ?? '';
    const [x, y, z, heightM] = [lengthM('x'), lengthM('y'), lengthM('z'), lengthM('height')];
    const radiusM = lengthM('crownRadius');
    const crownM = lengthM('crown') ?? (radiusM === null ? null : 2 * radiusM);
    for (const [name, value] of Object.entries({ x, y, height: heightM, z, crown: crownM })) {
      const isNeeded = name === 'x' || name === 'y' || name === 'height';
      const isLength = name === 'height' || name === 'crown';
      if (value === null ? !isNeeded : Number.isFinite(value) && (!isLength || value > 0)) continue;
      const expected = isLength ? `a ${name} above 0` : `a number for ${name}`;
      return refused(`line ${line}`, `expected ${expected}, found '${cells.join(', ')}'`);
    }
    trees.push({
      name: nameOf(slugOf(textOf('name') === '' ? '' : `tree-${textOf('name')}`, 'tree')),
      species: textOf('species'),
      positionM: [x ?? 0, y ?? 0, z ?? 0],
      hasHeightOfGround: z !== null,
      heightM: heightM ?? 0,
      crownM,
    });
  }
  return { value: trees, problems: [] };
}

interface Stand {
  plant: Plant;
  /** As the scenario names it. */
  plantName: string;
  form: GrowthForm;
  trees: Tree[];
}

/** Trees of one plant and form together; species without a plant get the one for `*`, or a broad-leaved tree. */
function standsOf(
  trees: readonly Tree[],
  { species: given, plants }: TreeListOptions,
  scene: ImportedScene,
): Map<string, Stand> {
  const stands = new Map<string, Stand>();
  const unknown = new Map<string, number>();
  for (const tree of trees) {
    const known = growthFormOf(tree.species);
    const asked = given[tree.species.toLowerCase()] ?? (known === null ? given['*'] : undefined);
    const form = known ?? 'broad-leaved';
    const name = asked ?? plantOfForm[form];
    const plant = plants.get(name);
    if (!plant) throw new Error(`the plant '${name}' was not read`);
    if (known === null && asked === undefined) {
      unknown.set(tree.species, (unknown.get(tree.species) ?? 0) + 1);
    }
    const key = `${name} ${form}`;
    const stand = stands.get(key) ?? { plant, plantName: name, form, trees: [] };
    stand.trees.push(tree);
    stands.set(key, stand);
  }
  for (const [species, count] of unknown) {
    const what = species === '' ? 'without a species' : `of the unknown species '${species}'`;
    const help = `--species "${species === '' ? '*' : species}=PLANT" chooses another`;
    scene.notes.push(
      `${count} trees ${what} became plants '${plantOfForm['broad-leaved']}'; ${help}`,
    );
  }
  return stands;
}

function placeTrees(
  trees: readonly Tree[],
  options: TreeListOptions,
  scene: ImportedScene,
  ignored: ReturnType<typeof createTally>,
): void {
  const imported = createTally();
  for (const { plant, plantName, form, trees: stand } of standsOf(trees, options, scene).values()) {
    const middle = median(stand.map(({ heightM }) => heightM));
    if (form === 'conical' && plant.id === 'broadleaf-tree') {
      scene.notes.push(
        `${stand.length} conifers became broad-leaved trees with conical crowns: assets have no conifer`,
      );
    }
    addMaterials(plant, scene);
    const models = new Map<string, PlantVariant>();
    for (const tree of stand) {
      const { model, variant } = modelOf(tree, middle, plant, plantName, form, models, scene);
      if (tree.crownM !== null && model === slugOf(plant.id, 'plant')) {
        ignored.add(`crowns (plant '${plant.id}' has none to choose)`);
      }
      const isShrub = plant.generator === 'shrub';
      imported.add(isShrub ? 'shrubs' : plant.generator === 'tree' ? 'trees' : 'other plants');
      scene.instances.push({
        name: tree.name,
        model,
        ...(tree.species !== '' && { class: slugOf(tree.species, plant.id).toLowerCase() }),
        positionM: tree.positionM,
        ...(tree.hasHeightOfGround && { onGround: false }),
        yawDeg: yawOf(scene.instances.length),
        scale: tidy(tree.heightM / variant.heightM),
      });
    }
  }
  imported.add('plants (models)', Object.keys(scene.models).length);
  scene.imported = imported.counts();
}

/** The model of a tree's form and ratio of crown to height; made where there is none. */
function modelOf(
  { heightM, crownM }: Tree,
  middleM: number,
  plant: Plant,
  plantName: string,
  form: GrowthForm,
  models: Map<string, PlantVariant>,
  scene: ImportedScene,
): { model: string; variant: PlantVariant } {
  const base = slugOf(plant.id, 'plant');
  const own = { plant, ...sizeOf(plant) };
  const ownRatio = own.crownM / own.heightM;
  const isConical = form === 'conical' && plant.generator === 'tree';
  // Why 0.3: the mean of conifers; the ratio of a broad-leaved tree of assets is that of one in the open.
  const ratio = crownM === null ? (isConical ? 0.3 : ownRatio) : crownM / heightM;
  const step = Math.round(Math.log(ratio / ownRatio) / Math.log(crownStep));
  const binned = ownRatio * crownStep ** step;
  const name = `${base}${isConical ? '-conical' : ''}-${Math.round(100 * binned)}`;
  const variant = models.get(name) ?? variantOf(plant, form, middleM, binned, name);
  if (variant === null) {
    scene.models[base] = { kind: 'plant', plant: plantName };
    return { model: base, variant: own };
  }
  if (!models.has(name)) {
    models.set(name, variant);
    scene.models[name] = { kind: 'plant', plant: `${name}.yaml` };
    scene.files.push({ name: `${name}.yaml`, content: stringify(variant.plant) });
  }
  return { model: name, variant };
}

function addMaterials(plant: Plant, scene: ImportedScene): void {
  for (const name of plantMaterials(plant)) scene.materials[name] = assumedMaterial(name);
}

/** Spread evenly over the turn: the golden angle from tree to tree. */
function yawOf(tree: number): number {
  return tidy((tree * 137.50776) % 360, 1);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;
}
