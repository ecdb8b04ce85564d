// The format of C++ (.clang-format): part of `npm run check`. Changes nothing; `clang-format -i FILES` does.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFiles } from './projectFiles.ts';

const root = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url));
const files = projectFiles(root, /\.(?:cpp|h)$/).map((file) => path.join(root, file));
const { status, error } = spawnSync('clang-format', ['--dry-run', '-Werror', ...files], {
  stdio: 'inherit',
});
if (error) console.error(`clang-format cannot be started: ${error.message}`);
process.exitCode = status ?? 1;
