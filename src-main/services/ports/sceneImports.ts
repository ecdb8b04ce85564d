// Files of other programs as one scenario, in memory: nothing is written.
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { ImportedDocument } from '#domain/import/importedDocument.ts';

export type ConversionRequest = Omit<RequestOf<'scenario.import'>, 'isReplacing'>;

export interface ConvertedFiles extends ImportedDocument {
  /** One for each file of the request, in its order. */
  sources: Replies['scenario.import']['sources'];
}

export interface SceneImports {
  /**
   * @throws UnderstoryError 'bad-input' with every problem at its file, and for a file that takes more time or memory than
   * its size justifies; 'cancelled'; 'not-found', 'io' as Files
   */
  convert(
    request: ConversionRequest,
    context: { signal: AbortSignal; progress: (progress: Progress) => void },
  ): Promise<ConvertedFiles>;
}
