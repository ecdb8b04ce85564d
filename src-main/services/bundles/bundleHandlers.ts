// runs.pack, runs.receive, runs.unpack and runs.verify: runs into files, from files, and simulated again from either.
import { UnderstoryError } from '#contract/errors.ts';
import type { HostEvents } from '#services/events.ts';
import type { Handlers } from '#services/handlers.ts';
import { runOf } from '#services/runs/runCollection.ts';
import { lastName } from '#services/runs/sideFiles.ts';
import { verifyRun } from '#services/runs/verifyRun.ts';
import { packRuns } from './packRuns.ts';
import { unpackRuns, type UnpackPorts } from './unpackRuns.ts';
import type { Uploads } from './uploads.ts';
import { verifyFile } from './verifyFile.ts';

export type BundleMethods = 'runs.pack' | 'runs.receive' | 'runs.unpack' | 'runs.verify';

export interface BundleHandlerPorts extends Omit<UnpackPorts, 'exportCloud'> {
  events: HostEvents;
  exportRun: Handlers<'runs'>['runs.export'];
  uploads: Uploads;
}

/** The handlers of the methods about files of runs (contract/host/runMethods.ts). */
export function bundleHandlers({
  exportRun,
  ...ports
}: BundleHandlerPorts): Pick<Handlers<'runs'>, BundleMethods> {
  const { catalogue, events, uploads } = ports;
  const bundlePorts: UnpackPorts = {
    ...ports,
    exportCloud: async (runId, format, out, context) =>
      exportRun({ runId, format, out, isReplacing: false }, context),
  };
  return {
    'runs.pack': async ({ runIds, ...options }, context) => {
      const rows = runIds.map((runId) => runOf(catalogue, runId));
      return { reply: await packRuns(bundlePorts, rows, options, context) };
    },

    'runs.receive': async (request, { columns, connection }) => {
      const { bytes } = columns ?? {};
      if (!(bytes instanceof Uint8Array) && !request.isDiscarded) {
        throw new UnderstoryError('protocol', 'expected a column bytes of type u8');
      }
      const piece = bytes instanceof Uint8Array ? bytes : new Uint8Array();
      return { reply: { upload: await uploads.receive(request, piece, connection) } };
    },

    'runs.unpack': async ({ path = '', upload }, context) => {
      const reply =
        upload === undefined
          ? await unpackRuns(bundlePorts, { path, name: lastName(path) }, context)
          : await uploads.use(upload, (file) => unpackRuns(bundlePorts, file, context));
      for (const { runId } of reply.runs) {
        const { state } = runOf(catalogue, runId);
        events.emit({ name: 'runs.changed', body: { runId, state } });
      }
      return { reply };
    },

    'runs.verify': async ({ runId = '', file, threads }, context) => {
      if (file !== undefined) {
        return { reply: await verifyFile(bundlePorts, file, threads ?? null, context) };
      }
      const run = runOf(catalogue, runId);
      if (run.state === 'running') {
        throw new UnderstoryError('locked', `run ${run.id} is not at its end yet`);
      }
      return { reply: await verifyRun(ports, run, threads ?? null, context) };
    },
  };
}
