// Child process of the tests that kill and race: `write FILE FIRST` adds runs and ticks until it is killed,
// `count FILE FIRST` adds 200 runs and ends, `open FOLDER MS` makes 100 catalogues from that time on, one every 20 ms, and
// ends, `lock FILE` holds a lock until it is killed. Each prints `ready` once it is at work.
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { sampleTickRecord } from '#test/recordings/samples.ts';
import { sampleInstances, sampleRun, sampleSavedScene } from './sampleScene.ts';

const [what, file = '', first = '0'] = process.argv.slice(2);
if (what === 'lock') {
  const locks = createRunLocks();
  locks.acquire(file);
  locks.isHeld(file); // an answer must not cost the lock
  // The lock has no reference: it must last nevertheless, and collecting garbage frees it if it does not.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  console.log('ready');
  setInterval(() => undefined, 1000);
} else if (what === 'open') {
  console.log('ready');
  for (let number = 0; number < 100; number++) {
    while (Date.now() < Number(first) + 20 * number);
    openCatalogue(join(file, String(number), 'catalogue.sqlite')).dispose();
  }
} else {
  const catalogue = openCatalogue(file);
  const runs = what === 'count' ? 200 : Infinity;
  for (let number = 0; number < runs; number++) {
    const run = sampleRun(Number(first) + number);
    catalogue.insertRun(run);
    if (what === 'write') {
      const scene = sampleSavedScene(run.id);
      catalogue.saveScene(run.id, scene, sampleInstances());
      for (let tick = 0; tick < 20; tick++) {
        catalogue.addTick(run.id, sampleTickRecord(tick));
        const fromNs = tick * 1e8;
        const record = {
          tick,
          sensor: 0,
          fromNs,
          toNs: fromNs + 1e8,
          pulses: 1,
          returns: 2,
          hash: '',
        };
        catalogue.addScan(run.id, record, Uint32Array.of(3, 14), Uint32Array.of(1, 1));
      }
    }
    if (number === 0) console.log('ready');
  }
  catalogue.dispose();
}
