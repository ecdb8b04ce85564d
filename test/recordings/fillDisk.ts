// Child process of diskFull.test.ts: writes until the disk refuses, and prints the error as JSON.
import { defaultScanColumns } from '#contract/columns.ts';
import { toWire } from '#contract/errors.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { recordSample, sampleClasses, sampleHeader, sampleScan } from './samples.ts';

const [what, file = ''] = process.argv.slice(2);
try {
  if (what === 'record') {
    const writer = await createRecordings().create(file, sampleHeader());
    await recordSample(writer, 100, { rows: 500, flush: true });
    await writer.close();
  } else if (what === 'recover') {
    await createRecordings().recover(file);
  } else {
    const options = { format: 'ply', columns: defaultScanColumns, classes: sampleClasses } as const;
    const exporter = await createExporters({ dataFolder: null }).create(file, {
      ...options,
      isReplacing: true,
    });
    try {
      for (let tick = 0; tick < 100; tick++) await exporter.write(sampleScan(tick).table, 3000);
      await exporter.close();
    } catch (error) {
      await exporter.abort();
      throw error;
    }
  }
  console.log(JSON.stringify({ code: null }));
} catch (error) {
  console.log(JSON.stringify(toWire(error)));
}
