// The adapter for the port `Exporters`: returns leave for other programs, chunk by chunk, in files that appear under
// their name only when they are whole. Two exports to one name write aside under names of their own: the one that ends
// later replaces the other's file where replacing was asked for, and is refused otherwise.
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { throwIfCancelled } from '#contract/errors.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import type { Exporters, ReturnsExporter } from '#services/ports/exporters.ts';
import { naming } from '#files/appendFile.ts';
import { csv } from './csv.ts';
import type { Format, FormatWriter } from './format.ts';
import { beginPartFile, openPartFile, takeName, type PartFile } from './partFile.ts';
import { partNameOf, removeLeftovers } from './partName.ts';
import { joinTables } from '../join/joinTables.ts';
import { las } from './las.ts';
import { encodeGeoTiff } from './geoTiff.ts';
import { openNpz } from './npz.ts';
import { npz } from './npzColumns.ts';
import { parquet } from './parquet.ts';
import { pcd } from './pcd.ts';
import { ply } from './ply.ts';
import { createSemanticKitti } from './semanticKitti.ts';
import {
  checkCaptureEnding,
  checkEnding,
  checkFolder,
  checkForbidden,
  checkTarget,
  ownFoldersOf,
} from './target.ts';
import type { TargetRules } from './target.ts';
import { velodynePcap } from './velodynePcap.ts';
import { createRaysFile, createTableFile, createWaveformsFile } from './sideFiles.ts';

/** Every format there is. */
const formats: Record<ExportFormat, Format> = { csv, las, npz, parquet, pcd, ply };

/**
 * Exporters by format. @param options.dataFolder nothing is written in it but in the user's own folders, which are made
 * when they are needed; null: there is none
 * @param options.wktOf well-known text of a scene's coordinate system; left out: none is known
 */
export function createExporters({
  dataFolder,
  wktOf = () => Promise.resolve(null),
}: {
  dataFolder: string | null;
  wktOf?: (crs: string) => Promise<string | null>;
}): Exporters {
  const userFolders = dataFolder === null ? [] : ownFoldersOf(dataFolder);
  const check = async (file: string, rules: Omit<TargetRules, 'dataFolder'>): Promise<void> => {
    const own = userFolders.find((folder) => dirname(file) === folder);
    if (own !== undefined) await naming(file, () => mkdir(own, { recursive: true }));
    await checkTarget(file, { ...rules, dataFolder, userFolders });
  };
  const writeWhole = async (
    file: string,
    target: Omit<TargetRules, 'dataFolder'>,
    write: (part: PartFile) => Promise<void>,
  ): Promise<void> => {
    await check(file, target);
    await beginPartFile(file, async (part) => {
      await write(part);
      await check(file, target);
      await part.finish();
    });
  };
  return {
    async create(file, { format, isReplacing, inputs, ...options }) {
      const rules = { isReplacing, inputs, dataFolder, userFolders };
      checkEnding(file, format);
      await check(file, rules);
      const wkt = options.crs === undefined ? null : await wktOf(options.crs);
      return createExporter(file, rules, (part) =>
        formats[format].write(part, { originM: [0, 0, 0], ...options, wkt }),
      );
    },
    async createRays(file, { classes, originM = [0, 0, 0] }, target) {
      await check(file, target);
      return createRaysFile(file, classes, originM);
    },
    async createWaveforms(file, target) {
      await check(file, target);
      return createWaveformsFile(file);
    },
    async createArrays(file, target) {
      await check(file, target);
      const archive = await openNpz(file);
      return {
        ...archive,
        async add(name, array, values) {
          await archive.add(name, array);
          if (values !== undefined) await archive.append(name, values);
        },
      };
    },
    writeRaster: (file, raster, target) =>
      writeWhole(file, target, (part) => part.append(encodeGeoTiff(raster))),
    async createFrames(folder, options) {
      await checkFolder(folder);
      checkForbidden(folder, { ...options, dataFolder, userFolders });
      return createSemanticKitti(folder, options);
    },
    async createPackets(file, options, target) {
      checkCaptureEnding(file);
      await check(file, target);
      const rules = { ...target, dataFolder, userFolders };
      return createExporter(file, rules, (part) => velodynePcap(part, options));
    },
    async createTable(file, columns, target) {
      await check(file, target);
      return createTableFile(file, columns);
    },
    async createText(file, target) {
      await check(file, target);
      const part = await openPartFile(file);
      const encoder = new TextEncoder();
      return {
        write: (text) => part.append(encoder.encode(text)),
        async close() {
          await check(file, target);
          await part.finish();
        },
        abort: () => part.abort(),
      };
    },
    async join(file, parts, { format, signal, ...target }) {
      checkEnding(file, format);
      await writeWhole(file, target, (part) =>
        formats[format].join(part, parts, () => throwIfCancelled(signal)),
      );
    },
    joinTables: (file, tables, { signal, ...target }) =>
      writeWhole(file, target, (part) => joinTables(part, tables, () => throwIfCancelled(signal))),
    async openTarget(file, target) {
      const rules = { ...target, dataFolder, userFolders };
      await check(file, rules);
      removeLeftovers(file);
      const aside = partNameOf(file);
      return {
        aside,
        async finish() {
          // Again: others may have written meanwhile.
          await checkTarget(file, rules);
          await takeName(aside, file);
        },
        abort: () => naming(file, () => rm(aside, { force: true })),
      };
    },
  };
}

/** @throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder), here and in every method */
async function createExporter(
  file: string,
  rules: TargetRules,
  begin: (part: PartFile) => Promise<FormatWriter>,
): Promise<ReturnsExporter> {
  return beginPartFile(file, async (part) => {
    const writer = await begin(part);
    let all = 0;
    return {
      async write(table, rows, sensor = 0) {
        await writer.write(table, rows, sensor);
        all += rows;
      },
      async close() {
        const points = await writer.finish(all);
        // Again: others may have written meanwhile.
        await checkTarget(file, rules);
        await part.finish();
        return { files: [file], points, leftOut: writer.leftOut };
      },
      async abort() {
        await writer.abort?.();
        await part.abort();
      },
    };
  });
}
