// Child process of crash.test.ts: records until it is killed. Prints `ready` when the first tick is written.
import { createRecordings } from '#recordings/recordings.ts';
import { sampleHeader, sampleScan, sampleTick } from './samples.ts';

const writer = await createRecordings().create(process.argv[2] ?? '', sampleHeader());
for (let tick = 0; ; tick++) {
  await writer.scan(sampleScan(tick, 0, 30_000)); // more than one chunk
  await writer.tick(sampleTick(tick));
  if (tick === 2) console.log('ready');
}
