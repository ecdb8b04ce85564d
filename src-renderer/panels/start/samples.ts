// Pictures of the samples (test/pictures/startPictures.ts makes them), and the samples that new scenes start from.

/** Addresses of the pictures, by the ids of their samples. */
export const samplePictures: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('./samples/*.png', { eager: true, query: '?url', import: 'default' }),
  ).map(([path, address]) => [path.replace(/^.*\/|\.png$/g, ''), address]),
);

/** Samples that new scenes are copies of. */
export const templates = [
  { sample: 'mixed-stand', title: 'Stand of trees' },
  { sample: 'clearing', title: 'Clearing with a drive' },
  { sample: 'crossing', title: 'Road with traffic' },
  { sample: 'landscape', title: 'Airborne strip over a landscape' },
  { sample: 'clearing-tripods', title: 'Plot with tripods' },
  { sample: 'box', title: 'Box and wall' },
] as const;
