// Where the data lies: the option before the environment before the XDG rules.
import { expect, test } from 'vitest';
import { dataFolderOf } from '#hosts/dataFolder.ts';

const places = { homeFolder: '/home/ann', workingFolder: '/current' };

test.each([
  ['--data', 'here', { UNDERSTORY_DATA: '/b', XDG_DATA_HOME: '/c' }, '/current/here'],
  ['UNDERSTORY_DATA', undefined, { UNDERSTORY_DATA: '/b', XDG_DATA_HOME: '/c' }, '/b'],
  ['a relative UNDERSTORY_DATA', undefined, { UNDERSTORY_DATA: 'b' }, '/current/b'],
  ['XDG_DATA_HOME', undefined, { XDG_DATA_HOME: '/c' }, '/c/understory'],
  [
    'a relative XDG_DATA_HOME is ignored',
    undefined,
    { XDG_DATA_HOME: 'c' },
    '/home/ann/.local/share/understory',
  ],
  [
    'empty values count as unset',
    undefined,
    { UNDERSTORY_DATA: '', XDG_DATA_HOME: '' },
    '/home/ann/.local/share/understory',
  ],
  ['nothing set', undefined, {}, '/home/ann/.local/share/understory'],
])('%s', (_, option, environment, expected) => {
  expect(dataFolderOf({ ...places, option, environment })).toBe(expected);
});
