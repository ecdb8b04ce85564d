import { describe, expect, it } from 'vitest';
import {
  fileNameOf,
  isRunsFile,
  nameWithoutPlace,
  refusalOf,
} from '#renderer/logic/frame/openableFile.ts';

describe('a file that was dropped', () => {
  it('may be a scenario by its name, whatever its case', () => {
    for (const name of ['a.understory.yaml', 'B.Understory.YML']) {
      expect(refusalOf({ name, size: 1000 })).toBeNull();
    }
    expect(refusalOf({ name: 'a.understory.yaml', size: 1e9 })).toContain('too large');
  });

  it('is refused with what would help', () => {
    expect(refusalOf({ name: 'vlp-16.yaml', size: 1 })).toContain('Sensor');
    expect(refusalOf({ name: 'oak.OBJ', size: 1 })).toContain('mesh');
    expect(refusalOf({ name: 'understory.yaml.txt', size: 1 })).toContain('.understory.yaml');
  });

  it('may hold runs by its name', () => {
    for (const name of ['run.mcap', 'a.understory', 'B.UNDERSTORY'])
      expect(isRunsFile(name)).toBe(true);
    for (const name of ['a.understory.yaml', 'understory', 'a.zip']) {
      expect(isRunsFile(name)).toBe(false);
    }
  });

  it('has a name of its own under any system', () => {
    expect(fileNameOf('/a/b.understory.yaml')).toBe('b.understory.yaml');
    expect(fileNameOf('C:\\a\\b.understory.yaml')).toBe('b.understory.yaml');
    expect(nameWithoutPlace('b.understory.yaml').startsWith('/')).toBe(true);
  });
});
