// The manual: short pages about one subject each, which the command line prints and the page shows and searches.
import { z } from 'zod';

/** Names of the pages in the order of reading: files of assets/manual without their ending. */
export const manualPages = [
  'app',
  'scenarios',
  'stands',
  'weather-and-motion',
  'sensors',
  'scans-and-truth',
  'surveys',
  'runs-and-exports',
  'planners',
  'python',
  'campaigns-and-clusters',
  'logs-and-learning',
] as const;

export type ManualPageName = (typeof manualPages)[number];

/** Requests of `manual.*`. */
export const manualRequests = {
  'manual.read': z.strictObject({
    page: z.enum(manualPages).optional().describe('default: all pages'),
  }),
} as const satisfies Record<string, z.ZodType>;

export interface ManualPage {
  name: ManualPageName;
  title: string;
  /** Markdown: links to NAME.md are to other pages, pictures are in ../pictures. */
  text: string;
}

/** Replies of `manual.*`. */
export interface ManualReplies {
  /** In the order of reading. */
  'manual.read': ManualPage[];
}
