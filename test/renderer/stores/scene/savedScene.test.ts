// State of a reloaded window: only valid parts are used.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sceneTitle } from '#renderer/logic/scene/sceneTitle.ts';
import { saveScene, saveView, savedScene, savedView } from '#renderer/stores/scene/savedScene.ts';

describe('a window that is loaded again', () => {
  const stored = new Map<string, string>();
  let isFull = false;
  beforeEach(() => {
    stored.clear();
    isFull = false;
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      removeItem: (key: string) => void stored.delete(key),
      setItem: (key: string, text: string) => {
        if (isFull) throw new Error('QuotaExceededError');
        stored.set(key, text);
      },
    });
  });

  it('restores the scene that was open, not one that was closed', () => {
    expect(savedScene()).toBeNull();
    saveScene({ scenario: 'box', text: null });
    expect(savedScene()).toEqual({ scenario: 'box', text: null });
    saveScene({ scenario: 'dropped', text: 'scene: {}' });
    expect(savedScene()).toEqual({ scenario: 'dropped', text: 'scene: {}' });
    saveScene(null);
    expect(savedScene()).toBeNull();
  });

  it('restores the camera', () => {
    const view = {
      scenario: 'box',
      mode: 'top',
      positionM: [1, 2, 3],
      targetM: [0, 0, 0],
    } as const;
    saveView(view);
    expect(savedView()).toEqual(view);
  });

  it('takes nothing that is broken, and nothing old where the new does not fit', () => {
    saveView({ scenario: 'box', mode: 'orbit', positionM: [1, 2, 3], targetM: [0, 0, 0] });
    stored.set('understory.scene.view', '{"scenario":"box","mode":"orbit","positionM":[1,null,3]}');
    expect(savedView()).toBeNull();
    stored.set('understory.scene', '{broken');
    expect(savedScene()).toBeNull();
    saveScene({ scenario: 'box', text: null });
    isFull = true;
    saveScene({ scenario: 'dropped', text: 'very long' });
    expect(savedScene()).toBeNull();
  });

  it('calls a file by its name', () => {
    expect(sceneTitle('/home/a/yard.understory.yaml')).toBe('yard');
    expect(sceneTitle('courtyard')).toBe('courtyard');
  });
});
