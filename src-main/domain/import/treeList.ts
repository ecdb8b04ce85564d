// Tree lists of forest inventories: a table with a line for each tree becomes instances of plants, as high as the list
// says and, within 10 %, as wide.
import { stringify } from 'yaml';
import { plantMaterials, type Plant } from '#contract/documents/plant.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import { type LengthUnit, lengthUnits } from '#contract/documents/quantities.ts';
import { metresPerUnit } from '#domain/shared/lengths.ts';
import { createNames, createTally, emptyScene, slugOf, tidy } from './importedScene.ts';
import type { ImportedScene } from './importedScene.ts';
import { assumedMaterial } from './materials.ts';
import { sizeOf, variantOf, type PlantVariant } from './plantVariant.ts';
import { growthFormOf, plantOfForm, type GrowthForm } from './species.ts';
import { numberOfCell, readTable, refused, type Table } from './table.ts';
import {
  cellOf,
  lengthOf,
  polarPlace,
  treeColumns,
  type TreeColumns,
  type TreeField,
} from './treeColumns.ts';

export interface TreeListOptions {
  /** Unit of columns that state none. */
  unit: LengthUnit;
  /** Titles of columns by field, with a unit where one is stated: 'DIA:in' by 'dbh'. */
  columns: Readonly<Record<string, string>>;
  /** Zero of polar places. */
  plotCentreM: readonly [number, number];
  /** Rows that are no trees are left out; false: they are problems. */
  skipsBadRows: boolean;
  /** Plant, by the name of a species in lower case or `*`, for species that are not those of species.ts. */
  species: Readonly<Record<string, string>>;
  /** Every plant that may be meant, by its id or file. */
  plants: ReadonlyMap<string, Plant>;
}

/** Trees of a list at most: as many as a scenario's text holds. */
export const maxTrees = 100_000;
/** Crowns and stems are made in steps of this ratio of width to height. */
const crownStep = 1.2;
/** Unit of diameters at breast height that state none. */
export const diameterUnit = 'cm';

interface Tree {
  name: string;
  species: string;
  positionM: [number, number, number];
  hasHeightOfGround: boolean;
  heightM: number;
  crownM: number | null;
  /** At breast height. */
  diameterM: number | null;
}

/**
 * Reads a list: x, y or distance and azimuth, height; species, crown (width) or crown radius, diameter, z and name where
 * it has them. Rows that are no trees are problems, or are left out and counted.
 */
export function importTreeList(text: string, options: TreeListOptions): Parsed<ImportedScene> {
  const table = readTable(text, maxTrees, 'trees');
  if (table.value === null) return table;
  if (table.value.rows.length + table.value.faults.length === 0) {
    return refused('(file)', 'expected at least one tree');
  }
  const { columns: titled } = table.value;
  const columns = treeColumns(titled, options.columns);
  if (columns.value === null) return columns;
  const missing = missingColumns(
    columns.value,
    titled.map(({ title }) => title),
  );
  if (missing !== null) return refused('line 1', missing);
  const { trees, bad } = readTrees(table.value, columns.value, options);
  if (trees.length === 0 || (bad.length > 0 && !options.skipsBadRows)) {
    return { value: null, problems: problemsOf(bad, trees.length + bad.length) };
  }
  const unit = columns.value.diameter?.unit ?? null;
  const fault = unit === null ? diameterFault(trees) : null;
  if (fault !== null) return refused('(file)', fault);
  const scene = emptyScene();
  scene.notes.push(...notesOfRows(bad, columns.value, options));
  const ignored = createTally();
  const used = new Set(Object.values(columns.value).map(({ index }) => index));
  // The crowns of the plants of assets begin where their laws say.
  if (columns.value.crownBase !== undefined) used.delete(columns.value.crownBase.index);
  titled.forEach(({ title }, column) => {
    if (!used.has(column)) ignored.add(`values of column '${title}'`, trees.length);
  });
  placeTrees(trees, options, scene, ignored);
  scene.needsGround = trees.some(({ hasHeightOfGround }) => !hasHeightOfGround);
  return { value: { ...scene, ignored: ignored.counts() }, problems: [] };
}

function notesOfRows(
  bad: readonly BadRow[],
  columns: TreeColumns,
  { plotCentreM }: TreeListOptions,
): string[] {
  const notes: string[] = [];
  if (bad.length > 0) {
    const named = bad.slice(0, 5).map(({ line }) => line);
    const more = bad.length > named.length ? ', …' : '';
    const [first] = bad;
    notes.push(
      `${bad.length} lines were left out: ${named.join(', ')}${more} (line ${first?.line}: ${first?.message})`,
    );
  }
  if (columns.x === undefined || columns.y === undefined) {
    notes.push(`places are polar about (${plotCentreM.join(', ')}): azimuths clockwise from north`);
  }
  return notes;
}

/** A row that is no tree. */
interface BadRow {
  line: number;
  message: string;
}

