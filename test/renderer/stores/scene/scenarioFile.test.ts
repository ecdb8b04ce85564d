// The file of the edited scenario: whether it holds what is edited, and what a save sends.
import { beforeEach, expect, it } from 'vitest';
import { ref } from 'vue';
import { UnderstoryError } from '#contract/errors.ts';
import { useClient } from '#renderer/client/injection.ts';
import { useChoices } from '#renderer/stores/host/choices.ts';
import { createScenarioFile, type ScenarioFile } from '#renderer/stores/scene/scenarioFile.ts';
import { openPage, type OpenPage } from '../openPage.ts';
import type { StoredFiles } from '../hostAnswers.ts';
import { documentHost } from './documentHost.ts';

let page: OpenPage;
let host: StoredFiles;
const text = ref('');

beforeEach(() => {
  page = openPage({ at: '#/scene' });
  host = documentHost(page);
  text.value = 'a 1';
});

const made = (): ScenarioFile => page.within(() => createScenarioFile(useClient(), text));
const read = { file: '/a', text: 'a 1', isSample: false, hash: 'h1' };
const ownFiles = (): string[] => useChoices().scenarios.map(({ id }) => id);

it('is edited where the text is another, and then commands read something else', () => {
  const file = made();
  file.open(read, true);
  expect([file.isDirty.value, file.isUnsaved.value]).toEqual([false, false]);
  text.value = 'a 2';
  expect([file.isDirty.value, file.isUnsaved.value]).toEqual([true, true]);
  expect(file.draft()).toEqual({ text: 'a 2', savedText: 'a 1', hash: 'h1' });
  file.close();
  expect([file.isDirty.value, file.isUnsaved.value]).toEqual([false, false]);
});

it('of a dropped text can be read by a command once it is saved', async () => {
  const file = made();
  file.open({ ...read, isSample: true }, false);
  expect([file.isDirty.value, file.isUnsaved.value]).toEqual([false, true]);
  await file.write({ file: '/b', isReplacing: false });
  expect([file.isUnsaved.value, file.isSample.value, file.file.value]).toEqual([
    false,
    false,
    '/b',
  ]);
});

it('is listed with the own files, a sample is not', () => {
  const file = made();
  file.open({ ...read, file: 'courtyard', isSample: true }, true);
  expect(ownFiles()).toEqual([]);
  file.open(read, true);
  expect(ownFiles()).toEqual(['/a']);
});

it('is sent with where its text comes from only under another name', async () => {
  const file = made();
  file.open(read, true);
  await file.write({ file: '/a', isReplacing: true });
  await file.write({ file: '/b', isReplacing: false });
  expect(host.saves.map(({ from }) => from)).toEqual([undefined, '/a']);
});

it('stays as it is where the host refuses, with the reason until the next save', async () => {
  const file = made();
  file.open(read, true);
  text.value = 'a 2';
  host.files.set('/b', 'b 1');
  await expect(file.write({ file: '/b', isReplacing: false })).rejects.toThrow('exists');
  expect([file.refusal.value, file.file.value, file.isDirty.value]).toEqual(['exists', '/a', true]);
  page.answer('document.save', () => {
    throw new UnderstoryError('io', 'disk full');
  });
  await expect(file.write({ file: '/a', isReplacing: true })).rejects.toThrow('disk full');
  expect(file.refusal.value).toBeNull();
});

it('has the hash of what was written from then on', async () => {
  const file = made();
  file.open(read, true);
  text.value = 'a 2';
  await file.write({ file: '/a', isReplacing: true });
  expect([file.hash(), file.savedText.value, file.isDirty.value]).toEqual(['a 2', 'a 2', false]);
});
