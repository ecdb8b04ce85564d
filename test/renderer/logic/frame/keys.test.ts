import { describe, expect, it } from 'vitest';
import { isPressed, keyCaps, type KeyPress } from '#renderer/logic/frame/keys.ts';

function press(key: string, code: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return { key, code, ...none, ...modifiers };
}

describe('keys', () => {
  it('are taken with exactly the modifiers they name', () => {
    expect(isPressed('Ctrl+K', press('k', 'KeyK', { ctrlKey: true }))).toBe(true);
    expect(isPressed('Ctrl+K', press('k', 'KeyK', { metaKey: true }))).toBe(true);
    expect(isPressed('Ctrl+K', press('k', 'KeyK'))).toBe(false);
    expect(isPressed('Ctrl+K', press('K', 'KeyK', { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(isPressed('F', press('f', 'KeyF', { ctrlKey: true }))).toBe(false);
    expect(isPressed('Shift+ArrowLeft', press('ArrowLeft', 'ArrowLeft'))).toBe(false);
    expect(isPressed('Space', press(' ', 'Space'))).toBe(true);
  });

  it('go by the letter, and by the place where the alphabet is another', () => {
    expect(isPressed('Z', press('z', 'KeyY'))).toBe(true);
    expect(isPressed('Y', press('z', 'KeyY'))).toBe(false);
    expect(isPressed('K', press('л', 'KeyK'))).toBe(true);
  });

  it('go by the sign, whatever shift it takes', () => {
    expect(isPressed('?', press('?', 'Slash', { shiftKey: true }))).toBe(true);
    expect(isPressed('/', press('/', 'Digit7', { shiftKey: true }))).toBe(true);
    expect(isPressed('Ctrl++', press('+', 'Equal', { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(isPressed('Ctrl+0', press('Insert', 'Numpad0', { ctrlKey: true }))).toBe(true);
  });

  it('are shown as labelled on a keyboard', () => {
    expect(keyCaps('Ctrl+Shift+ArrowLeft')).toEqual(['Ctrl', 'Shift', '←']);
    expect(keyCaps('Ctrl++')).toEqual(['Ctrl', '+']);
    expect(keyCaps('f')).toEqual(['F']);
  });
});
