import { OPERATIONS } from '../../contract/operations.ts';
import { problems } from './problems.ts';

/** Which halves of the data a server has. */
interface Loaded {
  sunlight: boolean;
  kaigo: boolean;
}

const ja = {
  ...problems.ja,
  homeTitle: '部屋に、いつ日が当たるか',
  homeDescription: (inTokyo: boolean, { sunlight, kaigo }: Loaded) =>
    `${[
      ...(sunlight ? [`${inTokyo ? '東京の' : ''}建物の日当たりを階・面・月ごとに`] : []),
      ...(kaigo ? ['介護施設の費用と人員を条件ごとに'] : []),
    ].join('、')}。公表データから計算し、根拠も示します。`,
  homeExamples: '例',
  homeIs: 'できること',
  homeSunItems: (inTokyo: boolean) => [
    `${inTokyo ? '東京の' : ''}建物の、階と壁の向きごとの直射日光の時間と時刻（各月15日、晴天）`,
    '日を遮る建物と、その割合',
  ],
  homeCareItems: ['介護施設の、月額費用・人員・部屋の比較'],
  homeNot: '含まないもの',
  homeNotSun: ['樹木・バルコニー・庇・天気・屋根の日当たり', 'データの日付より後に建った建物'],
  homeNotCare: ['費用のうち公表されていないもの。各施設にご確認ください'],
  careTitle: '介護施設の費用と人員を比べる',
  exampleBuilding: (town: string) => `${town}の高い建物`,
  exampleTown: (town: string) => `${town}の日当たり`,
  exampleCare: (place: string, service: string) => `${place}の${service}`,
  openMap: '地図をひらく',
  browseTowns: '区と町の一覧',
  browseCare: '介護施設をさがす',
  searchTitle: 'さがす',
  searchFor: (q: string) => `「${q}」の検索結果`,
  searchEmpty: (what: string) => `${what}と、そのよみで検索できます。`,
  searchNone:
    '見つかりませんでした。番地を省いた町名、そのよみ（ひらがな・ローマ字）、施設名の一部でお試しください。駅名では探せません。',
  searchIgnored: (words: string) => `「${words}」を除いて見つかったもの（駅名やお店の名前では探せません）：`,
  searchElse: 'または、一覧や地図から：',
  searchKinds: {
    building: '建物',
    town: '町',
    facility: '介護施設',
    municipality: '市区町村',
    address: '住所',
  } as Record<string, string>,
  problemsTitle: 'エラーの種類',
  problemsLead: 'APIとページが返すエラー（RFC 9457）の一覧です。',
  kind: '種類',
  status: '状態コード',
  when: 'どんなとき',
  remedy: 'どうするか',
  details: '詳細',
  aboutProblem: 'このエラーについて',
  toBuilding: (id: string) => `建物 ${id} のページ`,
  withoutWrong: '同じページを、その値なしでひらく',
  statusTitle: '稼働状況',
  statusGood: '正常に動いています。',
  statusDamaged: '動いていますが、データの一部に傷みが見つかりました。傷みのある答えは返しません（503）。',
  statusDraining: 'まもなく停止または入れ替えます。少し待ってから読み直してください。',
  statusData: 'データ',
  statusBuilt: '作成日',
  statusDataset: 'データセット',
  statusSunlight: '日当たりの出典と日付',
  statusCare: '介護施設の出典と日付',
  statusNotLoaded: 'このサーバーにはありません。',
  statusInterface: 'API v1 の約束',
  statusPromise:
    'あるパス・引数・項目は、意味・単位・型とともに残ります。終えるときは Deprecation と Sunset のヘッダーで、少なくとも半年前に知らせます。新しい項目は随時加わります。',
  statusNothingEnds: '終了の予定があるものはありません。',
  statusEnds: (day: string) => `${day} に終了`,
  statusMore: 'ほかに',
  statusFeed: '更新のお知らせ（Atom）',
  pricingTitle: '料金',
  pricingFree: '課金はしていません。すべての呼び出しは無料です。呼び出しごとの単位数だけを数えます。',
  howToPay: '支払い方法',
  pricingPaid: (price: string) => `APIの呼び出しは1回ごとに x402 で支払います。1単位 ${price}。ページは無料です。`,
  operation: '操作',
  operationNames: {
    'sunlight-building': '建物1棟の日当たりの要約',
    'sunlight-buildings': '建物50棟までの日当たりの要約',
    'sunlight-building-full': '建物1棟の、面・階・月ごとの日当たり',
    'sunlight-building-floor': '建物の好きな階の日当たり（その場で計算）',
    'sunlight-building-sky': '壁と階から見た空（その場で計算）',
    'sunlight-near': '地点のまわりの建物',
    'sunlight-town-buildings': '町の建物（ページごと）',
    'sunlight-building-geojson': '建物1棟（GeoJSON）',
    'sunlight-near-geojson': '地点のまわりの建物（GeoJSON）',
    'sunlight-town-geojson': '町の建物（GeoJSON、ページごと）',
    'sunlight-point': '好きな地点と高さの日当たり',
    'sunlight-bulk': '区の全ての結果（Parquet）',
    'kaigo-facility': '介護施設1つの全て',
    'kaigo-municipality': '市区町村とサービスごとの比較',
    'kaigo-near': '地点のまわりの介護施設',
    'kaigo-bulk': '都道府県の全ての施設（Parquet）',
    search: '名前・よみ・住所・番号から場所を探す',
  } as Record<string, string>,
  path: 'パス',
  units: '単位',
  price: '料金',
  free: '無料',
  docsTitle: 'API',
  docsDescription: '同じ答えをプログラムから。鍵は不要、1分20回まで。OpenAPI 3.1。',
  docsLead: 'このサイトの値は、すべて同じAPIから取れます。鍵は要りません。',
  docsFirst: 'はじめの呼び出し',
  docsFirstText: '次のアドレスを開くと、JSONが返ります。',
  docsTry: '試してみる',
  docsTryText: '操作を選んで値を入れると、このページから呼び出します（1分20回の制限に数えます）。',
  docsSend: '呼び出す',
  docsAnswer: '答え',
  docsOperations: '操作の一覧',
  docsDownloads: 'まとめて取る',
  docsDownloadsText: '区・県ごとの Parquet と、町・市区町村の一覧があります。',
  docsLimits: '制限',
  docsLimitsText:
    '1つの接続元につき1分20回まで。超えると 429 と Retry-After を返します。ページと図はこの数に入りません。',
  docsAgents: 'AIエージェント',
  docsAgentsText:
    'AIアシスタントは、このサーバーを自分で呼べます（Model Context Protocol。運営者が止めていないかぎり）。加えかたは次のとおりです。',
  docsConnector: '設定で「カスタムコネクタ」にこのURLを入れる',
  docsAgentsMore:
    'どのページも、アドレスの後ろに index.json を付けるとJSONになります。操作の一覧は次の文書にもあります。',
  methodTitle: '計算方法',
  methodDescription: '日照時間をどう計算したか、何を含まないか、どこまで正しいか。',
  methodSections: [
    [
      '何を計算したか',
      '各月15日について、壁の前に置いた測定点に太陽の中心が見える時間を計算しました。基準年は2026年、時刻は日本標準時です。',
    ],
    [
      '測定点',
      '壁は向きで8つの面に分け、面の長さ5 mごとに1点、最大8点を、壁から5 cm・床から最大1.5 mの高さに置きます。時間は面の測定点の平均、時間帯は半分以上に当たる区間です。',
    ],
    ['遮るもの', '20 kmまでの全ての建物と、自分の建物の他の壁を見ます。建物は平らな屋根の柱として扱います。'],
    ['含まないもの', '樹木、バルコニー、庇、天気、地形、地球の丸み。データの日付より後に建った建物。'],
    [
      'どこまで正しいか',
      '光線を1分ごとに追う独立の計算と比べて検証しています。手順と数値は、プログラムに付属の説明書（docs/method.md）にあります。',
    ],
    ['証明にはなりません', '日影規制や建築確認の証明には使えません。'],
    [
      '介護の費用',
      '公表された単位数・地域区分・処遇改善率と、食費・居住費の公表額または基準額から、30日分（訪問・通所は月の回数分）の利用者負担を計算します。含まないものは各表に示します。',
    ],
  ] as [string, string][],
  aboutTitle: 'このサイトについて',
  aboutDescription: '陽だまりは、公表データから日当たりと介護施設の比較を作る、開かれたプログラムです。',
  aboutSections: [
    [
      '何のためのものか',
      '住まいや介護施設を選ぶ前に知りたいことを、2つの公表データから答えます。だれでも同じプログラムを動かし、同じ答えを確かめられます。',
    ],
    ['中立', '広告も、紹介料も、順位付けの取引もありません。施設の並び順は、選んだ列の値だけで決まります。'],
    ['誤りを見つけたら', '値の根拠は各ページとJSONにあります。もとの公表データの誤りは、公表元にお知らせください。'],
  ] as [string, string][],
  aboutData: (used: { city: boolean; towns: boolean; readings: boolean; care: boolean }): [string, string] => {
    const sources = [
      used.city && '国土交通省 Project PLATEAU の3D都市モデル',
      used.towns && '国勢調査の小地域',
      used.readings && '郵便番号データ',
      used.care && '厚生労働省の介護サービス情報公表システム',
    ];
    return ['データ', `${sources.filter(Boolean).join('、')}を加工しています。`];
  },
  termsTitle: '利用条件とプライバシー',
  termsDescription: '何を記録し、何を記録しないか。データはCC BY 4.0。',
  termsSections: [
    [
      'データの利用',
      '答えはクリエイティブ・コモンズ 表示 4.0 で使えます。各ページの下にある出典を書き添えてください。',
    ],
    [
      '保証',
      '値は公表データからの計算であり、実際と異なることがあります。契約や建築の判断は、現地と専門家に確かめてください。法的な証明にはなりません。',
    ],
    [
      '記録するもの',
      '時刻、開いたページやAPIの種類とリクエストの番号、結果、かかった時間と量、接続元のネットワーク（IPv4は24ビット、IPv6は48ビットまで）。APIキーを使うときはその識別子、支払いがあるときは支払元と金額と取引も記録します。運営者が調べもののために詳しい記録を入れている間は、下の「記録しないもの」を含まないアドレスも残ります。回数を数えるための接続元のアドレスはメモリーだけに置き、記録しません。',
    ],
    ['記録しないもの', '検索の言葉、位置、介護の条件、比べている建物や施設。クッキーはありません。'],
    ['位置情報', '「現在地」は押したときだけ端末が尋ねます。位置は保存されません。'],
  ] as [string, string][],
  termsNobodyElse: ['ほかの会社への通信', 'ありません。ページも地図も、このサーバーだけから読み込みます。'] as [
    string,
    string,
  ],
  termsBaseMap: (host: string): [string, string] => [
    'ほかの会社への通信',
    `地図のページだけ、下地の地図を ${host} から読み込みます。見ている場所と接続元がそこに伝わります。`,
  ],
  notLoaded: {
    sunlight: 'このサーバーには日当たりのデータがありません。',
    kaigo: 'このサーバーには介護施設のデータがありません。',
    search: 'このサーバーでは検索できません。',
  } as Record<string, string>,
};

