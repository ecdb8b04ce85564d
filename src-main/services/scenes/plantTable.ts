// The table of plants of scenario.truth: CSV, a row a plant, empty where a value does not exist or is not known.
import type { Arrays } from '#contract/columns.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { plantTruthColumns } from '#contract/worker/truth.ts';
import { toWorld, type OriginM } from '#contract/worldOrigin.ts';
import { decimal } from '#domain/vegetation/voxelSpace.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';

export interface PlantTable {
  write(
    columns: Arrays<typeof plantTruthColumns>,
    recipe: SceneRecipe,
    originM: OriginM,
  ): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

const measures = [
  'dbh_m',
  'height_m',
  'crown_base_m',
  'crown_width_m',
  'crown_volume_m3',
  'leaf_area_m2',
  'wood_area_m2',
  'wood_volume_m3',
] as const;

const rowsAtOnce = 4096;

/** Starts the table. @throws UnderstoryError as Exporters.createTable */
export async function openPlantTable(
  exporters: Pick<Exporters, 'createTable'>,
  file: string,
  target: ExportTarget,
): Promise<PlantTable> {
  const heads = [
    'id',
    'name',
    'class',
    'model',
    'plant',
    'x_m',
    'y_m',
    'z_m',
    'scale',
    ...measures,
  ];
  const table = await exporters.createTable(file, heads, target);
  return {
    async write(columns, recipe, originM) {
      const nameOf = instanceNames(recipe);
      const number = (name: keyof typeof columns, row: number): number => columns[name][row] ?? NaN;
      const rowAt = (row: number): (string | number)[] => {
        const id = number('instance_id', row);
        const model = recipe.models[number('model_id', row)];
        const footM = toWorld(originM, [
          number('x_m', row),
          number('y_m', row),
          number('z_m', row),
        ]);
        return [
          id,
          nameOf(id) ?? '',
          recipe.classes[number('class_id', row)] ?? '',
          model?.name ?? '',
          model?.source.kind === 'plant' ? model.source.plant.id : '',
          ...footM.map(decimal),
          decimal(number('scale', row)),
          ...measures.map((name) => {
            const value = number(name, row);
            return Number.isNaN(value) ? '' : decimal(value);
          }),
        ];
      };
      const rows = columns.instance_id.length;
      for (let from = 0; from < rows; from += rowsAtOnce) {
        const count = Math.min(rowsAtOnce, rows - from);
        await table.write(Array.from({ length: count }, (_, row) => rowAt(from + row)));
      }
    },
    close: () => table.close(),
    abort: () => table.abort(),
  };
}
