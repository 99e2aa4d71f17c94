/**
 * The attributes of a building. Each has one row, with its source in CityGML, its values, its name in answers and its
 * words for people. The reader, the square files, the records, the answers with their schemas, the tables and the page
 * follow from the row (docs/adding-a-field.md).
 */

/** Words in the languages of the pages. */
interface Words {
  ja: string;
  en: string;
}

/** Where the city model publishes an attribute. */
interface Published {
  /** Elements that hold the value, at any depth of those that plateau/grammar.ts and `within` name. */
  elements: readonly string[];
  /** Elements around it that the reader must enter, in addition to those of plateau/grammar.ts. */
  within?: readonly string[];
  /** i-UR 1.x only: the key under which `uro:extendedAttribute` holds it. */
  extendedKey?: string;
  /** Published numbers that mean unknown. */
  unknown?: readonly number[];
  /** A larger value is an error of the publisher and is dropped. */
  most?: number;
  /**
   * Which value is used when there are several. `first` and `largest` prefer the values of the building to those of its
   * parts; `newest` compares all values. Between several bodies of one building, each rule compares all values.
   */
  ofSeveral: 'first' | 'largest' | 'newest';
}

/** How an attribute is answered. Tables and GeoJSON put the group before the name: `quality_lod`. */
interface Answered {
  group: AnswerGroup;
  name: string;
  description: string;
  /** The meaning of null. Without it the answer is never null. */
  unknown?: string;
  /** An example for the documentation; null means unknown. */
  example?: AttributeValue;
  /** The heading on the page of a building. Without it the page does not show the attribute. */
  heading?: Words;
}

/** `building`: a member of the summary itself. `quality`: a member of its `quality` object. */
export type AnswerGroup = 'building' | 'quality';

/** The meanings of a code list. The answer has the name of the code in a member of its own, before the code. */
interface CodeNames {
  name: string;
  description: string;
  unknown: string;
  values: readonly (Words & { code: string; name: string })[];
}

/** The values that an attribute can have. */
export type AttributeKind =
  /** A text, usually with this number of digits. */
  | { kind: 'code'; digits: number; named?: CodeNames }
  /**
   * Kept and answered with this number of decimals. `unit`: m for a length, which may be published in any unit of length;
   * null for other numbers. `bits`: about the length in bits of a usual value in units of the last decimal, with which its
   * code in a record begins; a wrong one costs only space. A value below
   * `least` is an error of the publisher and is dropped.
   */
  | { kind: 'number'; unit: 'm' | null; decimals: number; bits: number; least: number }
  | { kind: 'count'; bits: number; least: number }
  /** One of a few values, with its words for the page. */
  | { kind: 'choice'; choices: readonly (Partial<Words> & { value: string | number | boolean })[] }
  /** `YYYY` or `YYYY-MM-DD`. */
  | { kind: 'date' };

export type AttributeValue = string | number | boolean | null;

type Attribute = AttributeKind & {
  /**
   * The source: the city model, the shape that the reader makes of it, the build, or (`answer`) the other attributes.
   */
  from: Published | 'shape' | 'build' | 'answer';
  /** Null: only the build uses it. */
  answer: Answered | null;
};

