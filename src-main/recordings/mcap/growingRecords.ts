// Reads the records of an MCAP file while its writer appends to it: every record is given once it is whole.
import { toWire } from '#contract/errors.ts';
import type { Growth } from '#services/ports/recordings.ts';
import { type McapFile, openMcapFile, type RawRecord, recordOpcode } from './readRecords.ts';

/** Opens the file once it is there. @throws as openMcapFile, 'not-found' only where it will not come any more */
export async function awaitMcapFile(file: string, growth: Growth): Promise<McapFile> {
  for (;;) {
    const isLast = !growth.mayGrow();
    try {
      return await openMcapFile(file);
    } catch (error) {
      if (isLast || toWire(error).code !== 'not-found') throw error;
    }
    await growth.pause();
  }
}

/** Whole records from `offset` on, until the footer, or until the file no longer grows. */
export async function* growingRecords(
  file: string,
  offset: number,
  growth: Growth,
): AsyncGenerator<RawRecord> {
  for (let from = offset; ; await growth.pause()) {
    // Why before the look: what was written until then is in the file.
    const isLast = !growth.mayGrow();
    // Why opened again: the size of the file is that at its opening.
    const mcap = await openMcapFile(file);
    try {
      for await (const record of mcap.records(from)) {
        from = record.offset + record.bytes.length;
        yield record;
        if (record.opcode === recordOpcode.footer) return;
      }
    } finally {
      await mcap.close();
    }
    if (isLast) return;
  }
}
