/** What a dataset has that can be searched. */
interface Searched {
  sunlight: { counts: Record<string, number> } | null;
  kaigo: unknown;
}

const lacksTowns = ({ counts }: { counts: Record<string, number> }): boolean => counts.towns === 0;

const ja = {
  name: '陽だまり',
  tagline: (inTokyo: boolean, { sunlight, kaigo }: { sunlight: unknown; kaigo: unknown }) => {
    const sun = sunlight === null ? [] : [`${inTokyo ? '東京の' : ''}建物の日当たり`];
    return [...sun, ...(kaigo === null ? [] : ['介護施設の比較'])].join('と、');
  },
  skip: '本文へ',
  menu: 'メニュー',
  map: '地図',
  sunlight: '日当たり',
  kaigo: '介護施設',
  docs: 'API',
  files: 'データ',
  about: 'このサイト',
  method: '計算方法',
  pricing: '料金',
  terms: '利用条件とプライバシー',
  status: '稼働状況',
  searchLabel: ({ sunlight, kaigo }: Searched) =>
    sunlight === null
      ? '市区町村・施設名'
      : `${lacksTowns(sunlight) ? '市区町村' : '住所・町名'}・建物ID${kaigo === null ? '' : '・施設名'}`,
  /** The label in short, which fits into the field of a phone. */
  searchHint: ({ sunlight, kaigo }: Searched): string => {
    if (sunlight === null) return '市・施設名';
    if (lacksTowns(sunlight)) return kaigo === null ? '市区・建物ID' : '市区・施設名';
    return kaigo === null ? '町名・住所' : '町名・施設名';
  },
  search: '探す',
  otherLanguage: 'English',
  home: 'トップ',
  dataUndated: '日付は出典に記載なし',
  labelled: (label: string, value: string) => `${label}：${value}`,
  builtOn: (date: string) => `データの作成日：${date}。`,
  credit: '出典とその日付：',
  address: 'このページ：',
  license: 'データのライセンス：',
  licenseName: 'クリエイティブ・コモンズ 表示 4.0（CC BY 4.0）',
  asJson: 'このページのJSON',
  unknown: '不明',
  list: (items: readonly string[]) => items.join('・'),
  apart: (name: string, by: string) => `${name}（${by}）`,
  near: (name: string) => `${name}の近く`,
  fromStation: (station: string, direction: string, metres: number) => `${station}駅の${direction}${metres} m`,
  fromTo: (first: string, last: string) => `${first}〜${last}`,
  /** Sentences one after the other. */
  sentences: (...sentences: readonly string[]) => sentences.join(''),
  hours: '時間',
  hoursUnit: (hours: number) => `${hours.toFixed(1)}時間`,
  hoursExact: (hours: number) => `${hours.toFixed(2)}時間`,
  metres: (metres: number) => `${metres} m`,
  pageOf: (page: number, count: number) => `${count}ページ中${page}ページ目`,
  previous: '前のページ',
  next: '次のページ',
  firstPage: '最初のページから見る',
  renewed: (date: string) =>
    `一覧を見ている間に、データが${date}作成のものに更新されました。順番や件数が変わっていることがあります。`,
  month: (month: number) => `${month}月`,
  day: (month: string, day: number) => `${month}${day}日`,
  date: (year: number, day: string) => `${year}年${day}`,
  faces: { N: '北', NE: '北東', E: '東', SE: '南東', S: '南', SW: '南西', W: '西', NW: '北西' } as Record<
    string,
    string
  >,
  floor: (floor: number | string) => `${floor}階`,
  saved: {
    saveFlat: 'この部屋を保存',
    flatKept: '✓ 保存した部屋（押すと取り消す）',
    saveHome: 'この施設を保存',
    homeKept: '✓ 保存した施設（押すと取り消す）',
    flats: '保存した部屋',
    december: (hours: string) => `12月15日 ${hours}時間（保存した時）`,
    homes: '保存した施設',
    count: (count: string) => `保存 ${count}`,
    compare: '選んだものを比べる',
    compareKept: (count: string) => `保存した${count}件を比べる`,
    remove: '保存を取り消す',
    removed: (name: string) => `「${name}」の保存を取り消しました。`,
    undo: '元に戻す',
    where: 'この端末の中だけに保存されます。',
  },
  takeOut: 'この比較から外す',
  takenOut: (name: string) => `「${name}」を比較から外しました。`,
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
  files: 'Data',
  about: 'About',
  method: 'Method',
  pricing: 'Pricing',
  terms: 'Terms and privacy',
  status: 'Status',
  searchLabel: ({ sunlight, kaigo }) =>
    sunlight === null
      ? 'Municipality, care home'
      : `${lacksTowns(sunlight) ? 'Municipality' : 'Town, address'}, building ID${kaigo === null ? '' : ', care home'}`,
  searchHint: () => 'Place',
  search: 'Search',
  otherLanguage: '日本語',
  home: 'Home',
  dataUndated: 'no date given',
  builtOn: (date) => `This data was built on ${date}.`,
  credit: 'Sources and their dates:',
  labelled: (label, value) => `${label}: ${value}`,
  address: 'This page: ',
  license: 'Licence of the data: ',
  licenseName: 'Creative Commons Attribution 4.0 (CC BY 4.0)',
  asJson: 'This page as JSON',
  unknown: 'unknown',
  list: (items) => items.join(', '),
  apart: (name, by) => `${name}, ${by}`,
  near: (name) => `near ${name}`,
  fromStation: (station, direction, metres) => `${metres} m ${direction} of ${station} station`,
  fromTo: (first, last) => `${first} to ${last}`,
  sentences: (...sentences) => sentences.join(' '),
  hours: 'hours',
  hoursUnit: (hours) => `${hours.toFixed(1)} h`,
  hoursExact: (hours) => `${hours.toFixed(2)} h`,
  metres: (metres) => `${metres} m`,
  pageOf: (page, count) => `Page ${page} of ${count}`,
  previous: 'Previous page',
  next: 'Next page',
  firstPage: 'Start again from the first page',
  renewed: (date) =>
    `The data was replaced while you read this list: it is now that built on ${date}. The order and the number of entries may have changed.`,
  month: (month) => ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][month - 1],
  day: (month, day) => `${day} ${month}`,
  date: (year, day) => `${day} ${year}`,
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
  saved: {
    saveFlat: 'Save this flat',
    flatKept: '✓ Saved (press to undo)',
    saveHome: 'Save this home',
    homeKept: '✓ Saved (press to undo)',
    flats: 'Saved flats',
    december: (hours) => `${hours} h on 15 Dec (when saved)`,
    homes: 'Saved homes',
    count: (count) => `Saved ${count}`,
    compare: 'Compare selected',
    compareKept: (count) => `Compare ${count} saved`,
    remove: 'Remove from saved',
    removed: (name) => `Removed “${name}” from saved.`,
    undo: 'Undo',
    where: 'Saved on this device only.',
  },
  takeOut: 'Take out of this comparison',
  takenOut: (name) => `Took “${name}” out of the comparison.`,
};

/** The page frame and words that every page uses. */
export const frame = { ja, en };
