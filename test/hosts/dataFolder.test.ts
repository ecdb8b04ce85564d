// Where data and cache lie: the option before the environment before the XDG rules.
import { expect, test } from 'vitest';
import { cacheFolderOf, dataFolderOf } from '#hosts/dataFolder.ts';

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

test.each([
  ['UNDERSTORY_CACHE', { UNDERSTORY_CACHE: 'b', XDG_CACHE_HOME: '/c' }, '/current/b'],
  ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/c' }, '/c/understory'],
  ['a relative XDG_CACHE_HOME is ignored', { XDG_CACHE_HOME: 'c' }, '/home/ann/.cache/understory'],
  ['nothing set', {}, '/home/ann/.cache/understory'],
])('the cache: %s', (_, environment, expected) => {
  expect(cacheFolderOf({ ...places, environment })).toBe(expected);
});