/** The order is the order in the answers. */
const ATTRIBUTES = {
  cityCode: {
    // Names the ward where an ID names only its designated city (record/building-record.ts).
    kind: 'code',
    digits: 5,
    from: { elements: ['uro:city'], ofSeveral: 'first' },
    answer: null,
  },
  createdOn: {
    // Decides which of two duplicates is newer (pipeline/duplicates.ts).
    kind: 'date',
    from: { elements: ['core:creationDate'], ofSeveral: 'newest' },
    answer: null,
  },
  usageCode: {
    kind: 'code',
    digits: 3,
    named: {
      name: 'usage',
      description: 'What the building is used for. `unknown` is a published value too.',
      unknown: 'not published, or a code that is not in the list',
      // Code list `Building_usage` of Project PLATEAU.
      values: [
        { code: '411', name: 'house', ja: '住宅', en: 'house' },
        { code: '412', name: 'apartment', ja: '共同住宅', en: 'apartments' },
        { code: '413', name: 'house_with_shop', ja: '店舗等併用住宅', en: 'house with a shop' },
        { code: '414', name: 'apartment_with_shop', ja: '店舗等併用共同住宅', en: 'apartments with shops' },
        { code: '415', name: 'house_with_workshop', ja: '作業所併用住宅', en: 'house with a workshop' },
        { code: '401', name: 'office', ja: '業務施設', en: 'offices' },
        { code: '402', name: 'commercial', ja: '商業施設', en: 'commerce' },
        { code: '403', name: 'hotel', ja: '宿泊施設', en: 'hotel' },
        { code: '404', name: 'commercial_complex', ja: '商業系複合施設', en: 'commercial complex' },
        { code: '421', name: 'government', ja: '官公庁施設', en: 'government' },
        { code: '422', name: 'education_welfare', ja: '文教厚生施設', en: 'education and welfare' },
        { code: '431', name: 'transport_warehouse', ja: '運輸倉庫施設', en: 'transport and storage' },
        { code: '441', name: 'factory', ja: '工場', en: 'factory' },
        { code: '451', name: 'agriculture', ja: '農林漁業用施設', en: 'agriculture' },
        { code: '452', name: 'utility', ja: '供給処理施設', en: 'utilities' },
        { code: '453', name: 'defence', ja: '防衛施設', en: 'defence' },
        { code: '454', name: 'other', ja: 'その他', en: 'other' },
        { code: '461', name: 'unknown', ja: '不明（公表値）', en: 'unknown (as published)' },
      ],
    },
    from: { elements: ['bldg:usage'], ofSeveral: 'first' },
    answer: {
      group: 'building',
      name: 'usage_code',
      description: 'Code of the usage as published.',
      unknown: 'not published',
      example: null,
      heading: { ja: '用途', en: 'Use' },
    },
  },
  heightM: {
    kind: 'number',
    unit: 'm',
    decimals: 2,
    bits: 10,
    least: 0,
    from: 'answer',
    answer: {
      group: 'building',
      name: 'height_m',
      description:
        'Height of the solid, from its lowest to its highest point, metres. The sun is computed for this solid.',
      example: 13.4,
    },
  },
  measuredHeightM: {
    kind: 'number',
    unit: 'm',
    decimals: 2,
    bits: 10,
    least: 0,
    // CityGML 3.0 publishes it as con:Height (plateau/reader.ts).
    from: { elements: ['bldg:measuredHeight'], unknown: [0, -9999], most: 10_000, ofSeveral: 'largest' },
    answer: {
      group: 'building',
      name: 'measured_height_m',
      description: 'Height in metres as measured and published.',
      unknown: 'not measured, or the height of a placeholder',
      example: 13.4,
      heading: { ja: '計測された高さ', en: 'Measured height' },
    },
  },
  storeys: {
    // Null when it is not published; the build then estimates it.
    kind: 'count',
    bits: 1,
    least: 1,
    from: { elements: ['bldg:storeysAboveGround'], unknown: [0, 9999, -9999], most: 1000, ofSeveral: 'largest' },
    answer: {
      group: 'building',
      name: 'storeys',
      description: 'Storeys above ground.',
      example: 4,
      heading: { ja: '階数', en: 'Storeys' },
    },
  },
  storeysEstimated: {
    kind: 'choice',
    choices: [{ value: false }, { value: true }],
    from: 'build',
    answer: {
      group: 'building',
      name: 'storeys_estimated',
      description: 'True when the storeys are not published but estimated from the height and the use.',
      example: true,
    },
  },
  lod: {
    kind: 'choice',
    choices: [
      { value: 0, ja: 'LOD0', en: 'LOD0' },
      { value: 1, ja: 'LOD1', en: 'LOD1' },
      { value: 2, ja: 'LOD2', en: 'LOD2' },
    ],
    from: 'shape',
    answer: {
      group: 'quality',
      name: 'lod',
      description: 'Level of detail of the model of the shape.',
      example: 1,
      heading: { ja: 'モデルの詳細度', en: 'Level of detail' },
    },
  },
  heightMethod: {
    kind: 'code',
    digits: 1,
    named: {
      name: 'height_method',
      description:
        'How the publisher determined the height of the LOD1 solid. `placeholder`: it could not be measured and has a ' +
        'uniform 3 m, so the height is unknown.',
      unknown: 'not published, or a code that is not in the list',
      // Code list `DataQualityAttribute_lod1HeightType` of Project PLATEAU.
      values: [
        { code: '0', name: 'placeholder', ja: '計測できず（一律3 m、実際は不明）', en: 'not measured: 3 m for all' },
        { code: '1', name: 'point_cloud_highest', ja: '点群の最高値', en: 'highest point of a point cloud' },
        { code: '2', name: 'point_cloud_median', ja: '点群の中央値', en: 'median of a point cloud' },
        { code: '3', name: 'point_cloud_mean', ja: '点群の平均値', en: 'mean of a point cloud' },
        { code: '4', name: 'point_cloud_mode', ja: '点群の最頻値', en: 'mode of a point cloud' },
        { code: '5', name: 'point_cloud_lowest', ja: '点群の最低値', en: 'lowest point of a point cloud' },
        { code: '6', name: 'photo_highest', ja: '航空写真図化の最高点', en: 'highest point in aerial photographs' },
        { code: '7', name: 'building_permit', ja: '建築確認申請の高さ', en: 'building permit' },
        { code: '8', name: 'planning_survey', ja: '都市計画基礎調査の高さ', en: 'city planning survey' },
        { code: '9', name: 'three_metres_a_storey', ja: '階数×3 mの推計', en: 'estimate: 3 m a storey' },
        { code: '10', name: 'drawings', ja: '図面の高さ', en: 'drawings' },
      ],
    },
    from: {
      elements: ['uro:lod1HeightType'],
      within: [
        'uro:buildingDataQualityAttribute',
        'uro:BuildingDataQualityAttribute',
        'uro:bldgDataQualityAttribute',
        'uro:DataQualityAttribute',
        'core:adeOfAbstractCityObject',
        'uro:ExteriorDataQualityAttribute',
      ],
      extendedKey: '2',
      // A body or part that was measured has priority over one that was not.
      ofSeveral: 'largest',
    },
    answer: {
      group: 'quality',
      name: 'height_method_code',
      description: 'Code of the method as published.',
      unknown: 'not published',
      example: null,
      heading: { ja: '高さの求め方', en: 'Height found by' },
    },
  },
  mapLevel: {
    kind: 'code',
    digits: 1,
    named: {
      name: 'map_level',
      description:
        'Level of the map (地図情報レベル) on which the LOD1 solid is based: it determines the possible error of positions and heights.',
      unknown: 'not published, or a code that is not in the list',
      // Code list `PublicSurveyDataQualityAttribute_srcScale` of Project PLATEAU.
      values: [
        { code: '1', name: '2500', ja: '地図情報レベル2500', en: 'map level 2500' },
        { code: '2', name: '1000', ja: '地図情報レベル1000', en: 'map level 1000' },
        { code: '3', name: '500', ja: '地図情報レベル500', en: 'map level 500' },
      ],
    },
    from: {
      elements: ['uro:srcScaleLod1', 'uro:srcScale'],
      within: ['uro:publicSurveyDataQualityAttribute', 'uro:PublicSurveyDataQualityAttribute'],
      ofSeveral: 'first',
    },
    answer: {
      group: 'quality',
      name: 'map_level_code',
      description: 'Code of the map level as published.',
      unknown: 'not published',
      example: null,
      heading: { ja: '元の地図', en: 'Based on' },
    },
  },
  heightSource: {
    kind: 'choice',
    choices: [
      { value: 'solid', ja: '立体モデル', en: 'the solid model' },
      { value: 'measured_height', ja: '計測高さ', en: 'the measured height' },
      { value: 'storeys', ja: '公表された階数', en: 'the published storeys' },
    ],
    from: 'shape',
    answer: {
      group: 'quality',
      name: 'height_source',
      description:
        'The source of the height. `storeys`: a placeholder (`height_method`) has 3.6 m for each published storey.',
      heading: { ja: '高さの根拠', en: 'Height from' },
    },
  },
  baseSource: {
    kind: 'choice',
    choices: [{ value: 'solid' }, { value: 'lod0' }, { value: 'assumed_zero' }],
    from: 'shape',
    answer: { group: 'quality', name: 'base_source', description: 'The source of the height of the ground.' },
  },
  roof: {
    kind: 'choice',
    choices: [
      { value: 'prism', ja: '高さが一定の箱', en: 'a block of one height' },
      { value: 'surfaces', ja: '屋根の面（LOD2）', en: 'roof surfaces (LOD2)' },
    ],
    from: 'shape',
    answer: {
      group: 'quality',
      name: 'roof',
      description:
        'The roof with which the building shades: `surfaces` of LOD2, or the `prism` of its footprint and height. Its receptors ' +
        'are on the footprint in both cases.',
      example: 'prism',
      heading: { ja: '屋根のモデル', en: 'Roof model' },
    },
  },
  roofShadedShare: {
    kind: 'number',
    unit: null,
    decimals: 3,
    bits: 4,
    least: 0,
    from: 'build',
    answer: {
      group: 'quality',
      name: 'roof_shaded_share',
      description: 'Share of the shaded minutes that is due to roof surfaces of LOD2, 0 to 1.',
      example: 0,
    },
  },
  terrain: {
    kind: 'choice',
    choices: [
      { value: 'none', ja: 'なし', en: 'none' },
      { value: 'far', ja: '遠くの地形（3〜110 km）', en: 'far (3 to 110 km)' },
      { value: 'near_and_far', ja: '近くと遠くの地形（110 kmまで）', en: 'near and far (up to 110 km)' },
    ],
    from: 'build',
    answer: {
      group: 'quality',
      name: 'terrain',
      description:
        'Which terrain shades the building: `near_and_far`: the ground up to 110 km away, where the build had its elevation; `far`: from 3 km on, where no fine ' +
        'elevation was given; `none`.',
      example: 'none',
      heading: { ja: '地形の影', en: 'Shade of the terrain' },
    },
  },
  terrainShadedShare: {
    kind: 'number',
    unit: null,
    decimals: 3,
    bits: 2,
    least: 0,
    from: 'build',
    answer: {
      group: 'quality',
      name: 'terrain_shaded_share',
      description: 'Share of the shaded minutes in which the terrain stands before the sun; 0 to 1.',
      example: 0,
    },
  },
  placeholderNeighbours: {
    kind: 'count',
    bits: 0,
    least: 0,
    from: 'build',
    answer: {
      group: 'quality',
      name: 'placeholder_neighbours',
      description:
        'Number of buildings within 100 m, between representative points, whose height could not be measured ' +
        '(`height_method: placeholder`). Hours with the sun behind them are an upper bound.',
      example: 0,
      heading: { ja: '高さ不明の建物（100 m以内）', en: 'Buildings of unknown height within 100 m' },
    },
  },
  doubtfulShape: {
    kind: 'choice',
    choices: [
      { value: false, ja: '通常', en: 'usual' },
      {
        value: true,
        ja: '塔・鉄塔・煙突かもしれない（その場合、影は実際より大きい）',
        en: 'maybe a mast, lattice or chimney, which shades less than its solid',
      },
    ],
    from: 'answer',
    answer: {
      group: 'quality',
      name: 'doubtful_shape',
      description:
        'True when the real building is probably not a solid: it is over 8 times as high as the square root of its footprint, or from ' +
        '250 m on over 4.5 times: masts, lattices, chimneys. Its shade, also on itself, is an upper bound.',
      example: false,
      heading: { ja: '形', en: 'Shape' },
    },
  },
  storeysClass: {
    kind: 'choice',
    choices: [
      { value: 'dwelling_low' },
      { value: 'dwelling_mid' },
      { value: 'dwelling_high' },
      { value: 'hall_low' },
      { value: 'hall_mid' },
      { value: 'hall_high' },
      { value: 'other_low' },
      { value: 'other_mid' },
      { value: 'other_high' },
      { value: 'unknown_low' },
      { value: 'unknown_mid' },
      { value: 'unknown_high' },
    ],
    from: 'answer',
    answer: {
      group: 'quality',
      name: 'storeys_class',
      description:
        'The class of use (dwelling, hall, other, unknown) and height (low: under 15 m, mid, high: from 60 m on) by which the ' +
        'storeys were estimated.',
      unknown: 'the storeys are published',
      example: 'unknown_low',
    },
  },
  storeysBias: {
    kind: 'number',
    unit: null,
    decimals: 2,
    bits: 6,
    least: -100,
    from: 'answer',
    answer: {
      group: 'quality',
      name: 'storeys_bias',
      description: 'Mean error of the estimate in this class: estimated minus published storeys.',
      unknown:
        'the storeys are published, too few buildings of the class publish theirs to measure it, or the height is that of a placeholder',
      example: 0.27,
    },
  },
  storeysSpread: {
    kind: 'number',
    unit: null,
    decimals: 2,
    bits: 6,
    least: 0,
    from: 'answer',
    answer: {
      group: 'quality',
      name: 'storeys_spread',
      description: 'Standard deviation of this error, storeys.',
      unknown: 'as `storeys_bias`',
      example: 0.72,
    },
  },
  surroundings: {
    kind: 'choice',
    choices: [
      { value: 'complete', ja: 'そろっている', en: 'complete' },
      { value: 'open', ja: '近くにモデルのない区域がある', en: 'an area nearby has no model' },
    ],
    from: 'build',
    answer: {
      group: 'quality',
      name: 'surroundings',
      description:
        'Whether the surroundings are in the data: `open` when a gap begins within 1 km. A gap is a grid square ' +
        '(about 1 km) without any building, or land of a town with households but no building. Buildings there are unknown, ' +
        'so the hours are an upper bound.',
      example: 'open',
      heading: { ja: '周囲のモデル', en: 'Surroundings' },
    },
  },
  surveyedOn: {
    kind: 'date',
    from: { elements: ['uro:surveyYear'], ofSeveral: 'newest' },
    answer: {
      group: 'quality',
      name: 'surveyed_on',
      description: 'The year or day of the last survey of the building, as published. Later buildings are missing.',
      unknown: 'not published',
      example: null,
      heading: { ja: '調査年（月日）', en: 'Surveyed' },
    },
  },
} as const satisfies Record<string, Attribute>;

