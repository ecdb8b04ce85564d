// The process of a worker that survives its death: started again with back-off, its scene built again. `living` gives
// the process; a caller whose process died calls `living` again.
import { setTimeout as delay } from 'node:timers/promises';
import { UnderstoryError } from '#contract/errors.ts';
import type { WorkerHello } from '#contract/worker/worker.ts';
import { checkedReply } from '#contract/worker/workerMethods.ts';
import type { Log } from '#services/ports/system.ts';
import { sentBody, type SceneCall } from './sceneCall.ts';
import type { WorkerProcess } from './workerProcess.ts';

export interface SuperviseOptions {
  start: () => Promise<WorkerProcess>;
  log: Log;
  /** Over the whole life of the worker. */
  maxRestarts: number;
  /** Wait before the first restart; doubled for each further one. */
  backOffMs: number;
}

/** Why so few: each build may bring the system's out-of-memory killer again, on another process, too. */
const maxKillsWhileBuilding = 2;

export interface BuiltScene extends SceneCall {
  sceneHash: string;
}

export interface SupervisedProcess {
  readonly hello: WorkerHello;
  readonly pid: number;
  readonly isDisposed: boolean;
  /** The process, brought back where it has died. @throws 'worker-lost' once the restarts are used up */
  living(): Promise<WorkerProcess>;
  /** Counts a process that was lost while it built a scene. @throws 'worker-lost' where another would be lost too */
  lostWhileBuilding(process: WorkerProcess): void;
  /** The scene that a process needs which is brought back. */
  setScene(scene: BuiltScene | null): void;
  dispose(): Promise<void>;
}

/** @throws what `start` throws, when the very first start fails */
export async function superviseProcess(options: SuperviseOptions): Promise<SupervisedProcess> {
  const { start, log, maxRestarts, backOffMs } = options;
  let current = await start();
  const { hello } = current;
  let restarting: Promise<WorkerProcess> | null = null;
  let restarts = 0;
  let killsWhileBuilding = 0;
  let endedForGood: UnderstoryError | null = null;
  let scene: BuiltScene | null = null;
  let isDisposed = false;
  /** A process that is being brought back, until it has its scene. */
  let starting: WorkerProcess | null = null;

  return {
    hello,
    get pid() {
      return current.pid;
    },
    get isDisposed() {
      return isDisposed;
    },
    living,
    lostWhileBuilding,
    setScene(built) {
      scene = built;
    },
    async dispose() {
      isDisposed = true;
      await Promise.all([current.kill(), starting?.kill()]);
    },
  };

  function lostWhileBuilding(process: WorkerProcess): void {
    if (process.wasKilledByOthers) killsWhileBuilding += 1;
    if (killsWhileBuilding < maxKillsWhileBuilding) return;
    endedForGood = new UnderstoryError(
      'worker-lost',
      `the worker was killed ${killsWhileBuilding} times while it built the scene: ` +
        'the system probably ran out of memory; close other programs or make the scene smaller',
      { stderr: process.lastLines() },
    );
    throw endedForGood;
  }

  function living(): Promise<WorkerProcess> {
    if (isDisposed) throw new UnderstoryError('worker-lost', 'the worker was disposed');
    if (endedForGood !== null) throw endedForGood;
    if (!current.hasEnded) return Promise.resolve(current);
    restarting ??= restart().finally(() => (restarting = null));
    return restarting;
  }

  async function restart(): Promise<WorkerProcess> {
    let how = await current.ended;
    let lastLines = current.lastLines();
    for (;;) {
      if (restarts === maxRestarts) {
        throw new UnderstoryError(
          'worker-lost',
          maxRestarts === 0 ? how : `the worker died ${restarts + 1} times, the last time: ${how}`,
          { stderr: lastLines },
        );
      }
      restarts += 1;
      log.warn('the worker is started again', { how, restarts, stderr: lastLines });
      await delay(backOffMs * 2 ** (restarts - 1));
      try {
        const process = await start();
        starting = process;
        try {
          if (isDisposed) throw new UnderstoryError('worker-lost', 'the worker was disposed');
          if (scene !== null) await buildAgain(process, scene);
          if (isDisposed) throw new UnderstoryError('worker-lost', 'the worker was disposed');
        } catch (error) {
          lastLines = process.lastLines();
          await process.kill();
          lostWhileBuilding(process);
          throw error;
        } finally {
          starting = null;
        }
        current = process;
        return process;
      } catch (error) {
        const isLost = error instanceof UnderstoryError && error.code === 'worker-lost';
        if (isDisposed || !isLost || error === endedForGood) throw error;
        how = error.message;
      }
    }
  }
}

async function buildAgain(process: WorkerProcess, scene: BuiltScene): Promise<void> {
  const { columns } = scene;
  const reply = await process.call('scene.build', await sentBody(scene), { columns });
  const { sceneHash } = checkedReply('scene.build', reply).body;
  if (sceneHash !== scene.sceneHash) {
    throw new UnderstoryError(
      'worker-failed',
      `the scene came out differently when it was built again: ${sceneHash}, before ${scene.sceneHash}`,
    );
  }
}
