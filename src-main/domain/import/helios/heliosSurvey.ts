// Surveys of HELIOS++: legs of a tripod become positions, legs of a vehicle or aircraft strips from one leg's place to the
// next. What a leg says beyond place, speed and turn is a matter of the sensor file and is counted.
import type { Tally } from '../importedScene.ts';
import { tidy } from '../importedScene.ts';
import { childrenOf, descendantsOf, numberOf, type XmlElement } from './xml.ts';

export interface HeliosSurvey {
  /** References as `FILE#ID`. */
  scene: string;
  platform: string;
  scanner: string;
  /** Places of a tripod, or strips of a vehicle or aircraft; null: no leg could come over. */
  survey: PositionsSurvey | StripsSurvey | null;
  legs: number;
  notes: string[];
}

export interface PositionsSurvey {
  kind: 'positions';
  seconds: number;
  above: 'ground' | 'zero';
  positions: { positionM: [number, number, number]; seconds?: number }[];
}

export interface StripsSurvey {
  kind: 'strips';
  strips: { fromM: [number, number]; toM: [number, number] }[];
  heightM: number;
  above: 'ground' | 'zero';
  speedMPerS: number;
}

interface Leg {
  x: number;
  y: number;
  z: number;
  isOnGround: boolean;
  isActive: boolean;
  speedMPerS: number;
  /** Time of one turn of the head from start to stop; null: the head does not turn. */
  seconds: number | null;
  hasTrajectory: boolean;
}

/** Duration of a scan where neither turn nor duration is given. */
const usualSeconds = 1;

/** The first survey of a document, or what is wrong with it. */
export function heliosSurvey(document: XmlElement, ignored: Tally): HeliosSurvey | string {
  const [survey, ...others] = descendantsOf(document, 'survey');
  if (!survey) return 'expected a survey, found none';
  ignored.add('surveys after the first', others.length);
  const { scene, platform, scanner } = survey.attributes;
  if (scene === undefined || platform === undefined || scanner === undefined) {
    return 'expected scene, platform and scanner of the survey';
  }
  const templates = new Map<string, XmlElement>();
  for (const name of ['platformSettings', 'scannerSettings']) {
    for (const template of childrenOf(document, name)) {
      templates.set(`${name} ${template.attributes['id'] ?? ''}`, template);
    }
  }
  const legs: Leg[] = [];
  for (const [index, element] of childrenOf(survey, 'leg').entries()) {
    const leg = legOf(element, templates, ignored);
    if (typeof leg === 'string') return `leg ${index + 1}: ${leg}`;
    legs.push(leg);
  }
  ignored.add('full-waveform settings', descendantsOf(survey, 'FWFSettings').length);
  ignored.add(
    'legs along a trajectory file (scan --trajectory)',
    legs.filter(({ hasTrajectory }) => hasTrajectory).length,
  );
  const notes: string[] = [];
  const own = legs.filter(({ hasTrajectory }) => !hasTrajectory);
  const isMoving = !/tripod/i.test(platform) && own.some(({ speedMPerS }) => speedMPerS > 0);
  const converted = isMoving ? stripsOf(own, ignored, notes) : positionsOf(own, ignored, notes);
  return { scene, platform, scanner, survey: converted, legs: legs.length, notes };
}

/** Settings that a sensor file has; an import does not change a sensor. */
const sensorSettings = [
  'headRotateStart_deg',
  'headRotateStop_deg',
  'pulseFreq_hz',
  'scanFreq_hz',
  'scanAngle_deg',
  'verticalAngleMin_deg',
  'verticalAngleMax_deg',
  'verticalResolution_deg',
  'horizontalResolution_deg',
  'beamDivergence_rad',
  'maxRange_m',
];

