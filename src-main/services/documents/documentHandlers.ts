// document.*: scenarios and sensors while they are edited. Nothing is stored here: the text comes with each
// call and returns with the answer, and a save that is refused has changed nothing on disk.
import type { DocumentKind } from '#contract/host/documentMethods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { plantMaterials } from '#contract/documents/plant.ts';
import { publishedSchema } from '#contract/documents/publishedSchemas.ts';
import { referenceSections } from '#domain/scenario/formatReference.ts';
import type { Handlers } from '../handlers.ts';
import type { Files } from '../ports/files.ts';
import { findDocument, folderOf, readSamples, unknownSample } from './documentFiles.ts';
import { createKnownFolders } from './knownFolders.ts';
import { meshSummary } from './meshSummary.ts';
import { referralProblems } from './referralProblems.ts';
import { isSample, saveDocument } from './saveDocument.ts';
import { sha256 } from '#services/sha256.ts';
import { upgradeFile } from './upgradeFile.ts';

interface DocumentPorts {
  files: Files;
  /** Can be listed from the start, where they are there. */
  folders?: readonly string[];
}

/** The handlers of `document.*` (contract/host/documentMethods.ts). */
export function documentHandlers({ files, folders = [] }: DocumentPorts): Handlers<'document'> {
  const known = createKnownFolders(files, folders);
  return {
    'document.read': async ({ kind, document }, { signal }) => {
      const reply = await read(files, kind, document, signal);
      if (!reply.isSample) known.add(reply.file);
      return { reply };
    },
    'document.folder': async ({ folder }) => ({ reply: await known.list(folder) }),
    'document.edit': async ({ kind, text, file, edits }, { signal }) => {
      const reply = await files.texts.edit({ name: file ?? kind, signal }, text, edits, kind);
      if (kind !== 'scenario' || file === undefined) return { reply };
      const ofFiles = await referralProblems(files, file, reply.text, reply.problems, true, signal);
      return { reply: { ...reply, problems: [...reply.problems, ...ofFiles] } };
    },
    'document.save': async (request, { signal }) => {
      const reply = await saveDocument(files, request, signal);
      known.add(reply.file);
      return { reply };
    },
    'document.reference': async ({ kind }) => ({ reply: await reference(files, kind) }),
    'document.upgrade': async ({ file, isDryRun }, { signal }) => ({
      reply: await upgradeFile(files, file, isDryRun, signal),
    }),
    'document.mesh': async ({ file, from }, { signal }) => ({
      reply: await meshSummary(files, files.resolveFrom(from, file), signal),
    }),
  };
}

/** The handlers of `plant.*`. */
export function plantHandlers({ files }: { files: Files }): Handlers<'plant'> {
  return { 'plant.list': async () => ({ reply: await listPlants(files) }) };
}

/** A complete sample of each kind of document, short enough to be read. */
const examples = {
  scenario: 'optics',
  sensor: 'vlp-16',
  plant: 'grass-patch',
  species: 'norway-spruce',
  campaign: 'fog-sensors',
} as const;
const titles = {
  scenario: 'Scenario files',
  sensor: 'Sensor files',
  plant: 'Plant files',
  species: 'Species files',
  campaign: 'Campaign files',
} as const;

async function reference(
  files: Files,
  kind: RequestOf<'document.reference'>['kind'],
): Promise<Replies['document.reference']> {
  const id = examples[kind];
  const file = await findDocument(files, folderOf(kind), id);
  if (file === null) throw new UnderstoryError('not-found', `the sample '${id}' is missing`);
  const example = { id, text: await files.readText(file) };
  return {
    kind,
    title: titles[kind],
    sections: referenceSections(publishedSchema(kind)),
    example,
  };
}

async function listPlants(files: Files): Promise<Replies['plant.list']> {
  const samples = await readSamples(files, 'plant');
  return samples.map(({ id, value }) => {
    const { generator, name } = value;
    return { id, name, generator, materials: plantMaterials(value) };
  });
}

async function read(
  files: Files,
  kind: DocumentKind,
  document: string,
  signal: AbortSignal,
): Promise<Replies['document.read']> {
  const file = await findDocument(files, folderOf(kind), document);
  if (file === null) {
    const { message } = await unknownSample(files, folderOf(kind), document);
    throw new UnderstoryError('not-found', message, { document });
  }
  const text = await files.readText(file, signal);
  return { file, text, isSample: await isSample(files, file), hash: await sha256(text) };
}
