// Things that may have the name of a file, and cannot be read.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll } from 'vitest';

/** Makes something at a path. */
export type MakeOdd = (path: string) => void | Promise<void>;

const sockets: { close: () => void }[] = [];
afterAll(() => sockets.forEach((socket) => socket.close()));

/** By the words of a refusal. */
export const oddKinds: readonly (readonly [kind: string, make: MakeOdd])[] = [
  ['a named pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a folder', (path) => void mkdirSync(path)],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  [
    'a socket',
    (path) =>
      new Promise((resolve) => {
        sockets.push(createServer().listen(path, resolve));
      }),
  ],
];

/** Without bytes on the disk. */
export const makeTerabyte: MakeOdd = (path) => {
  writeFileSync(path, '');
  truncateSync(path, 2 ** 40);
};
