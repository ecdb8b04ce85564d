// The manual: short pages about one subject each, which the command line prints and the page shows and searches.

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