function legOf(
  element: XmlElement,
  templates: ReadonlyMap<string, XmlElement>,
  ignored: Tally,
): Leg | string {
  const platform = settingsOf(element, 'platformSettings', templates);
  const scanner = settingsOf(element, 'scannerSettings', templates);
  const numbers: Record<string, number> = {};
  const defaults = { x: 0, y: 0, z: 0, movePerSec_m: 0 };
  const heads = {
    headRotatePerSec_deg: 0,
    headRotateStart_deg: 0,
    headRotateStop_deg: 0,
    scanTime_s: 0,
  };
  for (const [from, names] of [
    [platform, defaults],
    [scanner, heads],
  ] as const) {
    for (const [name, usual] of Object.entries(names)) {
      const value = numberOf(from, name) ?? usual;
      if (!Number.isFinite(value))
        return `expected a number for ${name}, found '${from.attributes[name]}'`;
      numbers[name] = value;
    }
  }
  for (const name of sensorSettings) {
    if (scanner.attributes[name] !== undefined)
      ignored.add(`settings ${name} (see the sensor file)`);
  }
  const { x = 0, y = 0, z = 0, movePerSec_m: speedMPerS = 0 } = numbers;
  const { headRotateStart_deg: startDeg = 0, headRotateStop_deg: stopDeg = 0 } = numbers;
  const turnDegPerS = Math.abs(numbers['headRotatePerSec_deg'] ?? 0);
  const isOnGround = isTrue(platform.attributes['onGround'], false);
  if (isOnGround && z !== 0) ignored.add('heights of legs on the ground');
  return {
    x,
    y,
    // Why: HELIOS++ takes the height of the ground in place of such a leg's own.
    z: isOnGround ? 0 : z,
    speedMPerS,
    isOnGround,
    isActive: isTrue(scanner.attributes['active'], true),
    seconds:
      turnDegPerS > 0 && stopDeg !== startDeg ? Math.abs(stopDeg - startDeg) / turnDegPerS : null,
    hasTrajectory: platform.attributes['trajectory'] !== undefined,
  };
}

/** Settings of a leg over those of their template. */
function settingsOf(
  leg: XmlElement,
  name: string,
  templates: ReadonlyMap<string, XmlElement>,
): XmlElement {
  const [own] = childrenOf(leg, name);
  const template = templates.get(`${name} ${own?.attributes['template'] ?? ''}`);
  return { name, attributes: { ...template?.attributes, ...own?.attributes }, children: [] };
}

function isTrue(text: string | undefined, usual: boolean): boolean {
  return text === undefined ? usual : /^(true|1)$/i.test(text.trim());
}

function positionsOf(
  legs: readonly Leg[],
  ignored: Tally,
  notes: string[],
): PositionsSurvey | null {
  const active = legs.filter(({ isActive }) => isActive);
  ignored.add('legs that do not scan', legs.length - active.length);
  const [first] = active;
  if (!first) return null;
  const seconds = tidy(first.seconds ?? usualSeconds, 6);
  if (active.some((leg) => leg.isOnGround !== first.isOnGround)) {
    notes.push('legs on the ground and in the world are mixed: all are as the first one');
  }
  return {
    kind: 'positions',
    seconds,
    above: first.isOnGround ? 'ground' : 'zero',
    positions: active.map((leg) => {
      const own = tidy(leg.seconds ?? usualSeconds, 6);
      return {
        positionM: [leg.x, leg.y, leg.z],
        ...(own !== seconds && { seconds: own }),
      };
    }),
  };
}

/** A strip from each active leg to the next leg, as a platform of HELIOS++ flies. */
function stripsOf(legs: readonly Leg[], ignored: Tally, notes: string[]): StripsSurvey | null {
  const strips: StripsSurvey['strips'] = [];
  let first: Leg | null = null;
  for (const [index, leg] of legs.entries()) {
    const next = legs[index + 1];
    if (!leg.isActive) {
      ignored.add('legs that do not scan');
      continue;
    }
    if (!next || !(leg.speedMPerS > 0) || (next.x === leg.x && next.y === leg.y)) {
      ignored.add('legs without speed or a distance to the next one');
      continue;
    }
    first ??= leg;
    if (leg.z !== first.z || leg.speedMPerS !== first.speedMPerS || next.z !== first.z) {
      notes.push(
        `leg ${index + 1} has height and speed of the first strip: a survey has one of each`,
      );
    }
    strips.push({ fromM: [leg.x, leg.y], toM: [next.x, next.y] });
  }
  if (first === null) return null;
  return {
    kind: 'strips',
    strips,
    heightM: first.z,
    above: first.isOnGround ? 'ground' : 'zero',
    speedMPerS: first.speedMPerS,
  };
}
