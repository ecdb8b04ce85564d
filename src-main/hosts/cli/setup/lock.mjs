// One set-up at a time in a clone: a file that holds the process's id.
import fs from 'node:fs';
import path from 'node:path';
import { readOrEmpty, root, say } from './clone.mjs';
import { stopTool } from './tools.mjs';

/** Held by one process at a time; a lock whose process is gone is taken over. */
export async function withLock(work) {
  const file = path.join(root, 'build/setup/lock');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // Why a link: the lock comes into being with its content, so that none is ever found empty.
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    for (let isFirst = true; !isLinked(own, file); isFirst = false) {
      const holder = Number(readOrEmpty(file));
      if (!isSetup(holder)) fs.rmSync(file, { force: true });
      else {
        if (isFirst) say(`waiting for the set-up that process ${holder} is running …`);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
  const release = () => fs.rmSync(file, { force: true });
  const onSignal = () => {
    stopTool();
    release();
    process.exit(130);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    await work();
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    release();
  }
}

function isLinked(from, to) {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a live process with this id runs this script: ids are given out again. */
function isSetup(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return pid > 0 && error.code === 'EPERM';
  }
  const commandLine = readOrEmpty(`/proc/${pid}/cmdline`);
  return pid > 0 && (commandLine === '' || commandLine.includes('setup.mjs'));
}
