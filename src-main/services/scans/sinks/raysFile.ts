// The rays behind the returns, hit by hit.
import { worldOf } from '#domain/scene/georeference.ts';
import type { SideFile } from './scanSink.ts';

export const raysFile: SideFile = {
  field: 'rays',
  contents: 'the rays',
  endings: ['csv', 'npz'],
  open: async ({ ports, plan: { compiled, target }, worker }, name) => {
    const { classes } = compiled.recipe;
    const options = { classes, ...worldOf(compiled) };
    const file = await ports.exporters.createRays(name, options, target);
    let rayRows = 0;
    return {
      async trace({ pulses, trajectory, options }) {
        const { body } = await worker.call('scan.rays', pulses, trajectory, {
          ...options,
          onChunk: ({ columns }) => file.write(columns),
        });
        rayRows += body.rows;
      },
      async close() {
        await file.close();
        return { files: [name], rayRows };
      },
      abort: () => file.abort(),
    };
  },
};
