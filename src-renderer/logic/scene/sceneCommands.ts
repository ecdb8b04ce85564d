// Command lines for a scenario: a view, a scan, a drive, as far as the document states enough.
import { field, items } from '#contract/documents/unknownData.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';

/** From behind the start of the mission, or from the south-west; `file`: a file or the id of a sample. */
export function sceneCommands(data: unknown, file: string): { text: string; command: string }[] {
  const mission = field(data, 'mission');
  const start = items(field(mission, 'startM')).map(Number);
  const [x = 0, y = 0] = start;
  const yawDeg = Number(field(mission, 'startYawDeg') ?? 0);
  const stem = (file.split(/[\\/]/).at(-1) ?? '').replace(/(\.understory)?\.(ya?ml|json)$/, '');
  const sensor = field(items(field(data, 'sensors'))[0], 'sensor');
  const picture = {
    text: 'Picture',
    command: commandOf(
      'render.start',
      { scenario: file, camera: { positionM: [x, y, 3], yawDeg, pitchDeg: 5 } },
      { out: `${stem}.png` },
    ),
  };
  const scan = {
    text: 'Scan',
    command: commandOf('scan.start', {
      scenario: file,
      sensor: typeof sensor === 'string' ? sensor : 'vlp-16',
      pose: { positionM: [x, y, 2], yawDeg },
      seconds: 0.1,
      out: `${stem}.pcd`,
    }),
  };
  const drive = { text: 'Drive', command: commandOf('drive.start', { scenario: file }) };
  return mission === undefined ? [picture, scan] : [picture, scan, drive];
}
