import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { rawPartOf } from '#services/bench/nativeVariants.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { projectRoot } from '#test/stages.ts';

const documents = createDocuments({
  files: createNodeFiles({ assetsFolder: join(projectRoot, 'assets') }),
});

it.each([
  ['clearing', [], 'whole scene'],
  ['clearing', ['scene.wind.speedMPerS=0'], 'whole scene'],
  ['clearing', ['scene.wind.speedMPerS=8'], 'stationary part'],
  ['crossing', [], 'stationary part'],
  ['box', ['scene.wind.speedMPerS=8'], 'whole scene'],
])('raw tracing of %s with %j meets the %s', async (scenario, settings, part) => {
  const { compiled } = await documents.compile(scenario, { settings });
  expect(rawPartOf(compiled.recipe)).toBe(part);
});