const en: typeof ja = {
  ...problems.en,
  homeTitle: 'When does the sun reach the room',
  homeDescription: (inTokyo, { sunlight, kaigo }) =>
    `${[
      ...(sunlight ? [`Direct sun on ${inTokyo ? "Tokyo's " : ''}buildings by floor, wall and month`] : []),
      ...(kaigo ? [`${sunlight ? 'care' : 'Care'} homes by cost and staff`] : []),
    ].join(', and ')}: computed from public records, with their grounds.`,
  homeExamples: 'Examples',
  homeIs: 'What it tells',
  homeSunItems: (inTokyo: boolean) => [
    `Hours and times of direct sun on each floor and wall of a building${inTokyo ? ' in Tokyo' : ''} (15th of each month, clear sky)`,
    'Which buildings take the sun, and how much of it',
  ],
  homeCareItems: ['What care homes cost a month, how they are staffed, and their rooms'],
  homeNot: 'What it leaves out',
  homeNotSun: ['Trees, balconies, eaves, weather, sun on roofs', 'Buildings finished after the date of the data'],
  homeNotCare: ['Costs that are not published: ask the home'],
  careTitle: 'Care homes by cost and staff',
  exampleBuilding: (town) => `A tall building in ${town}`,
  exampleTown: (town) => `Sunlight in ${town}`,
  exampleCare: (place, service) => `${service} in ${place}`,
  openMap: 'Open the map',
  browseTowns: 'Wards and towns',
  browseCare: 'Find care homes',
  searchTitle: 'Search',
  searchFor: (q) => `Results for “${q}”`,
  searchEmpty: (what) => `Search for: ${what[0]?.toLowerCase()}${what.slice(1)}, also by reading.`,
  searchNone:
    'Nothing was found. Try the name of a town without its house number, its reading (kanda), or part of the name of a care home. Stations are not in the data.',
  searchIgnored: (words: string) => `Found without “${words}” (stations and shops are not in the data):`,
  searchElse: 'Or start from a list or the map:',
  searchKinds: {
    building: 'building',
    town: 'town',
    facility: 'care home',
    municipality: 'municipality',
    address: 'address',
  },
  problemsTitle: 'Kinds of problems',
  problemsLead: 'What the API and the pages answer when something is wrong (RFC 9457).',
  kind: 'Kind',
  status: 'Status',
  when: 'When',
  remedy: 'What to do',
  details: 'Details',
  aboutProblem: 'About this problem',
  toBuilding: (id) => `The page of building ${id}`,
  withoutWrong: 'The same page without that value',
  statusTitle: 'Status',
  statusGood: 'Everything is in order.',
  statusDamaged: 'It is running, but part of the data is damaged. What is damaged is not given out (503).',
  statusDraining: 'It is about to stop or to be replaced. Wait a moment and load the page again.',
  statusData: 'Data',
  statusBuilt: 'Built on',
  statusDataset: 'Dataset',
  statusSunlight: 'Sources of the sunlight half, with their dates',
  statusCare: 'Sources of the care half, with their dates',
  statusNotLoaded: 'Not on this server.',
  statusInterface: 'What is promised of API v1',
  statusPromise:
    'A path, a parameter or a member that is there stays, with its meaning, unit and type. What has to go is announced by the headers Deprecation and Sunset, half a year ahead at least. New members may come at any time.',
  statusNothingEnds: 'Nothing is due to end.',
  statusEnds: (day: string) => `ends on ${day}`,
  statusMore: 'More',
  statusFeed: 'Feed of changes (Atom)',
  pricingTitle: 'Pricing',
  pricingFree: 'Billing is off: every call is free. Calls are counted in cost units all the same.',
  howToPay: 'How to pay',
  pricingPaid: (price) => `Calls of the API are paid one by one with x402, ${price} a cost unit. Pages are free.`,
  operation: 'Operation',
  operationNames: Object.fromEntries(
    OPERATIONS.filter(({ path }) => path.startsWith('/api/')).map(({ id, summary }) => [id, summary]),
  ),
  path: 'Path',
  units: 'Units',
  price: 'Price',
  free: 'free',
  docsTitle: 'API',
  docsDescription: 'The same answers for programs: no key, 20 calls a minute, OpenAPI 3.1.',
  docsLead: 'Every value of this site comes from one API. No key is needed.',
  docsFirst: 'A first call',
  docsFirstText: 'Open this address, and JSON comes back.',
  docsTry: 'Try it',
  docsTryText: 'Choose an operation, fill in its values, and this page calls it (it counts towards the 20 a minute).',
  docsSend: 'Call',
  docsAnswer: 'Answer',
  docsOperations: 'Operations',
  docsDownloads: 'All at once',
  docsDownloadsText: 'There are Parquet files by ward and prefecture, and lists of towns and municipalities.',
  docsLimits: 'Limits',
  docsLimitsText: '20 calls a minute for each client; beyond it 429 with Retry-After. Pages and charts do not count.',
  docsAgents: 'Agents',
  docsAgentsText:
    'Assistants can call this server themselves (Model Context Protocol), unless its operator has switched that off. How it is added:',
  docsConnector: 'in the settings, a custom connector with this URL',
  docsAgentsMore:
    'Every page is JSON at its address with index.json behind it. The operations stand in these texts, too:',
  methodTitle: 'Method',
  methodDescription: 'How hours of sun are computed, what is left out, and how far they can be trusted.',
  methodSections: [
    [
      'What is computed',
      'For the 15th of each month, the time for which the centre of the sun is seen from measuring points in front of the walls. The year is 2026; times are Japan Standard Time.',
    ],
    [
      'Measuring points',
      'Walls are sorted into eight directions. Each has a point for every 5 m of wall, at most eight, 5 cm in front of it and up to 1.5 m above the floor. Hours are the mean of the points; windows are when half of them or more are lit.',
    ],
    [
      'What shades',
      'Every building within 20 km, and the other walls of the building itself. Buildings are prisms with flat roofs.',
    ],
    [
      'What is left out',
      'Trees, balconies, eaves, weather, terrain, the curve of the Earth, and buildings finished after the date of the data.',
    ],
    [
      'How far to trust it',
      'It is judged by an independent computation that follows a ray each minute. The procedure and its figures are in docs/method.md, which comes with the program.',
    ],
    ['No legal proof', 'The figures prove nothing under shadow rules or building law.'],
    [
      'Costs of care',
      "A resident's share for 30 days (for visits and day services, a month's number of them), from published units, area grades and treatment rates, and the published or standard fees for food and room. Each table says what it leaves out.",
    ],
  ],
  aboutTitle: 'About',
  aboutDescription: 'Hidamari is an open program that turns public records into answers about sun and care homes.',
  aboutSections: [
    [
      'What it is for',
      'It answers, from two public records, what people want to know before they choose a home or a care home. Anybody can run the program and check the answers.',
    ],
    [
      'Neutral',
      'No advertisements, no commissions, no paid ranks. Tables are ordered by the column you choose and nothing else.',
    ],
    [
      'If you find an error',
      'Every page and its JSON name their grounds. Errors of the public records themselves are mended by those who publish them.',
    ],
  ],
  aboutData: (used) => {
    const sources = [
      used.city && 'the 3D city models of Project PLATEAU',
      used.towns && "the census's small areas",
      used.readings && 'the postal towns',
      used.care && "the ministry's care-service information",
    ];
    return ['Data', `Processed from ${new Intl.ListFormat('en').format(sources.filter((one) => one !== false))}.`];
  },
  termsTitle: 'Terms and privacy',
  termsDescription: 'What is kept and what is not. The data is CC BY 4.0.',
  termsSections: [
    [
      'Use of the data',
      'Answers may be used under Creative Commons Attribution 4.0. Print the credit that stands below each page.',
    ],
    [
      'No warranty',
      'Values are computed from public records and can differ from what is there. Check on the spot and with experts before you sign or build. They are no legal proof.',
    ],
    [
      'What is kept',
      'Time, kind of page or call and the number of the request, outcome, duration and size, and the network of the client (24 bits of IPv4, 48 bits of IPv6); with an API key its ID, with a payment its payer, amount and transaction. While the operator has switched on a detailed log to look into something, addresses of pages are kept too, but none that holds what is named below. Whole addresses of clients are held in memory to count calls, and are not kept.',
    ],
    [
      'What is not kept',
      'Words of a search, positions, the case of a family, which buildings or homes are compared. There are no cookies.',
    ],
    [
      'Position',
      'Your device asks before it tells where you are, and only when you press the button. The position is not kept.',
    ],
  ],
  termsNobodyElse: ['Third parties', 'None: pages and map are loaded from this server alone.'],
  termsBaseMap: (host) => [
    'Third parties',
    `The page of the map alone loads the map below ours from ${host}, which learns what place you look at and from where.`,
  ],
  notLoaded: {
    sunlight: 'This server has no data on sunlight.',
    kaigo: 'This server has no data on care homes.',
    search: 'This server has no search.',
  },
};

/** Landing, search, documentation and the pages of prose; of problems, `problems.ts`. */
export const prose = { ja, en };
