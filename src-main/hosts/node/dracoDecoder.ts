// The decoder of Draco, in WebAssembly that lies beside its package. Guarantees: it prints nothing.
import { createRequire } from 'node:module';

/** The package states no types. */
type CreateDecoder = (options: {
  print: (text: string) => void;
  printErr: (text: string) => void;
}) => Promise<unknown>;

/** A decoder with memory of its own. */
export function loadDraco(): Promise<unknown> {
  const require = createRequire(import.meta.url);
  const createDecoder = require('draco3dgltf/draco_decoder_gltf_nodejs.js') as CreateDecoder;
  return createDecoder({ print: () => undefined, printErr: () => undefined });
}
