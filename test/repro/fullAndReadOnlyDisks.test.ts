// On a disk without a free byte every command ended with "disk I/O error", so that no room could be made; on
// read-only media every command ended with a stack trace, so that runs could not be looked at.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { mainFile } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** Mounts need a name space of their own, which some containers do not allow. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

const exportsFile = new URL('exportsOnFullDisk.ts', import.meta.url).pathname;

/** Output and exit codes of commands, in a name space where `disk` is a small one of its own. */
function onSmallDisk(script: string): string {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const begin = `mount -t tmpfs -o size=100m none "$DISK" && cd "$DISK"
u() { "$NODE" "$MAIN" --data "$DISK/data" "$@"; }
`;
  return execFileSync('unshare', ['-rm', 'bash', '-c', begin + script], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DISK: disk,
      NODE: process.execPath,
      MAIN: mainFile,
      EXPORTS: exportsFile,
    },
  });
}

const drive =
  'u --quiet drive clearing --sensor vlp-16 --seconds 0.5 --out "$DISK/out" >/dev/null\n';

it.skipIf(!canMount)('makes room on a full disk', () => {
  const output = onSmallDisk(`${drive}
dd if=/dev/zero of=fill bs=4096 2>/dev/null
u runs list; echo "list $?"
id=$(u --quiet runs list --json | grep -om1 '"id": *"[^"]*"' | cut -d'"' -f4)
u runs delete "$id"; echo "delete $?"
u runs empty 2>&1; echo "empty $?"
u --quiet drive clearing --seconds 1 --out "$DISK/out"; echo "drive $?"`);
  expect(output).toContain('list 0');
  expect(output).toContain('delete 0');
  expect(output).toMatch(/1 runs? removed, [\d.]+ MB freed/);
  expect(output).toContain(`drive ${exitCodeOfCode('disk-full')}`);
});

it.skipIf(!canMount)('reads runs on read-only media, and changes none', () => {
  const output = onSmallDisk(`${drive}
mount -o remount,ro "$DISK"
u runs list; echo "list $?"
id=$(u --quiet runs list --json | grep -om1 '"id": *"[^"]*"' | cut -d'"' -f4)
u runs export "$id" --format csv --out "$(mktemp -d)/a.csv"; echo "export $?"
u runs tag "$id" --add x 2>&1; echo "tag $?"
u drive clearing --seconds 1 2>&1; echo "drive $?"`);
  expect(output).toContain('list 0');
  expect(output).toContain('export 0');
  expect(output).toContain(`tag ${exitCodeOfCode('io')}`);
  expect(output).toContain(`drive ${exitCodeOfCode('io')}`);
  expect(output).not.toContain('    at ');
});

it.skipIf(!canMount)('exports that end on a full disk leave nothing behind', () => {
  const output = onSmallDisk(`${drive}
id=$(u --quiet runs list --json | grep -om1 '"id": *"[^"]*"' | cut -d'"' -f4)
u --quiet log import "$id" --out "$DISK/a.log"
mkdir full
# Without room for a byte, and with room for the beginning.
for room in 0 32; do
  mount -t tmpfs -o size=64k none full
  head -c $((65536 - room * 1024)) /dev/zero > full/fill
  "$NODE" "$EXPORTS" "$DISK/data" "$id" "$DISK/a.log" "$DISK/full"
  echo "left: $(ls -A full | tr '\\n' ' ')"
  umount full
done`);
  const codes = [...output.matchAll(/^(\S+) (\S+)$/gm)].map(([, name, code]) => [name, code]);
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter(([, code]) => code !== 'disk-full')).toEqual([]);
  expect(output.match(/^left: .*$/gm)).toEqual(['left: fill ', 'left: fill ']);
});
