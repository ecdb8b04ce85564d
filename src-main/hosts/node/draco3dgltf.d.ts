// The decoder of the package draco3dgltf, which states no types.
declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  /** Starts a decoder with memory of its own. */
  export default function createDecoderModule(options: {
    print: (text: string) => void;
    printErr: (text: string) => void;
  }): Promise<unknown>;
}
