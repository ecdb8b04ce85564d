// Long texts on a thread of their own: the answer is that of this thread, however many are asked for at once.
import { expect, it } from 'vitest';
import { addSlice, withoutLongArrays } from '#hosts/node/slicedMessages.ts';
import { createTextJobs } from '#hosts/node/textThread.ts';
import { sampleRun } from '#test/catalogue/sampleScene.ts';
import { textJobs } from '#domain/scenario/textJobs.ts';

/** Boxes, a line each. */
function scenario(name: string, boxes: number): string {
  const lines = Array.from(
    { length: boxes },
    (_, index) => `    - { name: box-${index}, model: box, positionM: [${index}, 0, 0] }`,
  );
  return [
    `understory: 2\nname: ${name}\nscene:`,
    '  materials: { grey: { reflectance: 0.5 } }',
    '  models: { box: { kind: box, sizeM: [0.1, 0.1, 0.1], material: grey } }',
    '  instances:',
    ...lines,
    '',
  ].join('\n');
}

it('long arrays travel in slices and come whole', () => {
  const many = Array.from({ length: 10_001 }, (_, id) => ({ id }));
  const answer = { value: { scene: { instances: many, walls: [1, 2] } }, problems: [] };
  const { outline, slices } = withoutLongArrays(answer);
  expect(outline).toEqual({ value: { scene: { instances: [], walls: [1, 2] } }, problems: [] });
  expect(answer.value.scene.instances).toHaveLength(10_001);
  const received: unknown = structuredClone(outline);
  let count = 0;
  for (let next = slices.next(); next.done !== true; next = slices.next()) {
    addSlice(received, structuredClone(next.value));
    count += 1;
  }
  expect(received).toEqual(answer);
  expect(count).toBe(3);
});

it('answers of several long texts at once are not mixed up', async () => {
  const texts = createTextJobs();
  const asked = [scenario('a', 5000), scenario('b', 4500), scenario('c', 1)];
  const answers = await Promise.all(
    asked.map((text) => texts.parse({ name: 'a.yaml' }, text, 'scenario')),
  );
  expect(answers).toEqual(asked.map((text) => textJobs.parse(text, 'scenario')));
  expect(answers.map(({ value }) => value?.scene.instances.length)).toEqual([5000, 4500, 1]);
}, 120_000);

it('a stored scenario without its objects has all but these', () => {
  const { compiled } = sampleRun(1);
  const json = JSON.stringify(compiled);
  expect(textJobs.compiled(json, 'catalogue').value).toEqual(compiled);
  const { scenario: whole, recipe } = compiled;
  const none = { instances: [], scatters: [] };
  expect(textJobs.outline(json).value).toEqual({
    ...compiled,
    scenario: { ...whole, scene: { ...whole.scene, ...none } },
    recipe: { ...recipe, ...none },
  });
  for (const parsed of [
    textJobs.outline('{'),
    textJobs.scenarioOf('{'),
    textJobs.recordingHead('{'),
  ]) {
    expect(parsed).toMatchObject({ value: null, problems: [{ code: 'syntax' }] });
  }
});
