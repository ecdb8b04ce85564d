// Understory's version, as package.json has it: in the heads of recordings and in the catalogue.
import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** '0.1.0'. */
export const understoryVersion = (
  JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
).version;
