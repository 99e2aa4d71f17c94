/**
 * The attributes of a building. Each stands here once: where CityGML has it, what values it takes, how it is answered and
 * what it is called. The reader, the square files, the records, the answers with their schemas, the tables and the page
 * follow from its row (docs/adding-a-field.md).
 */

/** Words in the languages of the pages. */
interface Words {
  ja: string;
  en: string;
}

/** An attribute that the city model states. */
interface Published {
  /** Elements that hold it. Those of uro stand anywhere among the attributes that uro adds to a building. */
  elements: readonly string[];
  /** Elements that are entered on the way, beyond those of plateau/grammar.ts. */
  within?: readonly string[];
  /** i-UR 1.x only: the key under which `uro:extendedAttribute` holds it. */
  extendedKey?: string;
  /** Numbers that stand for unknown. */
  unknown?: readonly number[];
  /** What is published beyond cannot be meant. */
  most?: number;
  /**
   * Which of several values counts. `first` and `largest` take those of the building, then those of its parts; `newest` takes all.
   * Among several bodies of one building all of them take all.
   */
  ofSeveral: 'first' | 'largest' | 'newest';
}

/** How an attribute is answered. In tables and GeoJSON the name follows that of its group: `quality_lod`. */
interface Answered {
  group: AnswerGroup;
  name: string;
  description: string;
  /** What null stands for. Without it an answer never has null. */
  unknown?: string;
  /** For the documentation. Null: one that is unknown. */
  example?: AttributeValue;
  /** Its name on the page of a building. Without it the page does not show it. */
  heading?: Words;
}

/** `building`: among the members of the summary; `quality`: in its member of that name. */
export type AnswerGroup = 'building' | 'quality';

/** What the codes of a list mean. They are answered by name in a member of their own, in front of the code. */
interface CodeNames {
  name: string;
  description: string;
  unknown: string;
  values: readonly (Words & { code: string; name: string })[];
}

/** What values an attribute takes. */
export type AttributeKind =
  /** A text, mostly of so many digits. */
  | { kind: 'code'; digits: number; named?: CodeNames }
  /** Kept and answered to so many decimals; `bits` are those of a usual value in these units. Published lengths come in any unit. */
  | { kind: 'number'; unit: 'm' | null; decimals: number; bits: number; least: number }
  | { kind: 'count'; bits: number; least: number }
  /** One of a few values, with words where the page shows it. */
  | { kind: 'choice'; choices: readonly (Partial<Words> & { value: string | number | boolean })[] }
  /** `YYYY` or `YYYY-MM-DD`. */
  | { kind: 'date' };

export type AttributeValue = string | number | boolean | null;

type Attribute = AttributeKind & {
  /** The city model, the shape that the reader makes of it, the build, or the answer, which makes it of the rest. */
  from: Published | 'shape' | 'build' | 'answer';
  /** Null: it is known to the build only. */
  answer: Answered | null;
};

