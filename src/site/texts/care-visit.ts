/** The sheet to take along on a visit: what to ask, group by group. */
const ja = {
  heading: '見学で聞くこと',
  title: (name: string) => `${name} 見学で聞くこと`,
  lead: '公表値でわからないことと、目立つことを質問にしました。A4に印刷できます。',
  link: '見学で聞くこと（A4）',
  back: 'もとのページへ戻る',
  visitDay: '見学日',
  guide: '案内した人',
  question: '質問',
  answer: '答え',
  groups: { money: '費用', care: '介護と職員', admission: '入居', place: '部屋と場所' } as Record<string, string>,
  foodStandard: (yen: string) =>
    `食費は1日いくらですか。公表値がないため、国の基準額（1か月 ${yen}）で計算しています。`,
  foodRefused: (text: string, yen: string) =>
    `食費は1日いくらですか。公表されている「${text}」は今の料金とは考えにくく、基準額（1か月 ${yen}）で計算しています。`,
  roomStandard: (yen: string) =>
    `居住費は部屋の種類ごとに1日いくらですか。公表値がないため、国の基準額（1か月 ${yen}）で計算しています。`,
  roomRefused: (text: string, yen: string) =>
    `居住費は部屋の種類ごとに1日いくらですか。公表されている「${text}」は今の料金とは考えにくく、基準額（1か月 ${yen}）で計算しています。`,
  notIncluded: (names: string, n: number) => `${names}は、${n > 1 ? 'それぞれ' : '1か月に'}いくらですか。`,
  careContract: '介護サービスはどの事業所と契約しますか。併設や系列のほかの事業所も選べますか。',
  initialPayment: '入居一時金はありますか。償却の期間と、退去したときの返金を書面で見せてもらえますか。',
  additions: (yen: string | null) =>
    `実際につく加算はどれですか。${yen === null ? '' : `このサイトでは処遇改善加算を含めて月${yen}と見込んでいます。`}1か月の見積もりを書面でもらえますか。`,
  filed: (names: string) =>
    `届け出ている加算は${names}です。このほかに、人によってつく加算は何ですか。1か月の見積もりを書面でもらえますか。`,
  smallCosts: '医療費、理美容代、日用品費、洗濯代など、毎月かかる実費はいくらくらいですか。',
  staffUnknown: '介護職員は日中と夜間に何人いて、それぞれ何人を見ていますか。',
  staffShared: '公表されている職員数は同じ敷地のほかの事業所と合わせた数とみられます。ここだけでは何人ですか。',
  staffHeads: '公表されている職員数は頭数です。常勤換算では何人ですか。',
  staffFew: (value: string) =>
    `介護職員1人あたりの利用者は${value}人で、都道府県の中で多いほうです。日中と夜間の体制を教えてください。`,
  turnoverHigh: (value: string) =>
    `1年の離職率は${value}%で、都道府県の中で高いほうです。理由と、いまの状況を教えてください。`,
  turnoverUnknown: 'この1年で何人の職員が辞め、何人が入りましたか。',
  nightNurses: '夜間に看護職員はいますか。急に具合が悪くなったときは、誰がどうしますか。',
  medical: '必要な医療（たんの吸引、経管栄養、インスリンなど）に対応できますか。対応できなくなったら退去になりますか。',
  endOfLife: '看取りまでお願いできますか。',
  evaluation: '第三者評価や運営指導の結果を見せてもらえますか。',
  waiting: '待機者は何人で、入れるまでどのくらいかかりますか。',
  waitingMany: (people: string) => `公表されている待機者は${people}です。入れるまでどのくらいかかりますか。`,
  vacancies: '空きはありますか。',
  fromLevel: '入居できる要介護度に条件はありますか。',
  fromLevel3: '要介護1・2でも入れる特例はありますか。',
  couple: '夫婦で入れる部屋はありますか。',
  rooms: '個室ですか、多床室ですか。トイレと洗面は部屋にありますか。',
  otherRooms: (names: string) => `${names}もありますか。部屋は選べますか、途中で移れますか。`,
  evacuation: '災害の想定区域にあります。避難確保計画を見せてもらえますか。夜間は、誰がどこへ避難させますか。',
  disaster: '災害の想定区域にあります。災害のとき、サービスはどうなりますか。',
  rentInWords: (text: string) => `家賃の公表は「${text}」です。どの部屋がいくらですか。`,
  sun: '部屋の向きと、日中どのくらい日が入るかを見せてもらえますか。',
  position: '場所はどこですか。行き方を教えてください（公表された位置がないか、正しくないとみられます）。',
  capacity: '定員は何人ですか。',
};

