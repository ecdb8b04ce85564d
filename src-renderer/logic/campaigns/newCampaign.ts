// The text of a new campaign of a scenario, with nothing varied yet.
import { documentFormats } from '#contract/documents/versions.ts';

/** `scenario`: the id of a sample, or a file. */
export function newCampaignText(name: string, scenario: string): string {
  const { key, version } = documentFormats.campaign;
  return `${key}: ${version}
name: ${name}
scenarios: [${yamlText(scenario)}]

design: { kind: grid }
replicates: 3
`;
}

/** The text of a new campaign with its first axis, so that each axis has a line of its own. */
export function withFirstAxis(text: string, name: string, axis: Record<string, unknown>): string {
  const fields = Object.entries(axis).map(([key, value]) => `${key}: ${flowText(value)}`);
  return `${text.trimEnd()}\nvary:\n  ${name}: { ${fields.join(', ')} }\n`;
}

/** 'clearing-campaign' for clearing.understory.yaml, with a number where that is taken. */
export function newCampaignName(scenario: string, taken: readonly string[]): string {
  const file = scenario.split(/[\\/]/).at(-1) ?? scenario;
  const stem = file
    .replace(/(\.understory)?\.(ya?ml|json)$/, '')
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^[^a-zA-Z0-9]+/, '');
  const name = `${stem === '' ? 'new' : stem}-campaign`;
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.includes(`${name}-${number}`)) return `${name}-${number}`;
  }
}

/** Where a campaign is proposed to be saved. */
export function campaignFile(name: string, dataFolder: string): string {
  return `${dataFolder}/campaigns/${name}.campaign.yaml`;
}

/** The name that a campaign has by its file; the document may state another. */
export function nameOfFile(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/(\.campaign)?\.(ya?ml|json)$/, '');
}

/** A file that a campaign names, as seen from the campaign's own file; ids of samples stay. */
export function fileFrom(campaignFileName: string, name: string): string {
  const isFile = /[\\/]|\.(ya?ml|json)$/.test(name);
  const isAbsolute = /^([\\/]|[a-zA-Z]:[\\/])/.test(name);
  if (!isFile || isAbsolute || campaignFileName === '') return name;
  const parts = campaignFileName.split(/[\\/]/).slice(0, -1);
  for (const part of name.split(/[\\/]/)) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A scalar, or a list of them. */
function flowText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(flowText).join(', ')}]` : JSON.stringify(value);
}

/** A scalar of a YAML list. */
function yamlText(text: string): string {
  return /^[a-zA-Z./][\w./-]*$/.test(text) ? text : JSON.stringify(text);
}
