// Names of logs and models on the page.
import { describe, expect, it } from 'vitest';
import { freeFile, freeStem } from '#renderer/logic/learn/fileNames.ts';

describe('names of files', () => {
  it('are free', () => {
    expect(freeFile('/d', 'a', '.log', ['/d/a.log'])).toBe('/d/a-2.log');
    expect(freeStem('/d', 'a', ['/d/a-voxel.ply'])).toBe('/d/a-2');
  });
});