type Table = typeof ATTRIBUTES;
type Key = keyof Table;
/** The keys of the rows that contain these members. */
type KeysWith<Part> = { [K in Key]: Table[K] extends Part ? K : never }[Key];

export type PublishedKey = KeysWith<{ from: object }>;
/** The attributes that the reader returns. */
export type ModelKey = PublishedKey | KeysWith<{ from: 'shape' }>;
type AnsweredKey = KeysWith<{ answer: object }>;
/** The attributes that a record keeps. */
type RecordKey = Exclude<AnsweredKey, KeysWith<{ from: 'answer' }>>;

export type KindOf<K extends Key> = Table[K]['kind'];

/** The type of an attribute whose value is known. */
type Known<K extends Key> = Table[K] extends { choices: readonly { value: infer Value }[] }
  ? Value
  : Table[K] extends { kind: 'number' | 'count' }
    ? number
    : string;

/** The attributes of a building as the reader returns them. */
export type ModelAttributes = { [K in ModelKey]: K extends PublishedKey ? Known<K> | null : Known<K> };

type Answer<K extends Key> = Table[K] extends { answer: { unknown: string } } ? Known<K> | null : Known<K>;
/** The attributes of a building as a record keeps them. */
export type RecordAttributes = { [K in RecordKey]: Answer<K> };
/** The attributes of a building as they are answered, by the keys of the table. */
export type AnsweredAttributes = { [K in AnsweredKey]: Answer<K> };

