// Plain data as YAML for people to read: keys down to those of single parts on lines of their own, each part on one line.
import { Document, isCollection, visit } from 'yaml';

const blockLevels = 3;

export function yamlText(comment: string, data: Record<string, unknown>): string {
  const document = new Document(data);
  document.commentBefore = ` ${comment}`;
  visit(document, {
    Collection: (_key, node, ancestors) => {
      node.flow = ancestors.filter(isCollection).length >= blockLevels;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
