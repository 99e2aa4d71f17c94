import { PROBLEM_KINDS, PROBLEM_NAMES } from '../../contract/problems.ts';

const ja = {
  parameterNames: {
    floor: '階',
    face: '面',
    month: '月',
    receptor: '測定点',
    page: 'ページ',
    dataset_id: 'データの番号',
    sort: '並べ順',
    care_level: '要介護度',
    copayment: '自己負担（%）',
    income: '所得の段階',
    room: '部屋',
    max_yen: '軽減・払い戻し後の上限（円）',
    min_capacity: '定員',
    open_on: '営業日',
    name: '名前の一部',
    q: '検索の言葉',
    clock: '時刻（0時からの分）',
    lat: '緯度',
    lon: '経度',
    b: '建物ID',
    f: '事業所番号',
  } as Record<string, string>,
  wrongValue: (name: string, value: string) => `${name}「${value}」は使えません。`,
  oneOf: (words: string) => `次のどれかにしてください：${words}`,
  between: (low: number, high: number) => `${low}から${high}までの数にしてください。`,
  forExample: (example: string) => `例：${example}`,
  noPageAt: (path: string) => `${path} というページはありません。`,
  noKind: (name: string) => `「${name}」という種類はありません。`,
  meant: 'もしかして：',
  notFoundTitle: 'ページが見つかりません',
  notFoundHelp: '名前や番号が変わったか、入力に誤りがあるかもしれません。検索するか、下の入り口からお進みください。',
  problemTitles: {
    'invalid-parameter': '入力に誤りがあります',
    'invalid-credentials': '認証情報が正しくありません',
    'payment-required': '支払いが必要です',
    'not-found': '見つかりません',
    'method-not-allowed': 'この方法では受け付けていません',
    'rate-limited': 'アクセスが多すぎます',
    'internal-error': 'サーバーの不具合です',
    'range-not-satisfiable': '指定された範囲がありません',
    'not-implemented': 'この機能は提供していません',
    unavailable: '一時的に利用できません',
  } as Record<string, string>,
  problemHelp: {
    'invalid-parameter': '値を直して、もう一度お試しください。',
    'invalid-credentials': '正しいキーを送るか、認証情報を付けずにお試しください。キーは不要です。',
    'payment-required': '料金のページをご覧ください。',
    'not-found': '番号や名前をご確認のうえ、検索してください。',
    'method-not-allowed': 'GET・HEAD・OPTIONS だけを受け付けます。',
    'rate-limited': '1分ほど待ってから、もう一度お試しください。',
    'internal-error': '時間をおいてお試しください。続く場合は要求のIDとともにお知らせください。',
    'range-not-satisfiable': '範囲はファイルの長さの内側で指定してください。',
    'not-implemented': '他の機能をご利用ください。',
    unavailable: '時間をおいて、もう一度お試しください。',
  } as Record<string, string>,
  problemWhen: {
    'invalid-parameter':
      'パスや検索条件の値が、足りない、空、重複、知らない名前、型違い、範囲外、書式違いのとき。アドレスの%符号が正しくないとき、HTTPとして読めないとき。支払いの要る呼び出しで `PAYMENT-SIGNATURE` が支払いでないとき。',
    'invalid-credentials':
      '`Authorization` ヘッダーを確かめられないとき。ダウンロードのアドレスの署名が正しくないか、期限が切れているとき。',
    'payment-required':
      '課金が有効で、支払いがないか成り立たないとき。理由は `detail` にあります。存在しないものには求めません。',
    'not-found': 'そのような道筋・建物・町・区・施設・市区町村がないとき。一覧にそのページがないとき。',
    'method-not-allowed': 'GET・HEAD・OPTIONS 以外の方法のとき。このサービスは読み取り専用です。',
    'rate-limited':
      'この1分の回数を使い切ったとき（`/api/` の下はすべて数えます）。または、APIキーの1日の単位を使い切ったか、残りが足りないとき。',
    'internal-error': 'サービスの不具合です。要求に誤りはありません。',
    'range-not-satisfiable': 'ファイルの終わりより後ろのバイト範囲を求めたとき。',
    'not-implemented': '約束にある操作ですが、このサーバーでは提供していないとき。',
    unavailable:
      'このサーバーにその種類のデータがないとき、停止しかけているとき、混み合っているとき、必要とする他のサービスが止まっているとき。',
  } as Record<string, string>,
  problemRemedy: {
    'invalid-parameter':
      '`errors` に、誤りのある値の名前と正しい形がすべて並びます。直してから送り直してください。そのまま繰り返しても同じ答えです。',
    'invalid-credentials':
      '正しいキーを `Authorization: Bearer <key>` で送るか、ヘッダーを外してください。キーは不要です。ダウンロードは、一括の操作で新しいアドレスを受け取ってください。',
    'payment-required':
      '`payment_methods` のどれかで支払い、もう一度送ってください。料金は `pricing_url` にあります。x402 の利用者は `PAYMENT-REQUIRED` でも同じことがわかります。',
    'not-found':
      'パスと番号をお確かめください。番号は `/sunlight/towns.json` と `/kaigo/municipalities.json`、`near` の操作でわかります。ページの数は `page_count` です。',
    'method-not-allowed': '`Allow` ヘッダーにある方法を使ってください。',
    'rate-limited': '`Retry-After` の秒数だけ待ってください。残りの回数は、どの答えにも付く `RateLimit` でわかります。',
    'internal-error': '時間をおいてお試しください。続くときは、答えの `X-Request-Id` を添えてお知らせください。',
    'range-not-satisfiable':
      'ファイルの長さは `Content-Range` にあります。その内側を求めるか、`Range` を外してください。',
    'not-implemented': '他の操作をお使いください。`near` で、地点のまわりの建物の値がわかります。',
    unavailable:
      '`Retry-After` の秒数だけ待って、もう一度お試しください。支払いを添えたときは、同じものを添えてください。',
  } as Record<string, string>,
};

