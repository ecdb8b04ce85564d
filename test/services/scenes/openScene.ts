// Scenes opened as a client does it, by the real services over the real worker.
import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import type { Columns } from '#contract/columns.ts';
import type { Method, RequestInputOf } from '#contract/host/methods.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { SceneChunk, SceneContents } from '#contract/host/sceneMethods.ts';
import { type ColumnSlices, createColumnSlices } from '#domain/shared/columnSlices.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeOctrees } from '#hosts/node/nodeOctrees.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { dispatch, type Handlers } from '#services/handlers.ts';
import type { Machine } from '#services/ports/system.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { scanHandlers } from '#services/scans/scanHandlers.ts';
import { sceneHandlers } from '#services/scenes/sceneHandlers.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createMutex } from '#services/mutex.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { realLauncher } from '#test/support/worker.ts';

type SceneMethod = Extract<Method, `scene.${string}` | `scan.${string}`>;

export interface Asked<M extends Method> {
  reply: Replies[M];
  columns: Columns;
  chunks: { body: unknown; columns: Columns }[];
}

export interface Hooks {
  signal?: AbortSignal;
  onChunk?: (body: unknown, columns: Columns) => void | Promise<void>;
  onProgress?: (phase: string) => void;
}

export interface SceneServices {
  ask<M extends SceneMethod>(
    method: M,
    request: RequestInputOf<M>,
    hooks?: Hooks,
  ): Promise<Asked<M>>;
  /** Resolves when `ready`, instances and all levels are there. */
  open(request: RequestInputOf<'scene.open'>): Promise<OpenedScene>;
  /** Every worker that was started. */
  workers: ScanWorker[];
  closeAll: () => Promise<void>;
}

export interface OpenedScene {
  contents: SceneContents;
  instances: Columns;
  meshes: { chunk: Extract<SceneChunk, { kind: 'mesh' }>; columns: Columns }[];
  /** Gives the scene up; resolves with the failure that ends the call. */
  close(): Promise<unknown>;
  /** As `close`, without cancelling. */
  ended: Promise<unknown>;
}

/** The services behind `scene.*` and `scan.*`. */
export function sceneServices(machine: Machine = createNodeMachine()): SceneServices {
  const files = createNodeFiles({ assetsFolder });
  const documents = createDocuments({ files });
  const workers: ScanWorker[] = [];
  const workerLauncher = realLauncher({ limits: { backOffMs: 1 } });
  const launcher: WorkerLauncher = {
    open: async (options) => {
      const worker = await workerLauncher.open(options);
      workers.push(worker);
      return worker;
    },
  };
  const builds = createMutex();
  const octrees = createNodeOctrees({ folder: join(temporaryFolder(), 'octrees'), machine });
  const ofScenes = { documents, octrees, launcher, machine, builds, newId: randomUUIDv7 };
  const scenes = sceneHandlers(ofScenes);
  const exporters = createExporters({ dataFolder: null });
  const scans = scanHandlers({
    documents,
    files,
    launcher,
    machine,
    builds,
    exporters,
    logs: createLogs(exporters),
    recordings: createRecordings(),
    product: { version: '0', simulatingSources: 's' },
  });
  const handlers = { ...scenes.handlers, ...scans } as Handlers;

  async function ask<M extends SceneMethod>(
    method: M,
    request: RequestInputOf<M>,
    hooks: Hooks = {},
  ): Promise<Asked<M>> {
    const { signal = new AbortController().signal, onChunk, onProgress } = hooks;
    const chunks: Asked<M>['chunks'] = [];
    const { reply, columns = {} } = await dispatch(handlers, method, request, {
      signal,
      progress: ({ phase }) => onProgress?.(phase),
      chunk: async (body, chunkColumns) => {
        await onChunk?.(body, chunkColumns);
        chunks.push({ body, columns: chunkColumns });
      },
    });
    return { reply, columns, chunks };
  }

  function open(request: RequestInputOf<'scene.open'>): Promise<OpenedScene> {
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      let contents: SceneContents | null = null;
      let instances: ColumnSlices | null = null;
      const meshes: OpenedScene['meshes'] = [];
      const done = (): void => {
        if (contents === null) return;
        const wanted = contents.models.reduce((sum, { levels }) => sum + levels.length, 0);
        if (meshes.length < wanted) return;
        const close = (): Promise<unknown> => {
          controller.abort();
          return ended;
        };
        resolve({ contents, instances: instances?.columns ?? {}, meshes, close, ended });
      };
      const ended = ask('scene.open', request, {
        signal: controller.signal,
        onChunk: (body, columns) => {
          const chunk = body as SceneChunk;
          if (chunk.kind === 'ready') contents = chunk;
          if (chunk.kind === 'instances') {
            instances ??= createColumnSlices(chunk.total);
            instances.put(chunk.fromRow, columns);
          }
          if (chunk.kind === 'mesh') meshes.push({ chunk, columns });
          if (chunk.kind !== 'ready') done();
        },
      }).then(
        () => new Error('the scene ended well, which it never does'),
        (error: unknown) => error,
      );
      void ended.then(reject);
    });
  }

  return { ask, open, workers, closeAll: scenes.closeAll };
}

/** True while a process of that id lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
