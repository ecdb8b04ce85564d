// The import table of eslint.config.js: what each layer may not reach, however it is written.
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { z } from 'zod';

const eslint = new ESLint();
const ruleSchema = z.object({
  rules: z.object({
    'no-restricted-imports': z.tuple([
      z.literal(2),
      z.object({ patterns: z.array(z.object({ regex: z.string() })) }),
    ]),
  }),
});

async function isAllowed(file: string, source: string): Promise<boolean> {
  const config = ruleSchema.parse(await eslint.calculateConfigForFile(file));
  const [, { patterns }] = config.rules['no-restricted-imports'];
  return patterns.every(({ regex }) => !new RegExp(regex, 'u').test(source));
}

test.each([
  [
    'src-main/contract/columns.ts',
    ['zod', './errors.ts'],
    ['vue', '#domain/a.ts', '../domain/a.ts'],
  ],
  [
    'src-main/domain/sensor/angles.ts',
    ['#contract/a.ts', '#domain/random/a.ts', './b.ts'],
    ['node:fs', 'zod', 'yaml'],
  ],
  ['src-main/domain/scenario/parse.ts', ['yaml', 'zod'], ['yaml-evil', 'node:fs']],
  [
    'src-main/domain/shared/formats.ts',
    ['#contract/columns.ts', './numbers.ts'],
    ['#domain/metrics/a.ts', '../metrics/a.ts', 'node:fs', 'vue', 'zod'],
  ],
  [
    'src-main/domain/autonomy/costMap.ts',
    ['#contract/columns.ts', '#domain/shared/pose.ts', './ground.ts'],
    ['#domain/truth/judge.ts', '../truth/vehicle.ts', '#domain/scene/a.ts'],
  ],
  [
    'src-main/domain/charts/chartSvg.ts',
    ['echarts/core', '#domain/shared/formats.ts'],
    ['#domain/autonomy/a.ts', 'fast-png'],
  ],
  [
    'src-main/services/runs/a.ts',
    ['#services/ports/a.ts', '../b.ts'],
    ['node:fs', 'ws', 'fast-png'],
  ],
  ['src-main/services/a.ts', ['./b.ts'], ['../workers/workerLauncher.ts', '../hosts/compose.ts']],
  [
    'src-main/catalogue/a.ts',
    ['#services/ports/a.ts', 'better-sqlite3', 'node:path'],
    ['../workers/workerLauncher.ts', '#services/runs/a.ts', '#workers/a.ts', 'better-sqlite3-evil'],
  ],
  [
    'src-main/files/a.ts',
    ['#contract/errors.ts', 'node:fs'],
    ['#recordings/a.ts', '#services/a.ts'],
  ],
  [
    'src-main/recordings/mcap/a.ts',
    ['../head.ts', '#files/a.ts', '@mcap/core'],
    ['../../catalogue/a.ts', 'ws'],
  ],
  ['src-main/workers/a.ts', ['node:child_process'], ['#recordings/a.ts', '../recordings/a.ts']],
  [
    'src-renderer/logic/a/b.ts',
    ['../c.ts', '#contract/a.ts', '#domain/shared/a.ts', '#renderer/logic/a.ts'],
    ['vue', 'three', '#domain/sensor/a.ts', '#contract-evil/a.ts', '#renderer/client/a.ts'],
  ],
  [
    'src-renderer/viewer/scene/a.ts',
    ['three', 'three/addons/a.js', 'three-mesh-bvh', '#renderer/logic/a.ts', '../engine/a.ts'],
    [
      'vue',
      '#renderer/stores/a.ts',
      '#renderer/composables/a.ts',
      '#renderer/logic/../stores/a.ts',
    ],
  ],
  [
    'src-renderer/stores/scene/a.ts',
    ['vue', 'pinia', '../host/b.ts', '#renderer/client/a.ts', '#renderer/viewer/a.ts'],
    [
      'vuetify',
      'three',
      '#renderer/composables/a.ts',
      '#renderer/panels/registry.ts',
      '../../panels/registry.ts',
      './../../panels/registry.ts',
      '#services/a.ts',
      'electron',
      'node:fs',
    ],
  ],
  [
    'src-renderer/composables/scene/a.ts',
    ['#renderer/stores/a.ts', '#renderer/viewer/a.ts'],
    ['#renderer/components/a.vue', '#renderer/panels/a.vue'],
  ],
  [
    'src-renderer/components/plots/A.vue',
    ['#renderer/logic/a.ts', '#renderer/composables/forms/a.ts', '../fields/B.vue'],
    ['#renderer/stores/a.ts', '#renderer/viewer/a.ts', '#renderer/composables/scene/a.ts'],
  ],
  [
    'src-renderer/panels/scene/A.vue',
    ['#renderer/components/a.vue', '#renderer/stores/a.ts', '../registry.ts'],
    ['#renderer/frame/A.vue', 'three', '#services/a.ts'],
  ],
  ['src-renderer/frame/A.vue', ['#renderer/panels/registry.ts'], ['../App.vue', '../main.ts']],
  ['src-renderer/newFolder/a.ts', ['vue', './b.ts'], ['#renderer/logic/a.ts']],
  ['src-renderer/main.ts', ['./App.vue', './stores/a.ts'], ['../src-main/hosts/compose.ts']],
  ['src-main/hosts/web/serve.ts', ['ws', '../compose.ts'], ['../../workers/a.ts']],
])('%s', async (file, allowed, forbidden) => {
  for (const source of allowed)
    expect([source, await isAllowed(file, source)]).toEqual([source, true]);
  for (const source of forbidden)
    expect([source, await isAllowed(file, source)]).toEqual([source, false]);
});

test('the lint stage of `npm run check` fails for an upward import in the page', async () => {
  const upward = `import { panels } from '#renderer/panels/registry.ts';\nexport const all = panels;\n`;
  const [result] = await eslint.lintText(upward, {
    filePath: 'src-renderer/stores/frame/docks.ts',
  });
  expect(result?.errorCount).toBe(1);
  expect(result?.messages[0]).toMatchObject({ ruleId: 'no-restricted-imports', line: 1 });
});
