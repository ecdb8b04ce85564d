// Units of the axes of coordinate reference systems (OGC 01-009, 18-010r7; EPSG dataset), and systems in metres.
import { childrenOf, parseWkt, wktText, wordOf, type WktNode } from './wkt.ts';

/** A unit of length as a file states it. */
export interface StatedUnit {
  name: string;
  metres: number;
}

/** Units of x and y, and of z; null: the system has no heights. */
export interface SystemUnits {
  horizontal: StatedUnit;
  vertical: StatedUnit | null;
}

/** The coordinate reference system that a file states for its positions. */
export interface StatedSystem {
  /** 'EPSG:n' or well-known text; null: none. */
  crs: string | null;
  /** 'EPSG:n' of a system of heights alone. */
  heights: string | null;
  /** Units that the file states beside its system. */
  units: { horizontal: StatedUnit | null; vertical: StatedUnit | null };
  /** The file states angles, whatever `crs` is. */
  isGeographic: boolean;
}

/** A file that states `crs` and nothing else. */
export function statedSystem(crs: string | null): StatedSystem {
  return { crs, heights: null, units: { horizontal: null, vertical: null }, isGeographic: false };
}

export const metre: StatedUnit = { name: 'metre', metres: 1 };

/** Units of length of the EPSG dataset, by their code. */
const epsgUnits = new Map<number, StatedUnit>(
  [
    { code: 1025, name: 'millimetre', metres: 0.001 },
    { code: 1033, name: 'centimetre', metres: 0.01 },
    { code: 9001, ...metre },
    { code: 9002, name: 'foot', metres: 0.3048 },
    { code: 9003, name: 'US survey foot', metres: 1200 / 3937 },
    { code: 9005, name: "Clarke's foot", metres: 0.3047972654 },
    { code: 9014, name: 'fathom', metres: 1.8288 },
    { code: 9030, name: 'nautical mile', metres: 1852 },
    { code: 9031, name: 'German legal metre', metres: 1.0000135965 },
    { code: 9036, name: 'kilometre', metres: 1000 },
    { code: 9037, name: "Clarke's yard", metres: 0.9143917962 },
    { code: 9039, name: "Clarke's link", metres: 0.201166195164 },
    { code: 9040, name: 'British yard (Sears 1922)', metres: 36 / 39.370147 },
    { code: 9041, name: 'British foot (Sears 1922)', metres: 12 / 39.370147 },
    { code: 9042, name: 'British chain (Sears 1922)', metres: 792 / 39.370147 },
    { code: 9080, name: 'Indian foot', metres: 12 / 39.370142 },
    { code: 9084, name: 'Indian yard', metres: 36 / 39.370142 },
    { code: 9093, name: 'statute mile', metres: 1609.344 },
    { code: 9094, name: 'Gold Coast foot', metres: 6378300 / 20926201 },
    { code: 9095, name: 'British foot (1936)', metres: 0.3048007491 },
    { code: 9096, name: 'yard', metres: 0.9144 },
    { code: 9097, name: 'chain', metres: 20.1168 },
    { code: 9098, name: 'link', metres: 0.201168 },
  ].map(({ code, ...unit }) => [code, unit]),
);

/** Codes that are not in the table have NaN metres. */
export function unitOfEpsg(code: number): StatedUnit {
  return epsgUnits.get(code) ?? { name: `unit EPSG:${code}`, metres: NaN };
}

export function isMetre({ metres }: StatedUnit): boolean {
  return Math.abs(metres - 1) < 1e-12;
}

/** 'US survey foot (0.304801 m)'. */
export function unitText({ name, metres }: StatedUnit): string {
  return Number.isNaN(metres) ? name : `${name} (${Number(metres.toPrecision(6))} m)`;
}

/** Units of the axes of a well-known text, or what its axes have instead: 'degree', 'heights alone' … */
export function unitsOfSystem(wkt: string): SystemUnits | string {
  const root = parseWkt(wkt);
  return root === null ? 'no well-known text' : unitsOfNode(root);
}

/** The same system with all lengths in metres; its code, which is of another system then, is left out. */
export function systemInMetres(wkt: string): string {
  const root = parseWkt(wkt);
  const units = root === null ? '' : unitsOfNode(root);
  if (root === null || typeof units === 'string') return wkt;
  const { horizontal, vertical } = units;
  const isSame = isMetre(horizontal) && (vertical === null || isMetre(vertical));
  return isSame ? wkt : wktText(inMetres(root));
}

const version1 = ['PROJCS', 'LOCAL_CS', 'GEOCCS', 'VERT_CS'];
const version2 = [
  ...['PROJCRS', 'PROJECTEDCRS', 'DERIVEDPROJCRS', 'ENGCRS', 'ENGINEERINGCRS'],
  ...['VERTCRS', 'VERTICALCRS', 'GEODCRS', 'GEODETICCRS'],
];
const geographic = ['GEOGCS', 'GEOGCRS', 'GEOGRAPHICCRS'];
const compound = ['COMPD_CS', 'COMPOUNDCRS'];
const vertical = ['VERT_CS', 'VERTCRS', 'VERTICALCRS'];
const lengthUnits = ['LENGTHUNIT', 'UNIT'];
const anyUnits = [...lengthUnits, 'ANGLEUNIT', 'SCALEUNIT', 'PARAMETRICUNIT'];

