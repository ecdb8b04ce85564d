// The reference of a document format, as data: the command line prints it as Markdown, the page shows it as tables.
import type { DocumentKind } from './publishedSchemas.ts';

/** One key of a mapping in a document. */
export interface ReferenceField {
  name: string;
  /** In words: 'number, above 0', 'one of `m`, `cm`', 'list of [number, number]'. */
  type: string;
  /** 'required', '' where it may be left out, or the default value as JSON. */
  presence: string;
  description: string;
}

/** One mapping, or one kind of it. */
export interface ReferenceSection {
  /** From the document's root; NAME is a name of the writer's choice, [] an entry of a list. '' is the root. */
  path: string;
  /** 'kind: sphere' where a mapping has several kinds. */
  variant: string;
  description: string;
  fields: ReferenceField[];
}

export interface FormatReference {
  kind: DocumentKind;
  /** 'Scenario files'. */
  title: string;
  sections: ReferenceSection[];
  /** A complete document that comes with Understory. */
  example: { id: string; text: string };
}

/** The title of a section: its path, and its variant where there are several. */
export function sectionTitle({ path, variant }: ReferenceSection): string {
  const name = path === '' ? 'Document' : path;
  return variant === '' ? name : `${name} (${variant})`;
}
