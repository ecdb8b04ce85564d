// Importing runs: bundles, bare recordings and data folders, by a path on the host's machine or by dropping files on the
// page. One import at a time; each is a job, and continues when its dialog is closed.
import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { useClient } from '#renderer/client/injection.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { fileNameOf } from '#renderer/logic/frame/openableFile.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { sendFile } from '#renderer/logic/runs/upload.ts';
import { useJobs } from '../host/jobs.ts';

/** The result of importing a file. */
export interface Imported {
  name: string;
  runs: Replies['runs.unpack']['runs'];
  refused: Replies['runs.unpack']['refused'];
}

/** A file of this machine, or the path of one on the host's. */
type Source = { path: string } | { file: File };

export const useRunImport = defineStore('runImport', () => {
  const client = useClient();
  const jobs = useJobs();
  const shell = window.understory;
  const isOpen = ref(false);
  /** The name of what is being imported. */
  const working = ref<string | null>(null);
  const progress = shallowRef<Progress | null>(null);
  const done = shallowRef<readonly Imported[]>([]);
  const failure = ref<string | null>(null);
  let controller = new AbortController();
  return {
    isOpen,
    working,
    progress,
    done,
    failure,
    open,
    choose,
    importPath,
    importFiles,
    cancel: () => controller.abort(),
  };

  function open(): void {
    if (working.value === null) {
      done.value = [];
      failure.value = null;
    }
    isOpen.value = true;
  }

  /** Asks with the window's own dialog. */
  async function choose(): Promise<void> {
    const path = await shell?.chooseFile({ purpose: 'open-runs' });
    if (path !== null && path !== undefined) await importPath(path);
  }

  /** A file or folder on the host's machine. */
  async function importPath(path: string): Promise<void> {
    await importAll([{ path }]);
  }

  /** Files that were dropped or chosen in the browser. */
  async function importFiles(files: readonly File[]): Promise<void> {
    await importAll(
      files.map((file) => {
        const path = shell?.pathOfFile(file) ?? '';
        return path === '' ? { file } : { path };
      }),
    );
  }

  async function importAll(sources: readonly Source[]): Promise<void> {
    isOpen.value = true;
    if (working.value !== null) {
      failure.value = 'Another import is in progress. Cancel it, or wait for its end.';
      return;
    }
    controller = new AbortController();
    done.value = [];
    failure.value = null;
    for (const source of sources) {
      const name = 'path' in source ? fileNameOf(source.path) : source.file.name;
      working.value = name;
      try {
        const { runs, refused } = await importOne(name, source);
        done.value = [...done.value, { name, runs, refused }];
      } catch (error) {
        if (!isCancelled(error)) failure.value = sentenceOf(error);
        break;
      } finally {
        working.value = null;
        progress.value = null;
      }
    }
  }

  async function importOne(name: string, source: Source): Promise<Replies['runs.unpack']> {
    const { signal } = controller;
    const command = 'path' in source ? commandOf('runs.unpack', source) : null;
    const job = jobs.track(`Import ${name}`, () => controller.abort(), command);
    const onProgress = (next: Progress): void => {
      progress.value = next;
      job.advance(next);
    };
    try {
      const request =
        'path' in source
          ? { path: source.path }
          : { upload: await received(source.file, onProgress, signal) };
      const reply = await client.call('runs.unpack', request, { signal, onProgress });
      job.done();
      return reply;
    } catch (error) {
      job.failed(error);
      throw error;
    }
  }

  async function received(
    file: File,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<string> {
    return sendFile(
      file,
      (request, bytes) => client.call('runs.receive', request, { columns: { bytes } }),
      (bytes) => onProgress({ phase: 'sending', done: bytes, total: file.size }),
      signal,
    );
  }
});
