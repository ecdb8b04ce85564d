// Documents of older versions: refused in one sentence that names `understory upgrade`, which rewrites them and keeps
// comments. One fixture of each older version stays here.
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentFormats, type DocumentFormat } from '#contract/documents/versions.ts';
import {
  parseCampaign,
  parsePlant,
  parseSpecies,
  parseScenario,
  parseSensor,
} from '#domain/scenario/documentText.ts';
import { upgradeDocument } from '#domain/scenario/upgradeDocument.ts';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const parsers = {
  scenario: parseScenario,
  sensor: parseSensor,
  plant: parsePlant,
  species: parseSpecies,
  campaign: parseCampaign,
};

function fixture(name: string): string {
  return readFileSync(join(fixtures, name), 'utf8');
}

function fixturesOf(format: DocumentFormat, version: number): string[] {
  const { key } = documentFormats[format];
  const names = readdirSync(fixtures).filter((name) => name.endsWith('.yaml'));
  return names.filter((name) => new RegExp(`^${key}: ${version}$`, 'm').test(fixture(name)));
}

describe.each(Object.keys(documentFormats) as DocumentFormat[])('a %s', (format) => {
  const { version: present } = documentFormats[format];
  const older = Array.from({ length: present }, (_, index) => index + 1);

  it('has a fixture of every version up to the present one', () => {
    for (const version of older) {
      if (version === present && version > 1) continue;
      expect(fixturesOf(format, version), `version ${version}`).not.toEqual([]);
    }
  });

  it.each(older)('of version %d opens, or is refused in one sentence and upgraded', (version) => {
    for (const name of fixturesOf(format, version)) {
      const text = fixture(name);
      const { problems } = parsers[format](text);
      if (version < present) {
        expect(problems).toHaveLength(1);
        expect(problems[0]?.message).toContain("'understory upgrade FILE'");
      }
      const { value } = upgradeDocument(text);
      expect(value).toMatchObject({ from: { format, version }, to: present });
      expect(parsers[format](value?.text ?? '').problems).toEqual([]);
    }
  });

  it('of a later version is refused, and says that a newer Understory is needed', () => {
    const { key } = documentFormats[format];
    const [name = ''] = fixturesOf(format, 1);
    const later = fixture(name).replace(`${key}: 1`, `${key}: ${present + 1}`);
    for (const { problems } of [parsers[format](later), upgradeDocument(later)]) {
      expect(problems).toHaveLength(1);
      expect(problems[0]?.message).toContain('newer Understory');
    }
  });
});

describe('understory upgrade', () => {
  it('changes the words of version 1 of a sensor, and nothing else', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'sparse.yaml');
    copyFileSync(join(fixtures, 'sparse-v1.yaml'), file);
    const before = readFileSync(file, 'utf8');

    const dry = await runHere(folder, 'upgrade', 'sparse.yaml', '--dry-run');
    expect(dry.stdout).toContain('sparse.yaml: sensor, version 1 to 3 (not written)');
    expect(readFileSync(file, 'utf8')).toBe(before);

    const { exitCode, stdout } = await runHere(folder, 'upgrade', 'sparse.yaml');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'sparse.yaml: sensor, version 1 to 3\n',
    });
    expect(readFileSync(file, 'utf8')).toBe(
      before.replace('understorySensor: 1', 'understorySensor: 3').replace('blocks:', 'banks:'),
    );

    const again = await runHere(folder, 'upgrade', 'sparse.yaml', '--json');
    const [reply] = JSON.parse(again.stdout) as unknown[];
    expect(reply).toEqual({ file: 'sparse.yaml', format: 'sensor', from: 3, to: 3, notes: [] });
  });

  it('converts thresholds of a signal, and leaves out those without a distance', async () => {
    const folder = temporaryFolder();
    for (const name of ['threshold-v2.yaml', 'relative-threshold-v2.yaml']) {
      copyFileSync(join(fixtures, name), join(folder, name));
    }
    const stdout = await ran(
      ...([folder, 'upgrade', 'threshold-v2.yaml', 'relative-threshold-v2.yaml'] as const),
    );
    expect(stdout).toMatch(
      /relative-threshold-v2.yaml: .*\n {2}returns.detectionThreshold: left out/,
    );
    // 25 rays on a wall have 25 times the signal of each.
    const text = readFileSync(join(folder, 'threshold-v2.yaml'), 'utf8');
    expect(parseSensor(text).value?.returns.detectionThreshold).toBeCloseTo(25 * 2e-6, 12);
    const relative = readFileSync(join(folder, 'relative-threshold-v2.yaml'), 'utf8');
    expect(relative).not.toContain('detectionThreshold');
    expect(relative).toContain('# averaged');
  });

  it('renames the transmittance of version 1 of a scenario, and nothing else', () => {
    const before = fixture('leaves-v1.understory.yaml');
    const { value } = upgradeDocument(before);
    expect(value?.text).toBe(
      before.replace('understory: 1', 'understory: 2').replaceAll('transmittance:', 'gapFraction:'),
    );
    const { value: scenario } = parseScenario(value?.text ?? '');
    expect(scenario?.scene.materials['gauze']).toMatchObject({
      gapFraction: 0.8,
      transmittance: 0,
    });
  });

  it('renames the paths that a sensor marks as recalled', () => {
    const { value } = upgradeDocument(fixture('hdl-64e-s2-v1.yaml'));
    expect(value?.text).toContain('banks[1].azimuthOffsetsDeg');
    expect(value?.text).not.toMatch(/^\s*- blocks/m);
  });

  it('refuses what is no document, a recording among them, and leaves it as it is', async () => {
    const folder = temporaryFolder();
    const recording = join(folder, 'recording.mcap');
    copyFileSync(join(fixtures, 'data-0.1.0/recording.mcap'), recording);
    const { exitCode, stderr } = await runHere(folder, 'upgrade', recording);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is a recording: Understory opens those of older versions');
    expect(readFileSync(recording)).toEqual(
      readFileSync(join(fixtures, 'data-0.1.0/recording.mcap')),
    );
  });
});
