// Entry of the thread that makes octrees (nodeOctrees.ts). Its host ends it: nothing here is cancelled.
import { openPointFile } from '#recordings/foreign/points/pointFile.ts';
import { openLog } from '#recordings/log/logReader.ts';
import { buildOctree, type CloudPoints } from '#recordings/octree/buildOctree.ts';
import { measureDistances } from '#recordings/octree/measureDistances.ts';
import { openOctree } from '#recordings/octree/octreeReader.ts';
import { cloudOfLog } from '#recordings/octree/logCloud.ts';
import { cloudOfPointFile } from '#recordings/octree/pointFileCloud.ts';
import { cloudOfRecording } from '#recordings/octree/recordingCloud.ts';
import { openSavedPoints } from '#recordings/octree/savedPoints.ts';
import { openRecording } from '#recordings/recordingReader.ts';
import type { CloudToBuild } from '#services/ports/octrees.ts';
import { reportProgress, serveJobs } from './jobEntry.ts';

const jobs = {
  /** @param aside name of the file, to which those of spill files are added */
  async build(cloud: CloudToBuild, aside: string) {
    let spills = 0;
    const spillPath = (): string => `${aside}-${(spills += 1)}`;
    const { points, close } = await opened(cloud);
    try {
      await buildOctree(points, aside, spillPath, { progress: reportProgress });
    } finally {
      await close();
    }
  },
  /** Distances between the octrees of two files. */
  async measure(from: string, to: string, key: string, aside: string) {
    const octrees = [await openOctree(from), await openOctree(to)] as const;
    try {
      await measureDistances(...octrees, aside, { key, progress: reportProgress });
    } finally {
      for (const octree of octrees) await octree.close();
    }
  },
  async pointFile(file: string) {
    const { points, system } = await openPointFile(file);
    return { points, system };
  },
};
export type OctreeJobs = typeof jobs;

serveJobs(jobs, { isMoved: true });

async function opened(
  cloud: CloudToBuild,
): Promise<{ points: CloudPoints; close: () => Promise<void> }> {
  const { file, key, returns: maxPoints } = cloud;
  if (cloud.kind === 'recording') {
    const recording = await openRecording(file);
    const points = cloudOfRecording(recording, { file, key, maxPoints, sensor: cloud.sensor });
    return { points, close: () => recording.close() };
  }
  if (cloud.kind === 'log') {
    const log = await openLog(file);
    return { points: cloudOfLog(log, file), close: () => log.close() };
  }
  if (cloud.kind === 'points') {
    const points = await cloudOfPointFile({ file, key, metres: cloud.metres });
    return { points, close: () => Promise.resolve() };
  }
  const points = await openSavedPoints(file);
  return { points, close: points.close };
}
