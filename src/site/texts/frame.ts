const ja = {
  name: '陽だまり',
  tagline: (inTokyo: boolean, { sunlight, kaigo }: { sunlight: unknown; kaigo: unknown }) => {
    const sun = sunlight === null ? [] : [`${inTokyo ? '東京の' : ''}建物の日当たり`];
    return [...sun, ...(kaigo === null ? [] : ['介護施設の比較'])].join('と、');
  },
  skip: '本文へ',
  menu: '案内',
  map: '地図',
  sunlight: '日当たり',
  kaigo: '介護施設',
  docs: 'API',
  about: 'このサイト',
  method: '計算方法',
  pricing: '料金',
  terms: '利用条件とプライバシー',
  status: '稼働状況',
  searchLabel: ({ sunlight, kaigo }: { sunlight: unknown; kaigo: unknown }) =>
    sunlight === null ? '市区町村・施設名' : `住所・町名・建物ID${kaigo === null ? '' : '・施設名'}`,
  search: 'さがす',
  otherLanguage: 'English',
  home: 'トップ',
  dataUndated: '日付は出典に記載なし',
  builtOn: (date: string) => `このデータは ${date} に作成しました。`,
  credit: '出典とその日付',
  address: 'このページ',
  license: 'データのライセンス',
  licenseName: 'クリエイティブ・コモンズ 表示 4.0（CC BY 4.0）',
  asJson: 'このページのJSON',
  unknown: '不明',
  none: '該当なし',
  list: (items: readonly string[]) => items.join('・'),
  hours: '時間',
  hoursUnit: (hours: number) => `${hours.toFixed(1)}時間`,
  hoursExact: (hours: number) => `${hours.toFixed(2)}時間`,
  metres: (metres: number) => `${metres} m`,
  pageOf: (page: number, count: number) => `${count}ページ中${page}ページ目`,
  previous: '前のページ',
  next: '次のページ',
  firstPage: '最初のページから見る',
  renewed: (date: string) =>
    `一覧を見ているあいだにデータが更新されました。このページは ${date} 作成の新しいデータです。順番や件数が変わっていることがあります。`,
  month: (month: number) => `${month}月`,
  faces: { N: '北', NE: '北東', E: '東', SE: '南東', S: '南', SW: '南西', W: '西', NW: '北西' } as Record<
    string,
    string
  >,
  floor: (floor: number) => `${floor}階`,
};

const en: typeof ja = {
  name: 'Hidamari',
  tagline: (inTokyo, { sunlight, kaigo }) => {
    const sun = `The sun on ${inTokyo ? "Tokyo's " : ''}buildings`;
    if (sunlight === null) return 'Care homes compared';
    return kaigo === null ? sun : `${sun}, and care homes compared`;
  },
  skip: 'Skip to content',
  menu: 'Menu',
  map: 'Map',
  sunlight: 'Sunlight',
  kaigo: 'Care homes',
  docs: 'API',
  about: 'About',
  method: 'Method',
  pricing: 'Pricing',
  terms: 'Terms and privacy',
  status: 'Status',
  searchLabel: ({ sunlight, kaigo }) =>
    sunlight === null ? 'Municipality, care home' : `Address, town, building ID${kaigo === null ? '' : ', care home'}`,
  search: 'Search',
  otherLanguage: '日本語',
  home: 'Home',
  dataUndated: 'no date stated',
  builtOn: (date) => `This data was built on ${date}.`,
  credit: 'Sources and their dates',
  address: 'This page',
  license: 'Licence of the data',
  licenseName: 'Creative Commons Attribution 4.0 (CC BY 4.0)',
  asJson: 'This page as JSON',
  unknown: 'unknown',
  none: 'none',
  list: (items) => items.join(', '),
  hours: 'hours',
  hoursUnit: (hours) => `${hours.toFixed(1)} h`,
  hoursExact: (hours) => `${hours.toFixed(2)} h`,
  metres: (metres) => `${metres} m`,
  pageOf: (page, count) => `Page ${page} of ${count}`,
  previous: 'Previous page',
  next: 'Next page',
  firstPage: 'Begin again at the first page',
  renewed: (date) =>
    `The data has been replaced since you began this list. This page is of the data built on ${date}: order and number may differ.`,
  month: (month) => ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][month - 1],
  faces: {
    N: 'north',
    NE: 'north-east',
    E: 'east',
    SE: 'south-east',
    S: 'south',
    SW: 'south-west',
    W: 'west',
    NW: 'north-west',
  },
  floor: (floor) => `floor ${floor}`,
};

/** The page frame and words that every page uses. */
export const frame = { ja, en };
