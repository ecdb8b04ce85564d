// runs.receive: a file that comes in pieces, from a page that has no path for it. Guarantees: pieces are written in
// order, never beyond the size that was announced; the file is gone after its use, when it is discarded, and with the
// connection that sent it; a file that nothing has been added to for a while makes room for others, and all are gone
// with the host. Their number is limited, and together they fit on the disk.
import { UnderstoryError } from '#contract/errors.ts';
import { bytesText } from '#domain/shared/formats.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Bundles } from '#services/ports/bundles.ts';
import type { ScratchFiles } from '#services/ports/files.ts';
import type { Clock, Machine } from '#services/ports/system.ts';
import { lastName } from '#services/runs/sideFiles.ts';
import { createMutex } from '#services/mutex.ts';

export interface UploadPorts {
  scratch: ScratchFiles;
  bundles: Pick<Bundles, 'append'>;
  machine: Pick<Machine, 'freeDiskBytes'>;
  clock: Pick<Clock, 'nowMs'>;
  dataFolder: string;
}

export interface Uploads {
  /**
   * Adds a piece; the first makes the file. @param connection of the sender, whose end removes it; left out: none
   * @throws UnderstoryError 'bad-input' | 'not-found' | 'locked' | 'disk-full' | 'io'
   */
  receive(
    request: RequestOf<'runs.receive'>,
    bytes: Uint8Array,
    connection?: AbortSignal,
  ): Promise<string>;
  /** Gives a whole file to `work`, and removes it. @throws 'not-found', 'bad-input' for a file that is not whole */
  use<T>(upload: string, work: (file: { path: string; name: string }) => Promise<T>): Promise<T>;
}

interface Upload {
  path: string;
  name: string;
  totalBytes: number;
  bytes: number;
  lastMs: number;
  /** It is being read, and removed after that. */
  isInUse: boolean;
  remove: () => Promise<void>;
}

const maxUploads = 4;
const idleMs = 600_000;

/** Nothing is received at first. */
export function createUploads(ports: UploadPorts): Uploads {
  const { scratch, bundles, machine, clock, dataFolder } = ports;
  const uploads = new Map<string, Upload>();
  /** Why: limits hold for calls that come at once, and nothing is appended to a file that is being removed. */
  const mutex = createMutex();
  return {
    receive: (request, bytes, connection) => inTurn(() => receivePiece(request, bytes, connection)),
    async use(id, work) {
      const upload = await inTurn(() => Object.assign(find(id), { isInUse: true }));
      const { bytes, totalBytes, path, name } = upload;
      try {
        if (bytes === totalBytes) return await named(path, name, () => work({ path, name }));
        const message = `only ${bytes} of the ${totalBytes} bytes of '${name}' arrived`;
        throw new UnderstoryError('bad-input', message);
      } finally {
        upload.isInUse = false;
        await remove(id);
      }
    },
  };

  async function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const unlock = await mutex.lock();
    try {
      return await work();
    } finally {
      unlock();
    }
  }

  async function receivePiece(
    { upload: known, name, totalBytes, offset, isDiscarded }: RequestOf<'runs.receive'>,
    bytes: Uint8Array,
    connection?: AbortSignal,
  ): Promise<string> {
    if (isDiscarded) {
      if (known !== undefined) await remove(known);
      return known ?? '';
    }
    const id = known ?? (await begin(name, totalBytes, connection));
    const upload = find(id);
    if (offset !== upload.bytes || offset + bytes.length > upload.totalBytes) {
      await remove(id);
      const message = `expected bytes from ${upload.bytes} to at most ${upload.totalBytes} of '${upload.name}'`;
      throw new UnderstoryError('bad-input', message);
    }
    upload.lastMs = clock.nowMs();
    upload.bytes += bytes.length;
    try {
      await bundles.append(upload.path, bytes);
    } catch (error) {
      await remove(id);
      throw error;
    }
    return id;
  }

  async function begin(
    name: string,
    totalBytes: number,
    connection?: AbortSignal,
  ): Promise<string> {
    const oldest = [...uploads].filter(([, { lastMs }]) => clock.nowMs() - lastMs > idleMs);
    for (const [id] of oldest) await remove(id);
    if (uploads.size >= maxUploads) {
      const message = `${maxUploads} files are being received, the limit: wait for one`;
      throw new UnderstoryError('locked', message);
    }
    expectFreeSpace(name, totalBytes);
    const opened = Promise.withResolvers<string>();
    const ended = Promise.withResolvers<void>();
    const closed = scratch.use('upload', (path) => {
      opened.resolve(path);
      return ended.promise;
    });
    closed.catch((error: unknown) => opened.reject(error));
    const path = await opened.promise;
    const onLost = (): void => {
      // Why swallowed: what cannot be removed now is removed at the next start.
      inTurn(() => remove(path)).catch(() => undefined);
    };
    const removeFile = async (): Promise<void> => {
      connection?.removeEventListener('abort', onLost);
      ended.resolve();
      await closed;
    };
    uploads.set(path, {
      path,
      name: lastName(name),
      totalBytes,
      bytes: 0,
      lastMs: clock.nowMs(),
      isInUse: false,
      remove: removeFile,
    });
    if (connection?.aborted === true) onLost();
    connection?.addEventListener('abort', onLost, { once: true });
    return path;
  }

  /** @throws 'disk-full' where the file does not fit beside what others still send */
  function expectFreeSpace(name: string, totalBytes: number): void {
    const announced = [...uploads.values()].reduce(
      (sum, one) => sum + one.totalBytes - one.bytes,
      0,
    );
    const freeBytes = Math.max(0, machine.freeDiskBytes(dataFolder) - announced);
    if (freeBytes >= totalBytes) return;
    const message = `'${name}' has ${bytesText(totalBytes)}, but ${dataFolder} has only ${bytesText(freeBytes)} free`;
    throw new UnderstoryError('disk-full', message, { neededBytes: totalBytes, freeBytes });
  }

  function find(id: string): Upload {
    const upload = uploads.get(id);
    if (upload?.isInUse === false) return upload;
    throw new UnderstoryError('not-found', 'the file was not received, or was discarded meanwhile');
  }

  /** Nothing where it is gone, or in use: then it is removed after that. */
  async function remove(id: string): Promise<void> {
    const upload = uploads.get(id);
    if (upload === undefined || upload.isInUse) return;
    uploads.delete(id);
    await upload.remove();
  }
}

/** Failures name the file as its owner does. */
async function named<T>(path: string, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnderstoryError)) throw error;
    const { code, message, details } = error;
    throw new UnderstoryError(code, message.replaceAll(path, name), details);
  }
}
