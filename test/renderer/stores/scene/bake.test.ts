// The bake of the edited scenario: what is unsaved is saved before, the scene is built again after, a failure is said.
import { beforeEach, describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useCommandList } from '#renderer/stores/frame/commands.ts';
import { useChoices } from '#renderer/stores/host/choices.ts';
import { useBake } from '#renderer/stores/scene/bake.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { openPage, type OpenPage } from '../openPage.ts';
import { answerFiles, type StoredFiles } from '../hostAnswers.ts';

const reply = { file: '/own/a.bake.csv', bodies: 1, poses: 301, seconds: 3, sceneHash: 'h' };
const baked = { scene: { motions: { fall: { kind: 'baked' }, turn: { kind: 'rotating' } } } };

let page: OpenPage;
let host: StoredFiles;

beforeEach(() => {
  page = openPage({ at: '#/scene' });
  host = answerFiles(
    page,
    new Map([
      ['/a', 'baked'],
      ['/b', 'still'],
      ['sample', 'baked'],
    ]),
  );
  host.samples.add('sample');
  page.answer('document.edit', (request) => {
    const { text } = request as { text: string };
    const data = text.startsWith('baked') ? baked : {};
    return { text, value: data, data, problems: [] };
  });
  page.answer('scenario.bake', () => reply);
});

async function opened(document: string) {
  useChoices();
  const [edit, bake, scene] = [useSceneEdit(), useBake(), useScene()];
  await edit.open(document);
  return { edit, bake, scene };
}

const hasCommand = (): boolean =>
  useCommandList()
    .available()
    .some(({ id }) => id === 'scene.bake');

describe('the bake of a scenario', () => {
  it('is offered where motions are baked', async () => {
    const { edit, bake } = await opened('/b');
    expect([bake.bodies, hasCommand()]).toEqual([0, false]);
    await edit.open('/a');
    expect([bake.bodies, hasCommand()]).toEqual([1, true]);
    expect(bake.command).toBe('npx understory scenario bake /a');
  });

  it('saves what is unsaved, checks the scenario again and says what it wrote', async () => {
    const { edit, bake } = await opened('/a');
    await edit.setText('baked 2');
    page.answer('scenario.bake', (request) => {
      expect([request, host.files.get('/a')]).toEqual([{ scenario: '/a' }, 'baked 2']);
      return reply;
    });
    const checks = page.calls.filter((method) => method === 'document.edit').length;
    await bake.start();
    expect([bake.done, bake.error, bake.isRunning]).toEqual([reply, null, false]);
    expect(page.calls.filter((method) => method === 'document.edit')).toHaveLength(checks + 1);
    await edit.setText('baked 3');
    expect(bake.done).toBeNull();
  });

  it('asks for another file in place of that of a sample', async () => {
    const { edit, bake } = await opened('sample');
    await bake.start();
    expect([edit.isSaveAsOpen, bake.isRunning]).toEqual([true, false]);
    expect(page.calls).not.toContain('scenario.bake');
  });

  it('is cancelled without a word, and fails with one', async () => {
    const { bake } = await opened('/a');
    page.answer(
      'scenario.bake',
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () =>
            reject(new UnderstoryError('cancelled', 'it was')),
          );
        }),
    );
    const running = bake.start();
    await expect.poll(() => bake.isRunning && page.calls.includes('scenario.bake')).toBe(true);
    expect(hasCommand()).toBe(false);
    bake.cancel();
    await running;
    expect([bake.error, bake.done, bake.isRunning]).toEqual([null, null, false]);
    page.answer('scenario.bake', () => {
      throw new UnderstoryError('bad-input', 'bodies begin inside other things');
    });
    await bake.start();
    expect(bake.error).toContain('bodies begin inside other things');
  });
});
