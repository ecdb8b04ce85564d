// Files are opened by native-workers/core/regularFile.cpp alone. Why: a name may be that of a pipe, which holds up a
// thread permanently, of a device, or of a terabyte; streams and POSIX calls open them all.

/** Files below native-workers that open others, and why they may. */
export const nativeOpeners: Readonly<Record<string, string>> = {
  'core/regularFile.cpp': 'the one reader of files',
  'scanWorker/frameHandler.cpp': 'writes clouds into a recording that its run process has open',
  'scanWorker/learnHandler.cpp': 'writes a model aside',
  'scanWorker/meshFolder.cpp': 'writes entries of the mesh cache aside',
};

const opener =
  /\b(?:[io]?fstream|filebuf|f(?:d|re)?open(?:64)?|mmap)\b|::(?:open|openat|creat)(?:64)?\s*\(/;

export interface NativeOpener {
  /** From 1. */
  line: number;
  found: string;
}

/** The lines of a source that open files, where it may not. `file`: its path below native-workers. */
export function forbiddenOpeners(file: string, text: string): NativeOpener[] {
  if (file in nativeOpeners) return [];
  return text.split('\n').flatMap((content, index) => {
    const [code = ''] = content.split('//');
    const [found] = opener.exec(code) ?? [];
    return found === undefined ? [] : [{ line: index + 1, found }];
  });
}
