// The poses that pulses of a scan have: the sensor's true pose at each time at which it fires, as a trajectory that can be
// scanned again. One line for each time, those of pulses without an echo too.
import { formatOfName } from '#contract/host/exportFormats.ts';
import { originOf, poseToWorld } from '#contract/worldOrigin.ts';
import { exactSecondsText } from '#domain/shared/formats.ts';
import { sensorPoseAt } from '#domain/trajectory/trajectory.ts';
import type { SideFile } from './scanSink.ts';

const endings = ['tum', 'csv'] as const;

export const posesFile: SideFile = {
  field: 'posesOut',
  contents: 'the poses',
  endings,
  open: async ({ ports, plan: { compiled, target }, worker }, name) => {
    const isCsv = formatOfName(name, endings) === 'csv';
    const originM = originOf(compiled.scenario.scene);
    const text = await ports.exporters.createText(name, target);
    let head = isCsv ? 'time_ns,x_m,y_m,z_m,qx,qy,qz,qw\n' : '';
    return {
      async trace({ leg, pulses, trajectory, options }) {
        await text.write(head);
        head = '';
        let lastNs: bigint | null = null;
        const request = { ...pulses, misses: true, columns: ['time_ns' as const] };
        await worker.call('scan', request, trajectory, {
          ...options,
          onChunk: async ({ columns: { time_ns: times } }) => {
            let lines = '';
            for (const timeNs of times ?? []) {
              // Pulses of one firing leave at one time, and a pulse may have several rows.
              if (timeNs === lastNs) continue;
              lastNs = timeNs;
              const pose = poseToWorld(originM, sensorPoseAt(leg.trajectory, Number(timeNs)));
              const values = [...pose.positionM, ...pose.rotation];
              lines += isCsv
                ? `${[timeNs, ...values].join(',')}\n`
                : `${[exactSecondsText(timeNs), ...values].join(' ')}\n`;
            }
            await text.write(lines);
          },
        });
      },
      async close() {
        await text.close();
        return { files: [name] };
      },
      abort: () => text.abort(),
    };
  },
};
