// sensor.*: the sensors that come with Understory.
import type { Documents } from './documents.ts';
import type { Handlers } from './handlers.ts';

/** The handlers of `sensor.*` (contract/methods.ts). */
export function sensorHandlers({ documents }: { documents: Documents }): Handlers<'sensor'> {
  return {
    'sensor.list': async () => ({ reply: await documents.listSensors() }),
  };
}
