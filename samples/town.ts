import { groundAt, type Point, WARD_BORDER, WARDS } from './place.ts';
import { randomFrom } from './random.ts';

/** A building of the sample as it will be written: metres, and texts as they stand in the file. */
export interface SampleBuilding {
  /** Null: the file gives it no ID. */
  id: string | null;
  ward: string;
  /** Polygons of rings: outer, then holes. All rise from `base` to `base + height`. */
  footprints: Point[][][];
  base: number;
  height: number;
  /** Text of `bldg:measuredHeight`, or null where it is missing. */
  measuredHeight: string | null;
  storeys: string | null;
  usage: string | null;
  /** 0: only an outline on the ground is published. */
  lod: 0 | 1;
}

/** A building before it has an ID: its shape about its place, and what it is. */
interface Design {
  at: Point;
  footprints: Point[][][];
  storeys: number;
  usage: string;
}

const COLUMNS = 8;
const ROWS = 7;
const BLOCK_EAST = 54;
const BLOCK_NORTH = 46;
const STOREY_M = 3.1;

const rectangle = (east: number, north: number, width: number, depth: number): Point[] => [
  [east, north],
  [east + width, north],
  [east + width, north + depth],
  [east, north + depth],
];

/** Every building of the sample town, always the same: 56 blocks, each of one kind, and the odd cases of real files. */
export function sampleTown(): SampleBuilding[] {
  const random = randomFrom(20260115);
  const designs: Design[] = [];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const corner: Point = [(column - COLUMNS / 2) * BLOCK_EAST + 5, (row - ROWS / 2) * BLOCK_NORTH + 5];
      const kind = KINDS[(row * 5 + column * 3) % KINDS.length];
      designs.push(...kind(corner, random));
    }
  }
  designs.push(acrossTheSquares());
  const buildings = designs.map((design, i) => build(design, i, random));
  return withOddities(buildings);
}

type Kind = (corner: Point, random: () => number) => Design[];

/** Eight detached houses on their lots, some L-shaped. */
const houses: Kind = ([east, north], random) => {
  const designs: Design[] = [];
  for (let lot = 0; lot < 8; lot++) {
    const at: Point = [east + (lot % 4) * 11 + random() * 2, north + Math.floor(lot / 4) * 18 + random() * 4];
    const [width, depth] = [7 + random() * 2, 8 + random() * 4];
    const outline = rectangle(...at, width, depth);
    if (random() < 0.3)
      outline.splice(
        2,
        1,
        [at[0] + width, at[1] + depth / 2],
        [at[0] + width / 2, at[1] + depth / 2],
        [at[0] + width / 2, at[1] + depth],
      );
    designs.push({
      at,
      footprints: [[outline]],
      storeys: random() < 0.7 ? 2 : 3,
      usage: random() < 0.85 ? '411' : '413',
    });
  }
  return designs;
};

/** Two rows of seven houses with party walls, of two and three storeys by turns. */
const rowHouses: Kind = ([east, north], random) =>
  Array.from({ length: 14 }, (_, i) => {
    const at: Point = [east + (i % 7) * 6, north + (i < 7 ? 2 : 22)];
    return {
      at,
      footprints: [[rectangle(...at, 6, 10)]],
      storeys: random() < 0.5 ? 2 : 3,
      usage: i % 7 === 0 ? '413' : '411',
    };
  });

/** Two slabs of flats, side by side. */
const flats: Kind = ([east, north], random) =>
  [0, 19].map((step, i) => {
    const at: Point = [east + 3, north + step];
    return {
      at,
      footprints: [[rectangle(...at, 38, 12)]],
      storeys: 4 + Math.floor(random() * 9),
      usage: i === 0 ? '412' : '414',
    };
  });

/** A tower and the low shops beside it. */
const tower: Kind = ([east, north], random) => {
  const at: Point = [east + 2, north + 6];
  const shops: Point = [east + 31, north + 4];
  return [
    {
      at,
      footprints: [[rectangle(...at, 24, 24)]],
      storeys: 22 + Math.floor(random() * 14),
      usage: random() < 0.5 ? '412' : '404',
    },
    { at: shops, footprints: [[rectangle(...shops, 11, 26)]], storeys: 2, usage: '402' },
  ];
};

/** A school around its courtyard. */
const courtyard: Kind = ([east, north]) => {
  const at: Point = [east + 2, north + 2];
  return [
    {
      at,
      footprints: [[rectangle(...at, 40, 30), rectangle(at[0] + 11, at[1] + 9, 18, 12)]],
      storeys: 4,
      usage: '422',
    },
  ];
};

/** Offices in two wings that are one building, with a passage between them, and a small workshop. */
const wings: Kind = ([east, north], random) => {
  const at: Point = [east, north + 3];
  const shed: Point = [east + 32, north + 12];
  return [
    {
      at,
      footprints: [[rectangle(...at, 12, 28)], [rectangle(at[0] + 16, at[1], 12, 28)]],
      storeys: 6 + Math.floor(random() * 4),
      usage: random() < 0.5 ? '401' : '421',
    },
    { at: shed, footprints: [[rectangle(...shed, 10, 14)]], storeys: 1, usage: '441' },
  ];
};

/** In this order through the blocks; houses are the commonest. */
const KINDS: Kind[] = [houses, rowHouses, flats, houses, tower, houses, rowHouses, courtyard, houses, wings, flats];

/** A station hall that stands in four grid squares at once. */
const acrossTheSquares = (): Design => ({
  at: [-8, -4],
  footprints: [[rectangle(-8, -4, 16, 7)]],
  storeys: 2,
  usage: '431',
});

function build({ at, footprints, storeys, usage }: Design, index: number, random: () => number): SampleBuilding {
  const ward = (at[1] >= WARD_BORDER ? WARDS.north : WARDS.south).code;
  const height = Math.round((storeys * STOREY_M + 0.4 + random()) * 10) / 10;
  const base = Math.round(groundAt(at) * 100) / 100;
  const measuredHeight = (height + Math.round(random() * 5) / 10).toFixed(1);
  return {
    id: `${ward}-bldg-${1001 + index}`,
    ward,
    footprints,
    base,
    height,
    measuredHeight,
    storeys: String(storeys),
    usage,
    lod: 1,
  };
}

/** What real files hold besides the regular: unknown heights and storeys, no ID, outlines alone, the same building twice. */
function withOddities(buildings: SampleBuilding[]): SampleBuilding[] {
  const every = (step: number, offset: number, change: (building: SampleBuilding) => void) => {
    for (let i = offset; i < buildings.length; i += step) change(buildings[i]);
  };
  every(23, 7, (building) => {
    building.measuredHeight = null;
  });
  every(61, 11, (building) => {
    building.measuredHeight = '-9999';
  });
  every(17, 3, (building) => {
    building.storeys = null;
  });
  every(53, 5, (building) => {
    building.storeys = '9999';
  });
  every(37, 14, (building) => {
    building.usage = '461';
  });
  every(97, 20, (building) => {
    building.usage = null;
  });
  every(71, 30, (building) => {
    building.id = null;
  });
  every(83, 41, (building) => {
    building.lod = 0;
    building.measuredHeight ??= building.height.toFixed(1);
  });
  // Buildings near the wards' border that both wards publish: once under the same ID, once under another.
  const twins = buildings
    .filter(({ ward, id, lod }) => ward === WARDS.south.code && id !== null && lod === 1)
    .slice(-2);
  const [same, other] = twins.map((twin) => ({ ...twin, ward: WARDS.north.code }));
  if (other) other.id = `${WARDS.north.code}-bldg-9001`;
  return [...buildings, same, other];
}