const inEnglish = (member: 'when' | 'remedy'): Record<string, string> =>
  Object.fromEntries(PROBLEM_NAMES.map((name) => [name, PROBLEM_KINDS[name][member]]));

const en: typeof ja = {
  parameterNames: {
    floor: 'Floor',
    face: 'Wall',
    month: 'Month',
    receptor: 'Measuring point',
    page: 'Page',
    dataset_id: 'Dataset',
    sort: 'Order',
    care_level: 'Care level',
    copayment: 'Co-payment (%)',
    income: 'Income stage',
    room: 'Room',
    max_yen: 'Most to pay (yen)',
    min_capacity: 'Places',
    open_on: 'Open on',
    name: 'Part of the name',
    q: 'Words to look for',
    clock: 'Time (minutes after midnight)',
    lat: 'Latitude',
    lon: 'Longitude',
    b: 'Building ID',
    f: 'Office number',
  },
  wrongValue: (name, value) => `${name} cannot be “${value}”.`,
  oneOf: (words) => `It is one of: ${words}`,
  between: (low, high) => `It is a number from ${low} to ${high}.`,
  forExample: (example) => `For example: ${example}`,
  noPageAt: (path) => `There is no page at ${path}.`,
  noKind: (name) => `There is no kind of problem named ${name}.`,
  meant: 'Did you mean ',
  notFoundTitle: 'There is no such page',
  notFoundHelp: 'A name or a number may have changed, or be mistyped. Search, or start from one of these.',
  problemTitles: {
    'invalid-parameter': 'A value in the address is wrong',
    'invalid-credentials': 'The key or signature is not valid',
    'payment-required': 'This call has to be paid',
    'not-found': 'Not found',
    'method-not-allowed': 'This method is not allowed',
    'rate-limited': 'Too many requests',
    'internal-error': 'The server failed',
    'range-not-satisfiable': 'The file has no such range',
    'not-implemented': 'This is not offered here',
    unavailable: 'Temporarily unavailable',
  },
  problemHelp: {
    'invalid-parameter': 'Correct the value and try again.',
    'invalid-credentials': 'Send a key that works, or none: no key is needed.',
    'payment-required': 'See the page about prices.',
    'not-found': 'Check the number or the name, and search.',
    'method-not-allowed': 'Only GET, HEAD and OPTIONS are allowed.',
    'rate-limited': 'Wait a minute and try again.',
    'internal-error': 'Try again later. If it happens again, report it with the ID of the request.',
    'range-not-satisfiable': 'Ask for a range within the length of the file.',
    'not-implemented': 'Use another of the operations.',
    unavailable: 'Wait a little and try again.',
  },
  problemWhen: inEnglish('when'),
  problemRemedy: inEnglish('remedy'),
};

/** What pages say of wrong addresses, wrong values and failures. */
export const problems = { ja, en };
