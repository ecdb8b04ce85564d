// The type of a fuzz target.

/** Files by their names, which may have folders; the first is the one that is opened. */
export type Input = Record<string, Uint8Array>;

export interface Target {
  name: string;
  /** Valid inputs, made by the target: each is accepted as it is. @param folder to make them in, removed afterwards */
  seeds(folder: string): Input[] | Promise<Input[]>;
  /** Names of files that stay as they are; default: none. */
  isFixed?: (name: string) => boolean;
  /**
   * Prepares what reads the inputs. It gets the path of the input's first file, and a folder for what it writes.
   * It throws an UnderstoryError for an input that it refuses.
   */
  open(): Promise<(file: string, out: string) => Promise<void>>;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
