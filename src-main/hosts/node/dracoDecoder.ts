// The decoder of Draco, in WebAssembly that lies beside its package. Guarantees: it prints nothing.

/** A decoder with memory of its own. */
export async function loadDraco(): Promise<unknown> {
  const { default: createDecoder } = await import('draco3dgltf/draco_decoder_gltf_nodejs.js');
  return createDecoder({ print: () => undefined, printErr: () => undefined });
}
