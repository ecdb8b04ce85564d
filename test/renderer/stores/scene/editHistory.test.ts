// The steps back and forward of an edited text.
import { expect, test } from 'vitest';
import { createEditHistory } from '#renderer/stores/scene/editHistory.ts';

test('steps lead back and forward again', () => {
  const history = createEditHistory();
  history.remember('a', 'Move oak', 0);
  history.remember('b', 'Turn oak', 10);
  expect(history.undoLabel.value).toBe('Turn oak');
  expect(history.textOf('undo')).toBe('b');
  history.move('undo', 'c');
  expect(history.textOf('undo')).toBe('a');
  expect(history.redoLabel.value).toBe('Turn oak');
  expect(history.textOf('redo')).toBe('c');
  history.move('redo', 'b');
  expect(history.textOf('undo')).toBe('b');
  expect(history.canRedo.value).toBe(false);
});

test('a change like the one before, soon after it, is the same step', () => {
  const history = createEditHistory();
  for (let atMs = 0; atMs <= 2400; atMs += 800) history.remember(`at ${atMs}`, 'Scale oak', atMs);
  expect(history.count.value).toBe(1);
  expect(history.textOf('undo')).toBe('at 0');
  history.remember('later', 'Scale oak', 2400 + 900);
  expect(history.count.value).toBe(2);
});

test('a change after a step back is a step of its own, and nothing can be redone', () => {
  const history = createEditHistory();
  history.remember('a', 'Scale oak', 0);
  history.remember('b', 'Move oak', 10);
  history.move('undo', 'c');
  history.remember('b', 'Scale oak', 20);
  expect(history.count.value).toBe(1);
  history.move('undo', 'd');
  history.move('redo', 'a');
  // Long after the epoch, as every real change is.
  history.remember('d', 'Scale oak', 1e12);
  expect(history.count.value).toBe(2);
  expect(history.canRedo.value).toBe(false);
});

test('the oldest steps are dropped, and without any there is no text', () => {
  const history = createEditHistory();
  expect(history.textOf('undo')).toBeNull();
  history.move('undo', 'x');
  expect(history.canRedo.value).toBe(false);
  for (let step = 0; step < 600; step += 1) history.remember(String(step), `Edit ${step}`, step);
  expect(history.count.value).toBe(500);
});

test('steps are saved and restored as a whole', () => {
  const history = createEditHistory();
  history.remember('a', 'Move oak', 0);
  const steps = history.steps();
  history.restore(undefined);
  expect(history.count.value).toBe(0);
  history.restore(steps);
  expect(history.textOf('undo')).toBe('a');
});
