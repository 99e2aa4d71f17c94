import { BUILDINGS_LAYER, EDGES_LAYER } from './building-tile.ts';
import { LABELS_LAYER, TOWN_ZOOMS, TOWNS_LAYER, WARDS_LAYER } from './town-tiles.ts';

/** The owner and date of a map. */
interface MapCredit {
  dataset_id: string;
  generated_at: string;
  license: string;
  attribution: string;
  reference_year: number;
}

const BEST =
  'Most hours of direct sun of any face: 36 hexadecimal digits, whole hours; floor (first, middle, top) · 12 + month';
const LATIN = 'The reading in Latin letters';
const FACES = 'A letter for each face (A is N, clockwise by 45° to H, NW), each followed by 36 digits as in `best`';

/** Layers of a map that was built with landmarks. */
const LANDMARKS = {
  roads: 'Roads',
  rails: 'Railways',
  stations: 'Stations',
  water: 'Rivers and other water',
  parks: 'Parks',
};

/**
 * The metadata of the archive: credit, and the layers with the meaning of their fields (TileJSON 3.0).
 * Over 60 lines: every layer with its fields.
 * @param landmarks the names of the layers of landmarks that the map has
 */
export function mapMetadata(credit: MapCredit, landmarks: ReadonlySet<string>): object {
  const description = `Direct sun on the 15th of each month of ${credit.reference_year}, hours a day, clear sky`;
  const [least, most] = [TOWN_ZOOMS.least, TOWN_ZOOMS.most];
  return {
    name: 'Hidamari',
    description,
    attribution: credit.attribution,
    type: 'overlay',
    vector_layers: [
      {
        id: TOWNS_LAYER,
        description:
          'Small areas of the census; hours are means over their buildings. ' +
          'Without town_code: a square of about 250 m with the buildings that lie in no known town',
        minzoom: least,
        maxzoom: most,
        fields: {
          town_code: 'KEY_CODE',
          name: 'Name',
          name_latin: LATIN,
          n: 'Buildings with walls',
          best: BEST,
          faces: FACES,
        },
      },
      {
        id: LABELS_LAYER,
        description: 'A point for each town, in one tile of each zoom',
        minzoom: least,
        maxzoom: most,
        fields: {
          town_code: 'KEY_CODE',
          name: 'Name',
          reading: 'Hiragana',
          name_latin: LATIN,
          n: 'Buildings with walls',
        },
      },
      {
        id: WARDS_LAYER,
        description: 'A point for each ward, in one tile of each zoom',
        minzoom: least,
        maxzoom: most,
        fields: {
          ward_code: 'Prefecture and municipality',
          name: 'Name',
          name_latin: LATIN,
          n: 'Buildings with walls',
        },
      },
      {
        id: BUILDINGS_LAYER,
        description: 'Every building once, whole, in the tile of its representative point',
        minzoom: 14,
        maxzoom: 15,
        fields: {
          building_id: 'Building ID of the city model',
          height_m: 'Height of the solid to 0.1 m; from zoom 15',
          best: `${BEST}; at zoom 14`,
          faces: `${FACES}; from zoom 15. Without it: no walls`,
        },
      },
      {
        id: EDGES_LAYER,
        description: 'Pieces of buildings that reach in from a neighbouring tile, to be drawn and not to be counted',
        minzoom: 14,
        maxzoom: 15,
        fields: { building_id: 'Building ID of the city model', best: `${BEST}; at zoom 14`, faces: FACES },
      },
      ...Object.entries(LANDMARKS)
        .filter(([id]) => landmarks.has(id))
        .map(([id, description]) => ({
          id,
          description,
          minzoom: id === 'roads' ? 13 : least,
          maxzoom: 15,
          fields: { name: 'As published', ...(id === 'stations' && { name_latin: LATIN }) },
        })),
    ],
    hidamari: credit,
  };
}
