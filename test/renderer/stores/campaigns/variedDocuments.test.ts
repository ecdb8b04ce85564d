// Fields that a campaign can vary: of the documents that it names, read again only where it names others.
import { beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, shallowRef, type ShallowRef } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import {
  createVariedDocuments,
  type VariedDocuments,
} from '#renderer/stores/campaigns/variedDocuments.ts';
import { held } from '../browserStubs.ts';
import { fakePage, type FakePage } from '../pageOf.ts';

let page: FakePage;
/** Documents that were read. */
let read: string[];
let data: ShallowRef<unknown>;

beforeEach(() => {
  read = [];
  data = shallowRef(null);
  page = fakePage();
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    read.push(document);
    return { file: document.startsWith('/') ? document : `/samples/${document}`, text: document };
  });
  page.answer('document.edit', (request) => {
    const { kind, text } = request as { kind: string; text: string };
    const front = { name: 'front', sensor: 'vlp-16' };
    const rear = { name: 'rear', sensor: './own.yaml' };
    if (kind === 'sensor') return { data: { name: text, rangeM: 100 } };
    return { data: { sensors: text.includes('two') ? [front, rear] : [front] } };
  });
});

function open(): VariedDocuments {
  const make = () =>
    createVariedDocuments(
      useClient(),
      () => data.value,
      () => '/c/a.yaml',
    );
  return page.within(() => effectScope(true).run(make)!);
}

const hasPlace = (varied: VariedDocuments, place: string): boolean =>
  varied.fields.value.some((one) => one.place.startsWith(place));
const areRead = (count: number) => vi.waitFor(() => expect(read).toHaveLength(count));

it('reads the documents of the scenario and of its only sensor', async () => {
  data.value = { scenarios: ['./s.yaml'] };
  const varied = open();
  await vi.waitFor(() => expect(hasPlace(varied, 'Sensor')).toBe(true));
  // A file is seen from the campaign's own, a sample is not.
  expect(read).toEqual(['/c/s.yaml', 'vlp-16']);
  expect(varied.fields.value.some(({ path }) => path.startsWith('sensor.'))).toBe(true);
});

it('of several sensors are named by them, with files as seen from the scenario', async () => {
  data.value = { scenarios: ['/d/two.yaml'] };
  const varied = open();
  await vi.waitFor(() => expect(hasPlace(varied, 'Sensor rear')).toBe(true));
  expect(read).toEqual(['/d/two.yaml', 'vlp-16', '/d/own.yaml']);
  expect(varied.fields.value.some(({ path }) => path.startsWith('sensor[front].'))).toBe(true);
});

it('are of the sensors of the campaign where it names some', async () => {
  data.value = { scenarios: ['s'], sensors: ['hdl-64e', 'vlp-16'] };
  const varied = open();
  await vi.waitFor(() => expect(hasPlace(varied, 'Sensor')).toBe(true));
  expect(read).toEqual(['s', 'hdl-64e']);
});

it('are not read again for another edit of the campaign', async () => {
  data.value = { scenarios: ['s'], sensors: ['vlp-16'] };
  const varied = open();
  await areRead(2);
  data.value = { scenarios: ['s'], sensors: ['vlp-16'], replicates: 3 };
  await nextTick();
  expect(read).toHaveLength(2);
  data.value = {};
  await nextTick();
  expect([varied.fields.value, read.length]).toEqual([[], 2]);
});

it('of documents that were named before do not come late', async () => {
  const late = held<unknown>();
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    read.push(document);
    return document === 'slow' ? late.promise : { file: document, text: document };
  });
  data.value = { scenarios: ['slow'] };
  const varied = open();
  await areRead(1);
  data.value = { scenarios: ['/d/two.yaml'] };
  await vi.waitFor(() => expect(hasPlace(varied, 'Sensor rear')).toBe(true));
  late.reject(new Error('no slow'));
  await new Promise((resolve) => setTimeout(resolve));
  expect([hasPlace(varied, 'Sensor rear'), varied.error.value]).toEqual([true, null]);
});

it('reports the reason for a document that cannot be read', async () => {
  data.value = { scenarios: ['s'], sensors: ['vlp-16'] };
  const varied = open();
  await vi.waitFor(() => expect(hasPlace(varied, 'Sensor')).toBe(true));
  page.answer('document.read', () => {
    throw new Error('no such scenario');
  });
  data.value = { scenarios: ['gone'] };
  await vi.waitFor(() => expect(varied.error.value).toBe('no such scenario'));
  expect(varied.fields.value).toEqual([]);
});