/** The trees of all good rows. */
function readTrees(
  { rows, faults, ...table }: Table,
  columns: TreeColumns,
  { unit, plotCentreM }: TreeListOptions,
): { trees: Tree[]; bad: BadRow[] } {
  const trees: Tree[] = [];
  const bad: BadRow[] = [...faults];
  const nameOf = createNames();
  const isPolar = columns.x === undefined || columns.y === undefined;
  for (const { line, cells } of rows) {
    const length = (field: TreeField): number | null =>
      lengthOf(columns, cells, table, field, field === 'diameter' ? diameterUnit : unit);
    const [z, heightM, radiusM] = [length('z'), length('height'), length('crownRadius')];
    const crownM = length('crown') ?? (radiusM === null ? null : 2 * radiusM);
    const distance = length('distance');
    const azimuth = numberOfCell(cellOf(columns, cells, 'azimuth'), table.hasDecimalComma);
    const place = isPolar
      ? { distance, azimuth: cellOf(columns, cells, 'azimuth') === '' ? null : azimuth }
      : { x: length('x'), y: length('y') };
    const diameterM = length('diameter');
    const needed = { ...place, height: heightM };
    const optional = { z, crown: crownM, diameter: diameterM };
    const fault = faultOf(needed, true) ?? faultOf(optional, false);
    if (fault !== null) {
      bad.push({ line, message: `expected ${fault}, found '${cells.join(', ')}'` });
      continue;
    }
    const [x, y] = isPolar
      ? polarPlace(plotCentreM, distance ?? 0, azimuth)
      : [length('x') ?? 0, length('y') ?? 0];
    const name = cellOf(columns, cells, 'name');
    trees.push({
      name: nameOf(slugOf(name === '' ? '' : `tree-${name}`, 'tree')),
      species: cellOf(columns, cells, 'species'),
      positionM: [x, y, z ?? 0],
      hasHeightOfGround: z !== null,
      heightM: heightM ?? 0,
      crownM,
      diameterM,
    });
  }
  return { trees, bad: bad.sort((a, b) => a.line - b.line) };
}

/** Sizes, which are above 0. */
const sizes = ['height', 'crown', 'diameter'];

/** The expectation that the first wrong value does not meet; null: all do. */
function faultOf(
  values: Readonly<Record<string, number | null>>,
  areNeeded: boolean,
): string | null {
  for (const [name, value] of Object.entries(values)) {
    const isSize = sizes.includes(name);
    if (value === null ? !areNeeded : Number.isFinite(value) && (!isSize || value > 0)) continue;
    return isSize ? `a ${name} above 0` : `a number for ${name}`;
  }
  return null;
}

/** Problems of all bad rows, with their number where there are several. */
function problemsOf(bad: readonly BadRow[], rows: number): Problem[] {
  const problems = bad.map(({ line, message }): Problem => {
    return { path: `line ${line}`, code: 'custom', message };
  });
  if (bad.length < 2) return problems;
  const message = `expected a tree in each of ${rows} lines, found ${bad.length} lines without (--skip-bad-rows leaves them out)`;
  return [{ path: '(file)', code: 'custom', message }, ...problems];
}

/** The problem with columns that are not there; null: none. */
function missingColumns(columns: TreeColumns, titles: readonly string[]): string | null {
  const missing: string[] = columns.height === undefined ? ['height'] : [];
  const hasPlace = columns.x !== undefined && columns.y !== undefined;
  const isPolar = columns.distance !== undefined && columns.azimuth !== undefined;
  if (!hasPlace && !isPolar) {
    missing.unshift(...(['x', 'y'] as const).filter((field) => columns[field] === undefined));
  }
  if (missing.length === 0) return null;
  return `expected columns named ${missing.join(', ')}, found ${titles.join(', ')} (--column ${missing[0]}=TITLE names one)`;
}

/**
 * Diameters without a unit that no tree has at its height. Why: inventories write metres, centimetres and millimetres.
 * Heights of trees are 15 to 250 times their diameters.
 */
function diameterFault(trees: readonly Tree[]): string | null {
  const slenderness = trees.flatMap(({ heightM, diameterM }) =>
    diameterM === null ? [] : [heightM / diameterM],
  );
  if (slenderness.length === 0) return null;
  const middle = median(slenderness);
  if (middle >= 15 && middle <= 250) return null;
  const fitting = lengthUnits.find((unit) => {
    const changed = middle * (metresPerUnit[diameterUnit] / metresPerUnit[unit]);
    return changed >= 25 && changed <= 160;
  });
  const remedy = fitting === undefined ? '' : `; ${fitting} fits: --column dbh=TITLE:${fitting}`;
  return `expected diameters in ${diameterUnit} that fit the heights, found heights of ${Number(middle.toPrecision(2))} times the diameters${remedy}`;
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
        `${stand.length} conifers became broad-leaved trees with conical crowns; a stand of kind 'list' grows spruces, pines and Douglas firs from the same file`,
      );
    }
    addMaterials(plant, scene);
    const models = new Map<string, PlantVariant>();
    for (const tree of stand) {
      const { model, variant } = modelOf(tree, middle, plant, plantName, form, models, scene);
      const hasOwnSize = model === slugOf(plant.id, 'plant');
      if (tree.crownM !== null && hasOwnSize) {
        ignored.add(`crowns (plant '${plant.id}' has none to choose)`);
      }
      if (tree.diameterM !== null && (hasOwnSize || plant.generator !== 'tree')) {
        ignored.add(`diameters (plant '${plant.id}' has none to choose)`);
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
  { heightM, crownM, diameterM }: Tree,
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
  const stem = diameterM === null ? null : stemRatio(diameterM / heightM);
  const ofStem = stem === null || plant.generator !== 'tree' ? '' : `-d${(1000 * stem).toFixed(1)}`;
  const name = `${base}${isConical ? '-conical' : ''}-${Math.round(100 * binned)}${ofStem}`;
  const variant =
    models.get(name) ?? variantOf(plant, form, middleM, { crown: binned, stem }, name);
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

/** The step of a ratio of diameter to height. */
function stemRatio(ratio: number): number {
  return crownStep ** Math.round(Math.log(ratio) / Math.log(crownStep));
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
