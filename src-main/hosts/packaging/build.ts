// Entry of the set-up's step 'desktop build'.
import { fileURLToPath } from 'node:url';
import { buildDesktop } from './buildDesktop.ts';

await buildDesktop(fileURLToPath(new URL('../../../', import.meta.url)));
