// Entry of the thread that makes octrees (nodeOctrees.ts). Its host ends it: nothing here is cancelled.
import { openLog } from '#recordings/log/logReader.ts';
import { buildOctree } from '#recordings/octree/buildOctree.ts';
import { cloudOfLog } from '#recordings/octree/logCloud.ts';
import { reportProgress, serveJobs } from './jobEntry.ts';

const jobs = {
  /** @param aside name of the file, to which those of spill files are added */
  async build(logFile: string, aside: string) {
    const log = await openLog(logFile);
    let spills = 0;
    const spillPath = (): string => `${aside}-${(spills += 1)}`;
    try {
      const cloud = cloudOfLog(log, logFile);
      await buildOctree(cloud, aside, spillPath, { progress: reportProgress });
    } finally {
      await log.close();
    }
  },
};
export type OctreeJobs = typeof jobs;

serveJobs(jobs, { isMoved: true });
