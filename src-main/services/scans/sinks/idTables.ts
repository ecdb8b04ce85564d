// Tables beside a file of points: what its ids of objects and materials mean.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { originOf, toWorld } from '#contract/worldOrigin.ts';
import { idsOf } from '#domain/scene/landscapes.ts';
import type { InstanceRow } from '#services/ports/catalogue.ts';
import type { Exporters, ExportTarget, TableExporter } from '#services/ports/exporters.ts';
import { eachInstanceSlice, eachPlantSlice, type InstanceSlice } from '../instancesOf.ts';
import type { PlannedScan, ReturnsFile } from './scanSink.ts';

/** An instance of the scene, its pose relative to the scene's origin. */
export type ExportedObject = Omit<InstanceRow, 'minM' | 'maxM'>;

export interface IdTables {
  /** Takes in the ids of some rows. */
  take: (this: void, table: ReturnTable, rows: number) => void;
  /** Whether a row that was taken is of the object. */
  isSeen: (this: void, id: number) => boolean;
  /** Ids from `from` to below `end` of rows that were taken, rising. */
  seenFrom: (this: void, from: number, end: number) => Iterable<number>;
  /** Writes those of the objects that a row is of. */
  write: (this: void, objects: Iterable<ExportedObject>) => Promise<void>;
  /** Gives the files their names. @returns them */
  close: (this: void) => Promise<string[]>;
  abort(): Promise<void>;
}

const objectColumns = 'id,name,class,model,x_m,y_m,z_m,qx,qy,qz,qw,scale'.split(',');

/** Objects that are formatted at a time. */
const objectsAtOnce = 4096;

/** The tables beside a file of points: of its objects, and of its materials. */
export function idTableFilesOf(file: string): [objects: string, materials: string] {
  return [`${file}.objects.csv`, `${file}.materials.csv`];
}

/**
 * Starts FILE.objects.csv where the columns have object_id (those that a row is of, in the world), and
 * FILE.materials.csv where they have material_id.
 * @throws UnderstoryError as Exporters.createTable
 */
export async function openIdTables(
  exporters: Pick<Exporters, 'createTable'>,
  {
    file,
    columns,
    compiled: { recipe, scenario },
    target,
  }: {
    file: string;
    columns: readonly ReturnColumnName[];
    compiled: CompiledScenario;
    target: ExportTarget;
  },
): Promise<IdTables> {
  const open = new Map<string, TableExporter>();
  const add = async (name: string, heads: readonly string[]): Promise<TableExporter> => {
    const table = await exporters.createTable(name, heads, target);
    open.set(name, table);
    return table;
  };
  const abort = async (): Promise<void> => {
    for (const table of open.values()) await table.abort();
  };
  const originM = originOf(scenario.scene);
  const seen = new SeenIds();
  const [objectsFile, materialsFile] = idTableFilesOf(file);
  try {
    const objects = columns.includes('object_id') ? await add(objectsFile, objectColumns) : null;
    if (columns.includes('material_id')) {
      const materials = await add(materialsFile, ['id', 'name']);
      await materials.write(recipe.materials.map(({ name }, id) => [id, name]));
    }
    return {
      take: ({ object_id }, rows) => object_id && seen.add(object_id, rows),
      isSeen: (id) => seen.has(id),
      seenFrom: (from, end) => seen.between(from, end),
      async write(all) {
        let rows: (string | number)[][] = [];
        for (const { id, name, class: className, model, pose, scale } of all) {
          if (!seen.has(id)) continue;
          const at = toWorld(originM, pose.positionM);
          rows.push([id, name, className, model, ...at, ...pose.rotation, scale]);
          if (rows.length < objectsAtOnce) continue;
          await objects?.write(rows);
          rows = [];
        }
        await objects?.write(rows);
      },
      async close() {
        for (const table of open.values()) await table.close();
        return [...open.keys()];
      },
      abort,
    };
  } catch (error) {
    await abort();
    throw error;
  }
}

/** `cloud`, which is open, with the tables of its ids beside it. @throws as openIdTables; nothing is left then */
export async function withIdTables(
  { ports, plan: { compiled, target }, worker }: PlannedScan,
  file: string,
  cloud: ReturnsFile,
): Promise<ReturnsFile> {
  const { columns } = cloud;
  const options = { file, columns, compiled, target };
  const ids = await openIdTables(ports.exporters, options).catch(async (error: unknown) => {
    await cloud.abort();
    throw error;
  });
  return {
    ...cloud,
    rows: (table, rows, piece) => {
      ids.take(table, rows);
      return cloud.rows(table, rows, piece);
    },
    close: async () => {
      if (columns.includes('object_id')) {
        const { recipe } = compiled;
        const write = (columns: InstanceSlice['columns']): Promise<void> =>
          ids.write(objectsOf(columns, recipe, ids.isSeen));
        await eachInstanceSlice(worker, ({ columns }) => write(columns));
        await eachPlantSlice(worker, seenPlants(recipe, ids.seenFrom), write);
      }
      const { files, leftOut } = await cloud.close();
      return { files: [...files, ...(await ids.close())], leftOut };
    },
    abort: async () => {
      await ids.abort();
      await cloud.abort();
    },
  };
}

function* seenPlants(
  { landscapes = [] }: SceneRecipe,
  seen: IdTables['seenFrom'],
): Generator<number> {
  for (const landscape of landscapes) {
    yield* seen(landscape.firstId, landscape.firstId + idsOf(landscape));
  }
}

/** Those instances that are wanted. */
function* objectsOf(
  columns: InstanceSlice['columns'],
  recipe: SceneRecipe,
  isWanted: (id: number) => boolean,
): Generator<ExportedObject> {
  const nameOf = instanceNames(recipe);
  for (const [row, id] of columns.instance_id.entries()) {
    if (!isWanted(id)) continue;
    const number = (name: keyof typeof columns): number => Number(columns[name][row]);
    yield {
      id,
      name: nameOf(id) ?? '',
      class: recipe.classes[number('class_id')] ?? '',
      model: recipe.models[number('model_id')]?.name ?? '',
      pose: {
        positionM: [number('x_m'), number('y_m'), number('z_m')],
        rotation: [number('qx'), number('qy'), number('qz'), number('qw')],
      },
      scale: number('scale'),
    };
  }
}

/** A set of ids, one bit each: a scene may have twenty million instances. */
class SeenIds {
  #bits = new Uint8Array(1024);

  add(ids: Uint32Array, rows: number): void {
    for (let row = 0; row < rows; row++) {
      const id = ids[row] ?? 0;
      const at = id >>> 3;
      if (at >= this.#bits.length) this.#grow(at + 1);
      this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (id & 7));
    }
  }

  has(id: number): boolean {
    return ((this.#bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  *between(from: number, end: number): Generator<number> {
    const lastByte = Math.min(this.#bits.length, Math.ceil(end / 8));
    for (let at = Math.floor(from / 8); at < lastByte; at += 1) {
      if (this.#bits[at] === 0) continue;
      for (let id = 8 * at; id < 8 * at + 8; id += 1) {
        if (id >= from && id < end && this.has(id)) yield id;
      }
    }
  }

  #grow(bytes: number): void {
    const larger = new Uint8Array(Math.max(bytes, 2 * this.#bits.length));
    larger.set(this.#bits);
    this.#bits = larger;
  }
}
