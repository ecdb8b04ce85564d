// Several parts of a scenario at once: duplicated, deleted, moved over the ground, by edits that are one step together.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { formatPath } from '#contract/documents/problems.ts';
import { items } from '#contract/documents/unknownData.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { groundShapes } from './groundShapes.ts';
import { rounded } from './gizmoEdits.ts';
import { deleteEdits, duplicateEdits, inSafeOrder, nameOf, takenNames } from './sceneChanges.ts';
import { partOf, partAt } from './sceneParts.ts';
import { shapeEdits, type GroundM, type ShapeChange } from './shapeEdits.ts';
import { valueAt } from './sceneOutline.ts';

export type DeletePlan = ReturnType<typeof deleteEdits>;

/** Parts of which a scenario can have several: they can be copied and deleted. */
export function isEntry(path: DocumentPath): boolean {
  const part = partAt(path);
  return part !== null && partOf(part.kind).entries !== undefined;
}

/** Parts that a scenario can be without. */
export function isRemovable(path: DocumentPath): boolean {
  const part = partAt(path);
  return part !== null && (isEntry(path) || partOf(part.kind).isOptional === true);
}

/** 'oak-a', or '3 parts'. */
export function titleOfParts(data: unknown, paths: readonly DocumentPath[]): string {
  const [path] = paths;
  if (path === undefined || paths.length > 1) return `${paths.length} parts`;
  const kind = partAt(path)?.kind;
  const title = kind === undefined ? '' : (partOf(kind).title ?? '');
  return nameOf(valueAt(data, path)) || title || String(path.at(-1));
}

/** A copy behind each part, and the paths of the copies. */
export function duplicateAll(
  data: unknown,
  paths: readonly DocumentPath[],
): { edits: DocumentEdit[]; paths: DocumentPath[] } {
  const taken = takenNames(data);
  const copied = paths.flatMap((path) => {
    const change = duplicateEdits(data, path, taken);
    return change === null ? [] : [{ path, change }];
  });
  const isBefore = (other: DocumentPath, path: DocumentPath): boolean =>
    formatPath(other.slice(0, -1)) === formatPath(path.slice(0, -1)) &&
    Number(other.at(-1)) < Number(path.at(-1));
  return {
    edits: inSafeOrder(copied.flatMap(({ change }) => change.edits)),
    // Why: each copy before it moves the others on.
    paths: copied.map(({ path, change }) => {
      const key = change.path.at(-1);
      if (typeof key !== 'number') return change.path;
      const before = copied.filter((other) => isBefore(other.path, path)).length;
      return [...change.path.slice(0, -1), key + before];
    }),
  };
}

/** As deleteEdits, of all; what is deleted itself is no user. */
export function deleteAll(data: unknown, paths: readonly DocumentPath[]): DeletePlan {
  const plans = paths.map((path) => deleteEdits(data, path));
  const gone = new Set(paths.map((path) => nameOf(valueAt(data, path)) || formatPath(path)));
  const breaks = [...new Set(plans.flatMap((plan) => plan.breaks))].filter((one) => !gone.has(one));
  const isHelpless = plans.some((plan) => plan.breaks.length > 0 && plan.withUsers === null);
  return {
    edits: eachOnce(plans.flatMap(({ edits }) => edits)),
    breaks,
    withUsers:
      breaks.length === 0 || isHelpless
        ? null
        : eachOnce(plans.flatMap(({ edits, withUsers }) => withUsers ?? edits)),
  };
}

/** The edits that move the shapes of a part; none where it has no place of its own. */
export function moveEdits(
  data: unknown,
  part: DocumentPath,
  change: Extract<ShapeChange, { kind: 'move' }>,
  groundM: GroundM,
): DocumentEdit[] {
  const key = formatPath(part);
  return groundShapes(data, (one) => formatPath(one) === key)
    .filter(({ tile }) => tile === null)
    .flatMap((shape) => shapeEdits(data, shape, change, groundM));
}

/** The edit that lifts an object; null where it has no height of its own. */
export function liftEdit(data: unknown, part: DocumentPath, upM: number): DocumentEdit | null {
  const path = [...part, 'positionM'];
  const [x, y, z] = items(valueAt(data, path));
  const isStill = valueAt(data, [...part, 'motion']) === undefined;
  if (partAt(part)?.kind !== 'instance' || typeof z !== 'number' || !isStill) return null;
  return { path, op: 'set', value: [x, y, rounded(z + upM, 3)] };
}

function eachOnce(edits: readonly DocumentEdit[]): DocumentEdit[] {
  const byPath = new Map(edits.map((edit) => [`${edit.op} ${formatPath(edit.path)}`, edit]));
  return inSafeOrder([...byPath.values()]);
}
