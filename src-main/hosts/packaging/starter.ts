// The script that starts a packaged command line. Guarantees: POSIX sh without any other program where the script is
// not called through a link; a C library that is too old, or missing, is named before anything starts.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The script. `glibc`: the least version, '2.36'. `fromHere`: the folder of the command line as seen from the script's,
 * '' or 'cli/'. Why LD_LIBRARY_PATH only where the system has no C++ library: programs that the command starts inherit
 * it, and must use their own.
 */
export function starterText(glibc: string, fromHere: string): string {
  const [major, minor] = glibc.split('.');
  return `#!/bin/sh
script=$0
if [ -L "$script" ]; then script=$(readlink -f "$script"); fi
case $script in */*) here=\${script%/*} ;; *) here=. ;; esac
here=$here/${fromHere}
PATH=\${PATH:-/usr/bin:/bin}
found=
if command -v getconf >/dev/null 2>&1; then
  found=$(getconf GNU_LIBC_VERSION 2>/dev/null)
elif [ -x /lib64/ld-linux-x86-64.so.2 ]; then
  found=$(/lib64/ld-linux-x86-64.so.2 --version 2>/dev/null)
  found=\${found%%.
*}
fi
version=\${found##* }
case $version in
  [0-9]*.[0-9]*) ;;
  *) version= ;;
esac
refuse() {
  echo "understory: GNU C library ${glibc} or newer is needed; this system has $1" >&2
  exit 3
}
if [ -n "$version" ]; then
  major=\${version%%.*}
  minor=\${version#*.}
  minor=\${minor%%[!0-9]*}
  if [ "$major" -lt ${major} ] || { [ "$major" -eq ${major} ] && [ "$minor" -lt ${minor} ]; }; then
    refuse "$version"
  fi
elif [ ! -e /lib64/ld-linux-x86-64.so.2 ]; then
  refuse "none"
fi
has=
for folder in /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib64 /usr/lib64 /usr/lib /lib; do
  if [ -e "$folder/libstdc++.so.6" ] && [ -e "$folder/libgcc_s.so.1" ]; then has=1; fi
done
own=$here../worker/lib
if [ -z "$has" ] && [ -e "$own/libstdc++.so.6" ]; then
  LD_LIBRARY_PATH=$own\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
exec "$here"node "$here"dist/cli/main.js "$@"
`;
}

/** The least version of the C library that the programs and libraries below `folders` need: '2.36'. */
export function neededGlibc(folders: readonly string[]): string {
  const versions = folders.flatMap(filesBelow).flatMap(glibcVersionsIn);
  const newest = Math.max(...versions);
  return `${Math.floor(newest / 1000)}.${newest % 1000}`;
}

/** Versions of the symbols that an ELF file needs, as 1000 major + minor; none for other files. */
function glibcVersionsIn(file: string): number[] {
  const bytes = readFileSync(file);
  if (bytes.subarray(0, 4).toString('latin1') !== '\x7fELF') return [];
  const matches = bytes.toString('latin1').matchAll(/\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)/g);
  return [...matches].map(([, major, minor]) => Number(major) * 1000 + Number(minor));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && /(\.so[.\d]*|\.node|\/[^./]+)$/.test(file));
}
