// Writes the pictures of a drive (pictures/runPictures.ts) into files.
import { join } from 'node:path';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import type { DrivePictureFiles } from './driveReport.ts';
import { writeWhole } from './files.ts';
import { drawPictures } from './pictures/runPictures.ts';

export interface DrivePictureOptions {
  run: RunDetails;
  /** Names the files and the titles. */
  sensor: string;
  /** Absolute. */
  outFolder: string;
  signal: AbortSignal;
}

/** Writes the pictures that the recording has something for. */
export async function drawDrive(options: DrivePictureOptions): Promise<DrivePictureFiles> {
  const { run, sensor, outFolder, signal } = options;
  const reader = await createRecordings().open(run.recordingFile);
  try {
    const [lengthM, widthM] = run.vehicleSizeM;
    const pictured = {
      ...run,
      sensor,
      name: run.id,
      vehicleSizeM: [lengthM, widthM] as const,
      extentM: run.scene,
      simSeconds: run.metrics?.simSeconds ?? null,
    };
    const { costMap10s, costMap, cloud } = await drawPictures(reader, pictured, signal);
    const fileOf = (name: string): string => join(outFolder, `${fileNameOf(sensor)}-${name}.png`);
    return {
      costMapPng: write(fileOf('cost-map-10s'), costMap10s),
      finalCostMapPng: write(fileOf('cost-map'), costMap),
      cloudPng: write(fileOf('cloud'), cloud),
    };
  } finally {
    await reader.close();
  }
}

function write(file: string, png: Uint8Array | null): string | null {
  if (png === null) return null;
  writeWhole(file, png);
  return file;
}

/** The id of a sensor, or the name of its file without folder and ending. */
function fileNameOf(sensor: string): string {
  return documentName(sensor).replace(/[^\w.-]+/g, '-');
}
