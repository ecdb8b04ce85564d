// Jobs on the text of a document. Guarantees: pure, with plain data in and out, so that a long text can be
// worked on by another thread.
import type { DocumentEdit, DocumentKind } from '#contract/host/documentMethods.ts';
import type { Campaign } from '#contract/documents/campaign.ts';
import type { Plant } from '#contract/documents/plant.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { Species } from '#contract/documents/species.ts';
import type { Sensor } from '#contract/documents/sensor.ts';
import {
  parseCampaign,
  parsePlant,
  parseScenario,
  parseScenarioWith,
  parseSensor,
  parseSensorWith,
  parseSpecies,
} from './documentText.ts';
import { documentData, editDocument } from './editDocument.ts';
import { referralsOf } from './referrals.ts';
import { storedTexts } from './storedTexts.ts';
import { upgradeDocument } from './upgradeDocument.ts';

/** The type of each kind of document. */
export interface DocumentTypes {
  scenario: Scenario;
  sensor: Sensor;
  plant: Plant;
  species: Species;
  campaign: Campaign;
}

const parsers: { [K in keyof DocumentTypes]: (text: string) => Parsed<DocumentTypes[K]> } = {
  scenario: parseScenario,
  sensor: parseSensor,
  plant: parsePlant,
  species: parseSpecies,
  campaign: parseCampaign,
};

/** By name; the text is the first argument of each. */
export const textJobs = {
  parse: <K extends keyof DocumentTypes>(text: string, kind: K): Parsed<DocumentTypes[K]> =>
    parsers[kind](text),
  parseScenarioWith,
  parseSensorWith,
  /** The edited text and what it says; `value`: null where it has problems. */
  edit(text: string, edits: readonly DocumentEdit[], kind: DocumentKind) {
    const { text: after, problems: refused } = editDocument(text, edits);
    const { value, problems } = parsers[kind](after);
    // A text that is not YAML is reported by the parser, with the line.
    const own: Problem[] = refused.filter(({ code }) => code !== 'syntax' || problems.length === 0);
    return { text: after, value, data: documentData(after), problems: [...own, ...problems] };
  },
  isYaml: (text: string): boolean => documentData(text) !== null,
  referrals: referralsOf,
  upgrade: upgradeDocument,
  ...storedTexts,
  /** Any JSON; null: it is none. */
  json: parsedJson,
};

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

type Jobs = typeof textJobs;

/** Where a text comes from. */
export interface TextSource {
  /** The file, as messages name it. */
  name: string;
  /** Ends the job. */
  signal?: AbortSignal | undefined;
}

/**
 * The same, wherever they are carried out.
 * @throws UnderstoryError 'cancelled'; 'bad-input' with the name of the source where a job takes more time or memory
 * than its input justifies
 */
export type TextJobs = {
  [J in Exclude<keyof Jobs, 'parse'>]: (
    source: TextSource,
    ...args: Parameters<Jobs[J]>
  ) => Promise<Awaited<ReturnType<Jobs[J]>>>;
} & {
  parse<K extends keyof DocumentTypes>(
    source: TextSource,
    text: string,
    kind: K,
  ): Promise<Parsed<DocumentTypes[K]>>;
};
