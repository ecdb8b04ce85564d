// A campaign by the id of a sample, a file or its name in the data folder, read and checked.
import { UnderstoryError } from '#contract/errors.ts';
import { campaignSchema, type Campaign } from '#contract/documents/campaign.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { findDocument, parseText, unknownSample } from '#services/documents/documentFiles.ts';
import type { CampaignCatalogue, CampaignRow } from '#services/ports/campaigns.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';

export interface LoadedCampaign {
  campaign: Campaign;
  /** Absolute: scenarios and sensors are looked for beside it. */
  file: string;
  /** SHA-256 of its text, hex. */
  fileHash: string;
}

export interface LoadCampaignPorts {
  files: Files;
  catalogue: CampaignCatalogue;
}

/**
 * The campaign as its file has it now; where the file is gone, as it was last.
 * @param text instead of the file's contents
 * @throws 'bad-input' with every problem
 */
export async function loadCampaign(
  { files, catalogue }: LoadCampaignPorts,
  name: string,
  text?: string,
): Promise<LoadedCampaign> {
  const stored = catalogue.campaign(name);
  const found = await campaignFileOf(files, name);
  const file = found ?? (text === undefined ? (stored?.file ?? null) : absolute(files, name));
  if (file === null) {
    const problems = [await unknownSample(files, 'campaigns', name)];
    throw new UnderstoryError('bad-input', `there is no campaign '${name}'`, { problems });
  }
  if (text === undefined && stored !== null && !(await files.exists(file))) return asStored(stored);
  const content = text ?? (await files.readText(file));
  const { value, problems } = await parseText(files, 'campaign', content, { name: file });
  if (value !== null) return { campaign: value, file, fileHash: await hashOfCampaign(content) };
  throw new UnderstoryError('bad-input', `campaign '${name}' cannot be used`, { problems });
}

/** The row of a campaign in the data folder by its name, or by its file. @throws 'not-found' */
export async function storedCampaign(
  { files, catalogue }: LoadCampaignPorts,
  name: string,
): Promise<CampaignRow> {
  const byName = catalogue.campaign(name);
  if (byName !== null) return byName;
  const file = (await campaignFileOf(files, name)) ?? absolute(files, name);
  const byFile = catalogue.campaigns().find((row) => row.file === file);
  if (byFile !== undefined) return byFile;
  throw new UnderstoryError('not-found', `the data folder has no campaign '${name}'`, { name });
}

/** Hash of the text of a campaign's file. */
export function hashOfCampaign(text: string): Promise<string> {
  return sha256(text);
}

/** The absolute file of a sample's id, or of a path as seen from the working folder; null: there is none. */
async function campaignFileOf(files: Files, name: string): Promise<string | null> {
  const file = await findDocument(files, 'campaigns', name);
  return file === null ? null : absolute(files, file);
}

function absolute(files: Files, file: string): string {
  return files.resolveFrom('./campaign', file);
}

function asStored({ name, document, file, fileHash }: CampaignRow): LoadedCampaign {
  const { value } = parseWith(campaignSchema, JSON.parse(document));
  if (value !== null) return { campaign: value, file, fileHash };
  const message = `the catalogue's campaign '${name}' is of another version: its file '${file}' is needed`;
  throw new UnderstoryError('unsupported', message, { name });
}
