// Whether a run would fit on the disk: its recording, beside the reserve that the guard of the run keeps, or its rows in
// the catalogue.
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { pulsesPerSecond } from '#domain/sensor/summary.ts';
import { bytesText } from '#domain/shared/formats.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Machine } from '#services/ports/system.ts';
import { reserveBytes } from '#services/runProcess/diskGuard.ts';

/**
 * Smallest size of one pulse in a recording (measured: 4.4 in a flat yard, 18 in a grassy one). Why the smallest: a
 * run ends by itself, its recording whole, before the disk is full; only one that cannot get far is refused.
 */
const recordedBytesPerPulse = 4;

/** @throws 'disk-full' where the recording would foreseeably not fit. */
export function expectFreeSpace(
  { folders, machine }: { folders: RunFolders; machine: Machine },
  compiled: CompiledScenario,
  seconds: number | null,
): void {
  const { mission, vehicle } = compiled.scenario;
  if (mission === undefined) return;
  const [dxM, dyM] = [0, 1].map((i) => (mission.goalM[i] ?? 0) - (mission.startM[i] ?? 0));
  const likelyS = (1.5 * Math.hypot(dxM ?? 0, dyM ?? 0)) / vehicle.maxSpeedMPerS + 10;
  const pulsesPerS = compiled.sensors.reduce((sum, { recipe }) => sum + pulsesPerSecond(recipe), 0);
  const lengthS = Math.min(seconds ?? likelyS, mission.timeoutS);
  const recordedBytes = lengthS * pulsesPerS * recordedBytesPerPulse;
  const neededBytes = reserveBytes + recordedBytes;
  const freeBytes = machine.freeDiskBytes(folders.dataFolder);
  if (freeBytes >= neededBytes) return;
  const message =
    `the recording of ${lengthS.toFixed(1)} s takes at least ${bytesText(recordedBytes)}, and ` +
    `${bytesText(reserveBytes)} must stay free, but ${folders.dataFolder} has only ${bytesText(freeBytes)} free`;
  throw new UnderstoryError('disk-full', message, { neededBytes, freeBytes });
}

/** For the catalogue and its journal. */
const minFreeBytes = 50e6;

/** For a run without a recording. @throws 'disk-full' */
export function expectRoomForRows({
  folders,
  machine,
}: {
  folders: RunFolders;
  machine: Machine;
}): void {
  const freeBytes = machine.freeDiskBytes(folders.dataFolder);
  if (freeBytes >= minFreeBytes) return;
  const message = `${folders.dataFolder} has only ${bytesText(freeBytes)} free`;
  throw new UnderstoryError('disk-full', message, { freeBytes });
}
