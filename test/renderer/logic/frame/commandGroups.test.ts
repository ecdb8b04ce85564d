import { describe, expect, it } from 'vitest';
import { groupCommands } from '#renderer/logic/frame/commandGroups.ts';

describe('commands under headings', () => {
  it('begin with where to go, and end with what belongs to the page', () => {
    const ids = [
      'app.palette',
      'view.larger',
      'drive.pause',
      'go.runs',
      'sensor.scan',
      'drive.stop',
    ];
    const groups = groupCommands(ids.map((id) => ({ id })));
    expect(groups.map(({ heading }) => heading)).toEqual([
      ...['Go to', 'Drive', 'Sensor', 'View', 'Application'],
    ]);
    expect(groups[1]?.commands.map(({ id }) => id)).toEqual(['drive.pause', 'drive.stop']);
  });

  it('give a part without a name of its own one', () => {
    expect(groupCommands([{ id: 'export.start' }])[0]?.heading).toBe('Export');
  });
});
