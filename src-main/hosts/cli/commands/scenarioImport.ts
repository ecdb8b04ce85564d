// `understory scenario import`: files of other programs become a scenario, with an account of what came over.
import { basename, join, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { lengthUnits, type LengthUnit } from '#contract/documents/quantities.ts';
import { importFormats } from '#contract/host/importMethods.ts';
import type { ImportFormat, ImportReplies } from '#contract/host/importMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession, type Surroundings } from '../session.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface ImportOptions {
  out: string;
  format?: ImportFormat;
  crs?: string;
  meshes?: string[];
  unit?: LengthUnit;
  species?: Record<string, string>;
  force?: boolean;
  json?: boolean;
}

/** Adds the command to `scenario`. */
export function addScenarioImport(scenario: Command, { surroundings, end }: CommandHost): void {
  const command = scenario
    .command('import')
    .description(
      'a scenario from files of other programs: tree lists (CSV), terrain (GeoTIFF, ESRI ASCII), glTF, MAVS (JSON), HELIOS++ (XML)',
    )
    .argument('<files...>', 'files that make one scenario, such as a terrain and its trees')
    .requiredOption('--out <folder|file.yaml>', 'the scenario to write, or a folder for it')
    .addOption(
      new Option('--format <name>', "of every file; default: by the file's name").choices([
        ...importFormats,
      ]),
    )
    .option(
      '--crs <epsg|wkt>',
      "coordinate reference system, such as EPSG:25832; default: the files'",
    )
    .addOption(
      new Option('--unit <unit>', 'of columns of a tree list that name none; default: m').choices([
        ...lengthUnits,
      ]),
    )
    .option(
      '--species <name=plant>',
      'a plant (id or file) for a species of a tree list; * for unknown ones; repeatable',
      collectSpecies,
    )
    .option(
      '--meshes <folder>',
      'where meshes that a scene names are looked for first; repeatable',
      (folder: string, before: string[] | undefined) => [...(before ?? []), folder],
    )
    .option('--force', 'replace existing files')
    .option('--json', 'print the report as JSON')
    .action(async (names: string[]) => {
      const options = optionsOf<ImportOptions>(command);
      const files = names.map((name) => resolve(surroundings.workingFolder, name));
      const isFile = /\.(ya?ml|json)$/i.test(options.out);
      const title = documentName(basename(names[0] ?? '')).replace(/\.[^.]+$/, '');
      const target = isFile ? options.out : join(options.out, `${title}.understory.yaml`);
      const out = prepareFile(surroundings, target, { ...options, inputs: names });
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { format, crs, unit } = options;
        const species = options.species && filesResolved(options.species, surroundings);
        const meshes = options.meshes?.map((name) => resolve(surroundings.workingFolder, name));
        const { reply } = await call('scenario.import', {
          files,
          out,
          isReplacing: options.force === true,
          ...defined({ format, crs, unit, species, meshes }),
        });
        terminal.endProgress();
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        for (const line of reportLines(reply)) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function reportLines({ scenario, files, sources, notices }: ImportReplies['scenario.import']) {
  const count = ({ what, count: n }: { what: string; count: number }) => `${countText(n)} ${what}`;
  const lines = sources.flatMap(({ file, format, imported, ignored, notes }) => [
    `${file} (${format})`,
    `  imported: ${imported.map(count).join(', ') || 'nothing'}`,
    ...ignored.map((entry) => `  ignored: ${count(entry)}`),
    ...notes.map((note) => `  note: ${note}`),
  ]);
  return [
    ...lines,
    ...notices.map(({ path, message }) => `${path}: ${message}`),
    `${scenario}${files.length > 0 ? ` and ${countText(files.length)} files beside it` : ''}`,
  ];
}

/** Plants that are files by their absolute names; the others are ids. */
function filesResolved(
  species: Record<string, string>,
  { workingFolder }: Surroundings,
): Record<string, string> {
  const entries = Object.entries(species).map(([name, plant]) => {
    return [name, /\.(ya?ml|json)$/i.test(plant) ? resolve(workingFolder, plant) : plant] as const;
  });
  return Object.fromEntries(entries);
}

function collectSpecies(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) {
    throw new InvalidArgumentError(`expected "species=plant", found "${text}"`);
  }
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
