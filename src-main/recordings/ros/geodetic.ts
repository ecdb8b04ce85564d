// World coordinates of a scene with a CRS as latitude and longitude (WGS 84), for NavSatFix.
import proj4 from 'proj4';

/** Latitude and longitude of a world position, in degrees; its height unchanged. */
export type Geodetic = (positionM: readonly [number, number, number]) => {
  latitudeDeg: number;
  longitudeDeg: number;
  altitudeM: number;
};

/**
 * The conversion of a CRS: WKT, or the codes of UTM on WGS 84 (EPSG:326nn, 327nn) and ETRS89 (258nn). Null: there is no
 * CRS, or no projection is known here by its code.
 */
export function geodeticOf(crs: string | undefined): Geodetic | null {
  const definition = crs === undefined ? null : projectionOf(crs.trim());
  if (definition === null) return null;
  const convert = converterOf(definition);
  if (convert === null) return null;
  return ([x, y, z]) => {
    const [longitudeDeg = Number.NaN, latitudeDeg = Number.NaN] = convert([x, y]);
    return { latitudeDeg, longitudeDeg, altitudeM: z };
  };
}

/** Longitude and latitude of a projected place, in degrees. */
type Unproject = (place: [number, number]) => number[];

function converterOf(definition: string): Unproject | null {
  try {
    const { inverse } = proj4(definition);
    return (place) => inverse(place);
  } catch {
    return null; // WKT that proj4 does not know; the scene's problems name what is no WKT
  }
}

function projectionOf(crs: string): string | null {
  const code = /^EPSG:(\d+)$/i.exec(crs)?.[1];
  if (code === undefined) return crs;
  const utm = /^(326|327|258)(\d\d)$/.exec(code);
  const zone = Number(utm?.[2]);
  if (utm === null || zone < 1 || zone > 60) return null;
  const [, area] = utm;
  if (area === '258') return `+proj=utm +zone=${zone} +ellps=GRS80 +units=m +no_defs`;
  return `+proj=utm +zone=${zone}${area === '327' ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`;
}
