// Writes native-workers/contract/contract.h: `npm run contract`. With --check it writes nothing, and fails where the
// file differs from the contract: part of `npm run check`.
import { readFileSync, writeFileSync } from 'node:fs';
import { nativeContract } from './nativeContract.ts';

const file = new URL('../../native-workers/contract/contract.h', import.meta.url);
const text = nativeContract();
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error(
    'native-workers/contract/contract.h differs from src-main/contract: run `npm run contract`',
  );
  process.exitCode = 1;
}
