import type { MapChoices } from '../choices.ts';

export type { MapChoices };

/** The colours of the scale, the lower limit of each class in hours, and the colour for unknown hours. */
export interface Colours {
  scale: readonly string[];
  classes: readonly number[];
  unknown: string;
}

/** The parts of the style that depend on the page. */
export interface StyleParts {
  tiles: string;
  bounds: [west: number, south: number, east: number, north: number];
  colours: Colours;
  /** Raster tiles of another map, drawn below ours; null: none. */
  below: { tiles: string; maxzoom: number } | null;
  /** Fonts for names. */
  font: string;
  /** True shows names in Latin letters. */
  isLatin: boolean;
}

/** Words of the panel in the language of the page; `{}` stands for a value. */
export interface PanelWords {
  map: string;
  /** Names of MapLibre's buttons, by its own keys. */
  controls: Record<string, string>;
  months: string[];
  floors: Record<string, string>;
  /** The month and the floor in words, and these with the face. */
  when: string;
  choice: string;
  shadowsAt: string;
  faces: Record<string, string>;
  best: string;
  building: string;
  /** A building of a town. */
  buildingIn: string;
  /** A square of buildings that lie in no known town. */
  square: string;
  height: string;
  hours: string[];
  noWalls: string;
  noFace: string;
  noFaceNear: string;
  details: string;
  homeDetails: string;
  homeCost: string;
  homeCostUnknown: string;
  townDetails: string;
  townMean: string;
  nothing: string;
  /** The thing that the URL picks is not in the data. */
  pickGone: string;
  nearZoom: string;
  distance: string;
  /** Paths of the pages of buildings and towns; `{}` stands for the ID. */
  buildingPath: string;
  townPath: string;
}

/**
 * URL of the tiles of homes with `{x}` and `{y}`, their zoom, names of services by code, and the path of a home's page.
 */
export interface HomeSettings {
  tiles: string;
  zoom: number;
  services: Record<string, string>;
  path: string;
}

/** The thing that the URL picks, by its ID; `isKnown`: the data has it. */
export interface MapPick {
  id: string;
  isKnown: boolean;
  floor: MapChoices['floor'];
  /** The storey that was chosen on its page: a note that the map shows another one, and the words of the link to it. */
  storey: { number: number; note: string; details: string } | null;
}

/** The data of the map's script. */
export interface MapSettings extends StyleParts {
  /** True when the page is a file: no server draws pictures. */
  isStatic: boolean;
  worker: string;
  /** Where the tiles of the ground are: `{x}` and `{y}` of a zoom. Null: the data was built without elevation. */
  ground: { tiles: string; zoom: number } | null;
  /** Null: the data has no care half. */
  homes: HomeSettings | null;
  /** The scripts that draw the map. They are loaded after the picture is shown. */
  modules: string[];
  /** The default choices. */
  first: MapChoices;
  /** The case of the care costs and the service of homes, from the query: names and values. */
  careCase: [name: string, value: string][];
  view: { lat: number; lon: number; zoom: number; phoneZoom: number };
  pick: MapPick | null;
  words: PanelWords;
  /** The sun over the middle of the data: a table for each month, a row every `step` minutes from `from` on. */
  sun: { from: number; step: number; months: SunRow[][] };
}

/** Degrees from north, clockwise, and above the horizon. */
export type SunRow = [azimuth: number, altitude: number];

export interface Sun {
  azimuthDeg: number;
  altitudeDeg: number;
}

export type Ring = [lon: number, lat: number][];

/** A view of the map, degrees. */
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Roof surfaces, each its rings, open. */
export type Roof = [lon: number, lat: number, aboveBaseM: number][][][];

/** A tile of the ground. Its lists hold the corners of all cells, row by row from the north-west. */
export interface GroundTile {
  /** Cells along a side: of the heights, and of the shade of hills. */
  cells: number;
  shadeCells: number;
  /** Tenths of a metre, each minus the last known one before it; null: not known. */
  heights: (number | null)[];
  /** By month and corner: the minutes in which no hill hides the sun, [start, end, …]. */
  sunny: number[][][];
  /** By building: its base, tenths of a metre. */
  bases: Record<string, number>;
}

/** The ground as far as it is loaded, metres: NaN and null where it is not. */
export interface ShownGround {
  heightAt(lon: number, lat: number): number;
  baseOf(id: string): number | null;
}

/** A building as it casts shade: its polygons, outer ring first, and its height; its roof surfaces where it has any. */
export interface Caster {
  id: string;
  heightM: number;
  polygons: Ring[][];
  roof?: Roof;
}

export type Properties = Record<string, unknown>;

/** The parts of a feature of the map that the list needs. */
export interface Drawn {
  properties: Properties;
  geometry: GeoJSON.Geometry;
}

export interface NearBuilding {
  id: string;
  metres: number;
  /** Its outline, or the part of it in one tile. */
  polygons: Ring[][];
  properties: Properties;
}

export interface Picked {
  kind: 'building' | 'town' | 'square' | 'home';
  /** Empty for a square. */
  id: string;
  properties: Properties;
  /** Of a square: it has no ID by which its outline could be found again. */
  geometry?: GeoJSON.Geometry;
}

/** The whole hours of a face; `best` where tiles have only those of the sunniest. */
export interface FaceHours {
  face: string;
  hours: number;
}

/** A building of the scene: rings in metres east and north of the middle, in turn, open. */
export interface SceneBuilding {
  id: string;
  /** Its letter on the page; null: none. */
  letter: string | null;
  heightM: number;
  /** False: `heightM` is that of a box in place of an unknown height. */
  isHeightKnown: boolean;
  /** Its base above that of the chosen building, metres; 0 where the ground is not known. */
  baseM: number;
  polygons: number[][][];
  /** Roof surfaces, each its rings: metres east, north and above its base, in turn. None: it is a block. */
  roof: number[][][];
}

/**
 * The ground as triangles: metres east, north and above the base of the chosen building, and three numbers of points
 * each.
 */
export interface SceneGround {
  points: readonly number[];
  triangles: readonly number[];
}

/** The data of the scene's script; in words `{}` stands for a value. */
export interface SceneData {
  chosen: string;
  /** The direction of the chosen wall, degrees clockwise from north; null: no wall is chosen. */
  wallDeg: number | null;
  /** Path of the page of another building, `{}` stands for its ID; that of the chosen one, with all choices. */
  buildingPath: string;
  ownPath: string;
  buildings: SceneBuilding[];
  /** Null where it is not known. */
  ground: SceneGround | null;
  first: { month: number; clock: number };
  /** By month: the minutes of the sun's table in which hills hide it from the ground at the building. */
  behindHills: number[][];
  sun: { from: number; step: number; months: SunRow[][] };
  words: {
    /** The days that the months stand for. */
    days: string[];
    directions: string[];
    when: string;
    sun: string;
    night: string;
    /** Added while hills hide the sun. */
    behind: string;
    lit: string;
    shaded: string;
    play: string;
    stop: string;
    view: string;
    named: string;
    /** The same of a building of unknown height. */
    namedOnly: string;
    details: string;
    noBuilding: string;
    compass: string;
  };
}
