// FILE.part.json: what identifies a file that holds an interval of a scan. Parts of one scan with equal identities join
// to the bytes of the whole.
import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');
const timeNs = z.int().describe('simulated time, nanoseconds');

/** The identity that parts of one scan share. */
const scanIdentitySchema = z.strictObject({
  scene: hash.describe('SHA-256 of the compiled scenario with every file that it refers to'),
  sensor: hash.describe('SHA-256 of the compiled sensor'),
  path: hash.describe('SHA-256 of all poses, mounts and reported poses'),
  seed: z.int().nonnegative().describe('of all random numbers'),
  engine: hash.describe('of the worker and the simulating sources'),
  isa: z.string().describe('kernel instruction set'),
  misses: z.boolean().describe('pulses without an echo have rows'),
  format: z.string().describe('ending of the file'),
  columns: z.array(z.string()).describe('of the file, in its order'),
  fromNs: timeNs.describe('start of the whole scan'),
  toNs: timeNs.describe('end of the whole scan'),
});
export type ScanIdentity = z.output<typeof scanIdentitySchema>;

/** The file itself. */
export const scanPartSchema = z.strictObject({
  understoryPart: z.literal(1).describe('version of this format'),
  whole: scanIdentitySchema.describe('equal in all parts'),
  fromNs: timeNs.describe('first time of the part'),
  toNs: timeNs.describe('end of the part, not included'),
  rows: z
    .int()
    .nonnegative()
    .describe('rows of the part, those that its format leaves out included'),
  sha256: hash.describe('of the file with the rows'),
});
export type ScanPart = z.output<typeof scanPartSchema>;