function unitsOfNode(node: WktNode): SystemUnits | string {
  const { keyword } = node;
  if (keyword === 'BOUNDCRS') {
    const inner = systemsIn(childrenOf(node, 'SOURCECRS')[0] ?? node)[0];
    return inner === undefined ? `'${keyword}' without a system` : unitsOfNode(inner);
  }
  if (compound.includes(keyword)) return unitsOfCompound(node);
  if (vertical.includes(keyword)) return 'heights alone';
  if (geographic.includes(keyword)) return angleOf(node);
  if (version1.includes(keyword)) {
    const unit = unitOf(childrenOf(node, 'UNIT')[0]);
    if (typeof unit === 'string') return unit;
    return { horizontal: unit, vertical: keyword === 'GEOCCS' ? unit : null };
  }
  if (!version2.includes(keyword)) return `'${keyword}'`;
  return unitsOfAxes(node);
}

/** Nodes below that are systems. */
function systemsIn(node: WktNode): WktNode[] {
  return childrenOf(node, 'BOUNDCRS', ...compound, ...geographic, ...version1, ...version2);
}

function unitsOfCompound(node: WktNode): SystemUnits | string {
  const parts = systemsIn(node);
  const level = parts.find(({ keyword }) => !vertical.includes(keyword));
  if (level === undefined) return 'heights alone';
  const units = unitsOfNode(level);
  const heights = parts.find(({ keyword }) => vertical.includes(keyword));
  if (typeof units === 'string' || heights === undefined) return units;
  const unit = heightUnit(heights);
  return typeof unit === 'string' ? unit : { ...units, vertical: unit };
}

/** The unit of a system of heights alone. */
export function unitOfHeights(wkt: string): StatedUnit | string {
  const root = parseWkt(wkt);
  if (root === null || !vertical.includes(root.keyword)) return 'no system of heights';
  return heightUnit(root);
}

function heightUnit(node: WktNode): StatedUnit | string {
  const [axis] = childrenOf(node, 'AXIS');
  const own = axis === undefined ? undefined : childrenOf(axis, ...lengthUnits)[0];
  return unitOf(own ?? childrenOf(node, ...lengthUnits).at(-1));
}

/** Version 2: each axis has its own unit, or that of all is after them. */
function unitsOfAxes(node: WktNode): SystemUnits | string {
  const [system] = childrenOf(node, 'CS');
  const kind = system?.values[0];
  const isGeodetic = node.keyword === 'GEODCRS' || node.keyword === 'GEODETICCRS';
  const isCartesian = typeof kind === 'string' && /^cartesian$/i.test(kind);
  if (isGeodetic && !isCartesian) return angleOf(node);
  const common = childrenOf(node, ...anyUnits).at(-1);
  const axes = childrenOf(node, 'AXIS').map((axis) => childrenOf(axis, ...anyUnits)[0] ?? common);
  const units: StatedUnit[] = [];
  for (const axis of axes.length > 0 ? axes : [common]) {
    if (axis !== undefined && !lengthUnits.includes(axis.keyword)) return `'${wordOf(axis, 0)}'`;
    const unit = unitOf(axis);
    if (typeof unit === 'string') return unit;
    units.push(unit);
  }
  const [x = metre, y = x, z = null] = units;
  if (x.metres !== y.metres) return `two units, ${unitText(x)} and ${unitText(y)}`;
  return { horizontal: x, vertical: z };
}

/** Without a unit: metres, as GDAL has it. */
function unitOf(node: WktNode | undefined): StatedUnit | string {
  if (node === undefined) return metre;
  const unit = { name: wordOf(node, 0), metres: Number(wordOf(node, 1) || NaN) };
  return unit.metres > 0 && unit.metres < Infinity
    ? unit
    : `the unit '${unit.name}' without a factor`;
}

function angleOf(node: WktNode): string {
  const axis = childrenOf(node, 'AXIS')[0];
  const inAxis = axis === undefined ? undefined : childrenOf(axis, 'ANGLEUNIT', 'UNIT')[0];
  const unit = inAxis ?? childrenOf(node, 'ANGLEUNIT', 'UNIT').at(-1);
  return `angles ('${unit === undefined ? 'degree' : wordOf(unit, 0)}')`;
}

/** Parameters of a projection that are lengths. */
const lengthParameter = /easting|northing|height/i;
/** Nodes that are of the system in its own unit alone. */
const dropped = ['AUTHORITY', 'ID', 'EXTENSION'];

function inMetres(node: WktNode): WktNode {
  const { keyword, values } = node;
  const units = vertical.includes(keyword) ? heightUnit(node) : unitsOfNode(node);
  if (typeof units === 'string') return node;
  const all = 'metres' in units ? [units] : [units.horizontal, units.vertical ?? metre];
  if (all.every(isMetre)) return node;
  const factor = all[0]?.metres ?? 1;
  const children = values
    .filter((value) => typeof value === 'string' || !dropped.includes(value.keyword))
    .map((value, index) => {
      if (typeof value !== 'string') return partInMetres(value, factor);
      return index === 0 ? `"${wordOf(node, 0).replaceAll('"', '""')} in metres"` : value;
    });
  return { keyword, values: children };
}

function partInMetres(node: WktNode, factor: number): WktNode {
  if (lengthUnits.includes(node.keyword)) {
    return { keyword: node.keyword, values: ['"metre"', '1'] };
  }
  // The system that a projected one is based on has angles, and stays.
  if ([...compound, ...version1, ...version2].includes(node.keyword)) return inMetres(node);
  if (['SOURCECRS', 'AXIS', 'CONVERSION'].includes(node.keyword)) {
    const change = (part: WktNode | string): WktNode | string =>
      typeof part === 'string' ? part : partInMetres(part, factor);
    return { ...node, values: node.values.map(change) };
  }
  const hasOwnUnit = childrenOf(node, ...anyUnits).length > 0;
  if (node.keyword !== 'PARAMETER' || hasOwnUnit || !lengthParameter.test(wordOf(node, 0))) {
    return node;
  }
  const metres = Number((Number(wordOf(node, 1)) * factor).toPrecision(15));
  return { keyword: node.keyword, values: [node.values[0] ?? '', String(metres)] };
}