const en: typeof ja = {
  heading: 'What to ask on a visit',
  title: (name) => `${name}: what to ask on a visit`,
  lead: 'Questions about what is unknown or unusual here. You can print them on A4.',
  link: 'What to ask on a visit (A4)',
  back: 'Back to its page',
  visitDay: 'Date of the visit',
  guide: 'Shown by',
  question: 'Question',
  answer: 'Answer',
  groups: { money: 'Costs', care: 'Care and staff', admission: 'Moving in', place: 'Room and place' },
  foodStandard: (yen) =>
    `What does food cost a day? No fee is published, so the national standard is used here (${yen} a month).`,
  foodRefused: (text, yen) =>
    `What does food cost a day? The published “${text}” is unlikely to be the fee of today, so the standard is used here (${yen} a month).`,
  roomStandard: (yen) =>
    `What does each kind of room cost a day? No fee is published, so the national standard is used here (${yen} a month).`,
  roomRefused: (text, yen) =>
    `What does each kind of room cost a day? The published “${text}” is unlikely to be the fee of today, so the standard is used here (${yen} a month).`,
  notIncluded: (names, n) => (n > 1 ? `What do these cost: ${names}?` : `What does this cost a month: ${names}?`),
  careContract: 'Which office provides insured care? Can we choose another than the one of the house?',
  initialPayment:
    'Is there an initial payment? Over how many years is it used up, and how much is refunded on leaving? Can we have this in writing?',
  additions: (yen) =>
    `Which additions are charged? ${yen === null ? '' : `This site assumes ${yen} a month, treatment improvement included. `}Can we have an estimate for a month in writing?`,
  filed: (names) =>
    `Filed additions: ${names}. Which others depend on the person? Can we have an estimate for a month in writing?`,
  smallCosts: 'How much do medical care, hairdressing, daily necessities and laundry cost a month?',
  staffUnknown: 'How many care workers are there by day and by night, and for how many residents each?',
  staffShared: 'The published number of staff seems to include another office on the site. How many work in this one?',
  staffHeads: 'The published number of staff is a number of people. How many full-time equivalents is it?',
  staffFew: (value) =>
    `There are ${value} users per care worker, more than in most of the prefecture. How many staff are there by day and by night?`,
  turnoverHigh: (value) =>
    `${value} % of the staff left in a year, more than in most of the prefecture. Why, and how is it now?`,
  turnoverUnknown: 'How many staff left and how many came in the last year?',
  nightNurses: 'Is there a nurse at night? What happens when someone falls ill?',
  medical:
    'Can the home give the medical care that is needed (suction, tube feeding, insulin)? Must a resident leave when it cannot?',
  endOfLife: 'Can a resident stay until the end of life?',
  evaluation: 'Can we see the results of third-party evaluations and inspections?',
  waiting: 'How many people are waiting, and how long is the wait?',
  waitingMany: (people) => `${people} people are on the published waiting list. How long is the wait?`,
  vacancies: 'Is there a vacancy?',
  fromLevel: 'Which care levels are admitted?',
  fromLevel3: 'Are there exceptions for care levels 1 and 2?',
  couple: 'Is there a room for a couple?',
  rooms: 'Are rooms private or shared? Are there a toilet and a basin in the room?',
  otherRooms: (names) => `Are there also rooms of these kinds: ${names}? Can we choose, or move later?`,
  evacuation: 'The home is in a hazard zone. Can we see its evacuation plan? Who takes the residents where at night?',
  disaster: 'The place is in a hazard zone. What happens to the service in a disaster?',
  rentInWords: (text) => `The rent is published as “${text}”. What does each room cost?`,
  sun: 'Which way does the room face, and how much sun comes in by day?',
  position: 'Where exactly is it, and how do we get there? (The published position is missing or looks wrong.)',
  capacity: 'How many places are there?',
};

export const visit = { ja, en };