/** In the order of the answers. */
const ATTRIBUTES = {
  cityCode: {
    // Where an ID says no more than the designated city, it names the ward (record/building-record.ts).
    kind: 'code',
    digits: 5,
    from: { elements: ['uro:city'], ofSeveral: 'first' },
    answer: null,
  },
  createdOn: {
    // Decides which of two buildings is the newer one (pipeline/duplicates.ts).
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
      description: 'Height of the solid for which the sun is computed, from its lowest to its highest point, metres.',
      example: 13.4,
    },
  },
  measuredHeightM: {
    kind: 'number',
    unit: 'm',
    decimals: 2,
    bits: 10,
    least: 0,
    // CityGML 3.0 has it in con:Height (plateau/reader.ts).
    from: { elements: ['bldg:measuredHeight'], unknown: [0, -9999], most: 10_000, ofSeveral: 'largest' },
    answer: {
      group: 'building',
      name: 'measured_height_m',
      description: 'Height in metres as measured and published.',
      unknown: 'none was measured, or the height is that of a placeholder',
      example: 13.4,
      heading: { ja: '計測された高さ', en: 'Measured height' },
    },
  },
  storeys: {
    // Null where it is not published, until the build estimates it.
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
      description: 'Level of detail of the model that the shape comes from.',
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
        'How the publisher found the height of the LOD1 solid. `placeholder`: it could not be measured and stands at a ' +
        'uniform 3 m, so that the height is unknown.',
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
      // A body or part that was measured counts before one that was not.
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
        'Where the height comes from. `storeys`: a placeholder (`height_method`) stands 3.6 m for each storey that is published.',
      heading: { ja: '高さの根拠', en: 'Height from' },
    },
  },
  baseSource: {
    kind: 'choice',
    choices: [{ value: 'solid' }, { value: 'lod0' }, { value: 'assumed_zero' }],
    from: 'shape',
    answer: { group: 'quality', name: 'base_source', description: 'Where the height of the ground comes from.' },
  },
  roof: {
    kind: 'choice',
    choices: [
      { value: 'prism', ja: '高さ一定の柱', en: 'a prism of one height' },
      { value: 'surfaces', ja: '屋根の面（LOD2）', en: 'roof surfaces (LOD2)' },
    ],
    from: 'shape',
    answer: {
      group: 'quality',
      name: 'roof',
      description:
        'With which roof the building shades: `surfaces` of LOD2, or the `prism` of its footprint and height. Its own receptors ' +
        'stand on the footprint in both cases.',
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
      description:
        'Share of the shaded minutes in which a roof surface of LOD2 stands before the sun, not a prism; 0 to 1.',
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
        'Which terrain shades the building: `near_and_far`: the ground up to 110 km away; `far`: from 3 km on, where no fine ' +
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
        'How many buildings within 100 m, between representative points, have a height that could not be measured ' +
        '(`height_method: placeholder`). The sun that is given past them is an upper bound.',
      example: 0,
      heading: { ja: '高さ不明の建物（100 m以内）', en: 'Buildings of unknown height within 100 m' },
    },
  },
  doubtfulShape: {
    kind: 'choice',
    choices: [
      { value: false, ja: '立体で表せる', en: 'fits a solid' },
      {
        value: true,
        ja: '塔・鉄塔・煙突などの可能性（立体の影は実際より大きい）',
        en: 'maybe a mast, lattice or chimney, which shades less than its solid',
      },
    ],
    from: 'answer',
    answer: {
      group: 'quality',
      name: 'doubtful_shape',
      description:
        'True where the solid can hardly be what stands there: it is over 8 times as high as the square root of its footprint, or from ' +
        '250 m on over 4.5 times: masts, lattices, chimneys. The shade that it casts, on itself too, is an upper bound.',
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
        'By which class of use (dwelling, hall, other, unknown) and height (low: under 15 m, mid, high: from 60 m on) the ' +
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
      description: 'Mean error of the estimate in this class, storeys: estimated less published ones.',
      unknown: 'the storeys are published, or too few buildings of the class publish theirs to measure it',
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
      { value: 'open', ja: '欠けあり（実際の日照は短い可能性）', en: 'partly missing: the real sun may be less' },
    ],
    from: 'build',
    answer: {
      group: 'quality',
      name: 'surroundings',
      description:
        'Whether the data holds what stands around: `open` where a gap in it begins within 1 km: a grid square ' +
        '(about 1 km) without any building, or land of a town with households and none. What stands there is not known, ' +
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
      description:
        'The year or day in which the building was last surveyed, as published. What was built later is missing.',
      unknown: 'not published',
      example: null,
      heading: { ja: '調査年（月日）', en: 'Surveyed' },
    },
  },
} as const satisfies Record<string, Attribute>;

type Table = typeof ATTRIBUTES;
type Key = keyof Table;
/** The attributes of which a row has this. */
type KeysWith<Part> = { [K in Key]: Table[K] extends Part ? K : never }[Key];

export type PublishedKey = KeysWith<{ from: object }>;
/** Attributes that the reader gives. */
export type ModelKey = PublishedKey | KeysWith<{ from: 'shape' }>;
type AnsweredKey = KeysWith<{ answer: object }>;
/** Attributes that a record keeps. */
type RecordKey = Exclude<AnsweredKey, KeysWith<{ from: 'answer' }>>;

export type KindOf<K extends Key> = Table[K]['kind'];

/** The type of an attribute where it is known. */
type Known<K extends Key> = Table[K] extends { choices: readonly { value: infer Value }[] }
  ? Value
  : Table[K] extends { kind: 'number' | 'count' }
    ? number
    : string;

/** What the city model says of a building. */
export type ModelAttributes = { [K in ModelKey]: K extends PublishedKey ? Known<K> | null : Known<K> };

type Answer<K extends Key> = Table[K] extends { answer: { unknown: string } } ? Known<K> | null : Known<K>;
/** What a record keeps of a building. */
export type RecordAttributes = { [K in RecordKey]: Answer<K> };
/** What is answered of a building, by the keys of the table. */
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
/** Those that the city model states. */
export const PUBLISHED = ROWS.filter((row): row is PublishedRow => typeof row.from === 'object');
/** Those that the reader gives. */
export const OF_MODEL = ROWS.filter(
  (row): row is AttributeRow<ModelKey> => typeof row.from === 'object' || row.from === 'shape',
);
/** Those that are answered, in order. */
export const ANSWERED = ROWS.filter(
  (row): row is AttributeRow<AnsweredKey, Attribute['from'], Answered> => row.answer !== null,
);
/** Those that a record keeps. */
export const OF_RECORD = ANSWERED.filter(
  (row): row is AttributeRow<RecordKey, Attribute['from'], Answered> => row.from !== 'answer',
);

/** Which of two values counts; null where neither is known. */
export function ofTwo<Value extends AttributeValue>(rule: Published['ofSeveral'], a: Value | null, b: Value | null) {
  if (a === null || b === null) return a ?? b;
  return rule !== 'first' && b > a ? b : a;
}
