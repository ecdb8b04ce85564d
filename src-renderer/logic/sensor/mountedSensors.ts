// The sensors of a scenario's rig: by which name the host is asked for them, and where they are mounted, in words.
import type { SensorMount } from '#contract/documents/scenario.ts';

/** Id of a sample, or the file seen from the scenario's own folder. `scenarioFile`: absolute. */
export function sensorOfMount(
  { sensor }: SensorMount,
  sampleIds: readonly string[],
  scenarioFile: string,
): string {
  const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(sensor);
  if (sampleIds.includes(sensor) || isAbsolute) return sensor;
  const folder = /^.*[\\/]/.exec(scenarioFile)?.[0];
  return folder === undefined ? sensor : `${folder}${sensor}`;
}

/** '0.5 m ahead, height 2 m, pitch 10° down'. */
export function mountText({ positionM, yawDeg, pitchDeg, rollDeg }: SensorMount['mount']): string {
  const [ahead, left, up] = positionM;
  const parts = [
    along(ahead, 'ahead', 'behind'),
    along(left, 'left', 'right'),
    up === 0 ? '' : `height ${up} m`,
    yawDeg === 0 ? '' : `yaw ${yawDeg}°`,
    pitchDeg === 0 ? '' : `pitch ${Math.abs(pitchDeg)}° ${pitchDeg > 0 ? 'down' : 'up'}`,
    rollDeg === 0 ? '' : `roll ${rollDeg}°`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'at the vehicle origin' : parts.join(', ');
}

function along(metres: number, forwards: string, back: string): string {
  if (metres === 0) return '';
  return `${Math.abs(metres)} m ${metres > 0 ? forwards : back}`;
}
