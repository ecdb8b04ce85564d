// A sensor as the worker simulates it: its recipe and the pulses of one scan.
import { shallowRef, type ShallowRef } from 'vue';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import {
  describedColumns,
  type SensorDescriptionColumns,
} from '#contract/worker/sensorDescription.ts';
import type { Client } from '#renderer/client/client.ts';

export interface ShownSensor {
  shown: Replies['sensor.show'];
  columns: SensorDescriptionColumns;
}

export interface SensorView {
  /** The last one that was valid. */
  shown: ShallowRef<ShownSensor | null>;
  /** True where it was read; false where another was requested meanwhile. @throws what the host throws */
  read: (request: RequestInputOf<'sensor.show'>) => Promise<boolean>;
  /** A sensor that is being read is not shown any more. */
  drop: () => void;
}

/** Shows sensors as the worker simulates them; nothing at first. */
export function createSensorView(client: Client): SensorView {
  const shown = shallowRef<ShownSensor | null>(null);
  let newest = 0;
  return {
    shown,
    async read(request) {
      newest += 1;
      const mine = newest;
      try {
        const { reply, columns } = await client.query('sensor.show', request);
        if (mine !== newest) return false;
        shown.value = { shown: reply, columns: describedColumns(columns) };
        return true;
      } catch (failure) {
        if (mine !== newest) return false;
        throw failure;
      }
    },
    drop() {
      newest += 1;
    },
  };
}
