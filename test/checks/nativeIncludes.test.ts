// The arrows of native-workers: `npm run check` fails for an include that points upwards, and for Embree outside of the
// folders that may use it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { nativeArrows, upwardIncludes } from './nativeIncludes.ts';

const check = path.join(import.meta.dirname, 'checkNativeIncludes.ts');

it('the table has no circles: each folder names only folders above it', () => {
  const folders = Object.keys(nativeArrows);
  for (const [index, folder] of folders.entries()) {
    const later = folders.slice(index + 1).filter((each) => nativeArrows[folder]?.includes(each));
    expect(
      later.filter((each) => nativeArrows[each]?.includes(folder)),
      folder,
    ).toEqual([]);
  }
});

it.each([
  ['core/scene/scene.h', '#include "rows/rowWriter.h"', 'rows'],
  ['core/scene/scene.h', '#include <embree3/rtcore.h>', 'embree'],
  ['core/scene/scene.h', '#include "core/plants/plants.h"', 'core/plants'],
  ['core/error.h', '#include "core/scene/scene.h"', 'core/scene'],
  ['pulses/pulseTracer.h', '#include "surfaces/embree/embreeScene.h"', 'surfaces/embree'],
  ['rows/rowWriter.cpp', '#include <tbb/parallel_for.h>', 'tbb'],
])('%s may not say %s', (file, include, target) => {
  expect(upwardIncludes(file, `// A file.\n${include}\n`)).toMatchObject([{ line: 2, target }]);
});

it('allows own files, folders below, the standard library, and Embree where it belongs', () => {
  const text = '#include "core/error.h"\n#include "surfaces/embree/embree.h"\n#include <vector>\n';
  expect(upwardIncludes('surfaces/embree/a.cpp', `${text}#include <embree3/rtcore.h>\n`)).toEqual(
    [],
  );
});

it('the check fails with file and line', () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, 'native-workers/core'), { recursive: true });
  writeFileSync(path.join(root, 'native-workers/core/a.h'), '#include "jobs/scan.h"\n');
  const { status, stdout } = spawnSync(process.execPath, [check, root], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toContain('native-workers/core/a.h:1: core may not include jobs (jobs/scan.h)');
  expect(spawnSync(process.execPath, [check]).status).toBe(0);
});
