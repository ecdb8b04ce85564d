// A sensor as the worker simulates it: of several requests only the newest is shown.
import { describe, expect, it } from 'vitest';
import { descriptionColumns } from '#contract/worker/sensorDescription.ts';
import { columnTypes, type Columns } from '#contract/columns.ts';
import { useClient } from '#renderer/client/injection.ts';
import { createSensorView, type SensorView } from '#renderer/stores/sensor/sensorView.ts';
import { fakePage, WithColumns, type FakePage } from '../pageOf.ts';

const columns = Object.fromEntries(
  Object.entries(descriptionColumns).map(([name, type]) => [name, new columnTypes[type](1)]),
) as Columns;

function open(): { page: FakePage; view: SensorView; answers: Map<string, (ok: boolean) => void> } {
  const page = fakePage();
  const answers = new Map<string, (ok: boolean) => void>();
  page.answer('sensor.show', (request) => {
    const { sensor } = request as { sensor: string };
    return new Promise((resolve, reject) =>
      answers.set(sensor, (ok) =>
        ok ? resolve(new WithColumns({ sensor }, columns)) : reject(new Error(`no ${sensor}`)),
      ),
    );
  });
  return { page, view: page.within(() => createSensorView(useClient())), answers };
}

describe('the shown sensor', () => {
  it('is the one that was asked for last', async () => {
    const { view, answers } = open();
    const [first, second] = [view.read({ sensor: 'a' }), view.read({ sensor: 'b' })];
    answers.get('b')?.(true);
    expect(await second).toBe(true);
    answers.get('a')?.(true);
    expect(await first).toBe(false);
    expect(view.shown.value?.shown).toEqual({ sensor: 'b' });
  });

  it('stays where the next one fails; the failure is thrown to the newest request alone', async () => {
    const { view, answers } = open();
    const first = view.read({ sensor: 'a' });
    answers.get('a')?.(true);
    await first;
    const [older, newer] = [view.read({ sensor: 'b' }), view.read({ sensor: 'c' })];
    answers.get('b')?.(false);
    expect(await older).toBe(false);
    answers.get('c')?.(false);
    await expect(newer).rejects.toThrow('no c');
    expect(view.shown.value?.shown).toEqual({ sensor: 'a' });
  });

  it('is not replaced by what was dropped', async () => {
    const { view, answers } = open();
    const dropped = view.read({ sensor: 'a' });
    view.drop();
    answers.get('a')?.(true);
    expect(await dropped).toBe(false);
    expect(view.shown.value).toBeNull();
  });
});