type KeyInGroup<Group extends AnswerGroup> = KeysWith<{ answer: { group: Group } }> & AnsweredKey;
/** The members of an answer that are attributes. */
export type AnswerMembers<Group extends AnswerGroup> = {
  [K in KeyInGroup<Group> as Table[K]['answer']['name']]: Answer<K>;
} & {
  [K in KeyInGroup<Group> & KeysWith<{ named: object }> as Table[K]['named']['name']]: string | null;
};

/** A row with its key. */
export type AttributeRow<K extends Key = Key, From = Attribute['from'], A = Attribute['answer']> = AttributeKind & {
  key: K;
  from: From;
  answer: A;
};

const ROWS: readonly AttributeRow[] = (Object.keys(ATTRIBUTES) as Key[]).map((key) => ({ key, ...ATTRIBUTES[key] }));

export type PublishedRow = AttributeRow<PublishedKey, Published>;
/** The rows of attributes that the city model publishes. */
export const PUBLISHED = ROWS.filter((row): row is PublishedRow => typeof row.from === 'object');
/** The rows of attributes that the reader returns. */
export const OF_MODEL = ROWS.filter(
  (row): row is AttributeRow<ModelKey> => typeof row.from === 'object' || row.from === 'shape',
);
/** The rows of attributes that are answered, in order. */
export const ANSWERED = ROWS.filter(
  (row): row is AttributeRow<AnsweredKey, Attribute['from'], Answered> => row.answer !== null,
);
/** The rows of attributes that a record keeps. */
export const OF_RECORD = ANSWERED.filter(
  (row): row is AttributeRow<RecordKey, Attribute['from'], Answered> => row.from !== 'answer',
);

/**
 * Of two values of an attribute, the one to use by its rule. An unknown value gives way to a known one; null when both
 * are unknown.
 * @param a the value that comes first in the file
 */
export function valueThatCounts<Value extends AttributeValue>(
  rule: Published['ofSeveral'],
  a: Value | null,
  b: Value | null,
) {
  if (a === null || b === null) return a ?? b;
  // `largest` compares numbers or code texts, `newest` compares dates as texts.
  return rule !== 'first' && b > a ? b : a;
}

/** The form of `uro:buildingID` in PLATEAU's specification: municipality code, `bldg`, serial number. */
export const BUILDING_ID = /^\d{5}-bldg-\d+$/;
