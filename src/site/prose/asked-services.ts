import { editDistance } from '../../contract/edit-distance.ts';
import { fold } from '../../search/romaji.ts';
import { prefectureCodeByName } from '../../search/terms.ts';
import { SUM_IN_SEARCH } from '../kaigo/case.ts';
import { HOMES } from '../kaigo/services.ts';

/** Everyday names of services, with their codes. A name may stand for several of the 35 services. */
const NAMES: readonly (readonly [codes: readonly string[], names: string])[] = [
  [
    ['510', '540'],
    '特別養護老人ホーム、介護老人福祉施設、特養ホーム、特養、特よう、とくよう、tokuyo、special nursing home',
  ],
  [['520'], '介護老人保健施設、老健施設、老健、ろうけん、roken'],
  [['550'], '介護医療院'],
  [['930', '334', '337', '364'], 'サービス付き高齢者向け住宅、サービス付高齢者住宅、サ付き住宅、サ高住、さこうじゅう'],
  [['331', '920', '335', '361'], '介護付き有料老人ホーム、介護付有料老人ホーム、有料老人ホーム、有料ホーム、特定施設'],
  [['332', '336', '362'], '軽費老人ホーム、ケアハウス'],
  [['320'], '認知症対応型共同生活介護、認知症グループホーム、グループホーム、group home'],
  [['770'], '看護小規模多機能型居宅介護、看護小規模多機能、看多機、かんたき'],
  [['730'], '小規模多機能型居宅介護、小規模多機能、小多機'],
  [['210', '220', '230', '551'], '短期入所生活介護、短期入所、ショートステイ、short stay'],
  [['160'], '通所リハビリテーション、通所リハビリ、通所リハ、デイケア、day care'],
  [['720'], '認知症対応型通所介護、認知症デイ'],
  [['150', '780'], '地域密着型通所介護、通所介護、デイサービスセンター、デイサービス、day service'],
  [['120'], '訪問入浴介護、訪問入浴'],
  [['140'], '訪問リハビリテーション、訪問リハビリ、訪問リハ'],
  [['130'], '訪問看護ステーション、訪問看護、visiting nurse'],
  [['110'], '訪問介護、ホームヘルパー、ホームヘルプ、ヘルパー、home help'],
  [['760'], '定期巡回・随時対応型訪問介護看護、定期巡回'],
  [['430'], '居宅介護支援、ケアマネジャー、ケアマネージャー、ケアマネ、care manager'],
  [['170', '410'], '福祉用具貸与、福祉用具販売、福祉用具、介護用品レンタル'],
  [HOMES, '介護施設、老人ホーム、介護ホーム、老人施設、care home、nursing home'],
];

/** Short and misspelt names that no rule of letters leads to a service, with the services that may be meant. */
const SLIPS: readonly (readonly [codes: readonly string[], names: string])[] = [
  [['510', '540', '520'], '特老'],
  [['510', '540'], '特用、特容、特要、得養、特別老人ホーム'],
  [['520'], '労健、老建、老検、ろう健、老けん'],
  [['930', '334', '337', '364'], 'サ高、さ高住、サコウ住、サコ住、サ高齢'],
  [['320'], 'グルホ、グルホー'],
];

interface ServiceName {
  text: string;
  codes: readonly string[];
}

/** All names in normalized form, the longest first: 認知症グループホーム is not グループホーム with a word before it. */
const FOLDED = foldedNames(NAMES);
const FOLDED_SLIPS = foldedNames(SLIPS);

function foldedNames(names: typeof NAMES): ServiceName[] {
  const folded = names.flatMap(([codes, list]) => list.split('、').map((name) => ({ text: fold(name), codes })));
  return folded.toSorted((a, b) => b.text.length - a.text.length);
}

/** The services in a query. */
export interface AskedServices {
  /** The most wanted one first. */
  codes: readonly string[];
  /** The rest of the query: the place; empty when there is none. */
  place: string;
  /** The most to pay a month, as written: 15万. Null when the query names no sum. */
  maxYen: string | null;
  /** The care or support level as the parameter of a case: `4`, `support_1`. Null when the query names none. */
  careLevel: string | null;
  /** True when the query asks for the cheapest. */
  isCheapest: boolean;
  /** True when the name was misspelt. */
  isGuess: boolean;
}

/** Number of letters of a name from which one wrong letter is allowed, and two. */
const ONE_SLIP_FROM = 3;
const TWO_SLIPS_FROM = 7;

/**
 * The services that a query names, alone or with a place: 特養, 千代田区の特養, デイサービス 神田. A query with a sum or a
 * care level and without a service is about homes: 四谷の近くで15万円以内. Null for another query.
 * @param canGuess true accepts a misspelt name
 */
export function askedServices(query: string, canGuess: boolean): AskedServices | null {
  // Sums are read first: `fold`, with which names are compared, removes the point of 12.5万.
  const { rest, ...wishes } = wishesIn(query.normalize('NFKC'));
  const words = rest.trim().split(/\s+/);
  const isOfCare = wishes.maxYen !== null || wishes.careLevel !== null || wishes.isCheapest;
  const named = namedIn(words, FOLDED) ?? (isOfCare ? { codes: HOMES, place: placeIn(rest) } : null);
  if (named !== null || !canGuess) return named && { ...named, ...wishes, isGuess: false };
  // Known slips come first, because they are too far from any name for `guessed`.
  const guess = namedIn(words, FOLDED_SLIPS) ?? guessed(words);
  return guess && { ...guess, ...wishes, isGuess: true };
}

type Named = Pick<AskedServices, 'codes' | 'place'>;

/** The services that the words of a query name; null: none of these names. */
function namedIn(words: readonly string[], names: readonly ServiceName[]): Named | null {
  // A name in Latin letters may have several words.
  const spans = words.flatMap((_, from) =>
    [1, 2, 3].map((length) => ({ from, length, folded: fold(words.slice(from, from + length).join('')) })),
  );
  for (const { text, codes } of names) {
    // A single word may contain a name, as 千代田区の特養 does. Several words together must be a name, or its plural.
    const span = spans.find(({ length, folded }) =>
      length === 1 ? folded.includes(text) : folded === text || folded === `${text}s`,
    );
    if (span === undefined) continue;
    const { from, length, folded } = span;
    const at = folded.indexOf(text);
    const before = folded.slice(0, at);
    const behind = length === 1 ? folded.slice(at + text.length) : '';
    const rest = [...words.slice(0, from), before, behind, ...words.slice(from + length)].join(' ');
    return { codes, place: placeIn(rest) };
  }
  return null;
}

/**
 * The services whose name is similar to one of the words, and the place that the other words name; null when no word is
 * similar to a name.
 */
function guessed(words: readonly string[]): Named | null {
  for (const [i, word] of words.entries()) {
    const folded = fold(word);
    // Tokyo is one letter from tokuyo, but means the place.
    if (folded.length < ONE_SLIP_FROM || prefectureCodeByName(word) !== null) continue;
    const allowed = folded.length >= TWO_SLIPS_FROM ? 2 : 1;
    const service = FOLDED.find(
      ({ text }) => Math.abs(text.length - folded.length) <= allowed && editDistance(folded, text) <= allowed,
    );
    if (service !== undefined) {
      const rest = [...words.slice(0, i), ...words.slice(i + 1)].join(' ');
      return { codes: service.codes, place: placeIn(rest) };
    }
  }
  return null;
}

/** Words that link a place and a service: of, near. */
const FILLERS = /の?(?:近く|周辺|付近)[での]?|の(?=\s|$)|(?<=^|\s)の|(?<=^|\s)(?:in|near|at)(?=\s|$)/gi;

/** A care or support level: 要介護4, 要介護度3以上, 要支援1の人. */
const LEVEL = /(?:(?:要介護度?|介護度)([1-5])|要支援([12]))(?!\d)(?:以上|以下)?(?:の人|の方)?[での]?/;

/** Words that ask for the cheapest: 一番安い, 最安, cheapest. */
const CHEAPEST =
  /[ので]?(?:一番|いちばん|最も)?(?:安い|やすい)(?:順に?)?の?|の?最安の?|(?<=^|\s)cheap(?:est)?(?=\s|$)/i;

/** The most to pay a month, the level, and whether the cheapest is wanted; `rest` is the query without them. */
function wishesIn(query: string): Omit<AskedServices, keyof Named | 'isGuess'> & { rest: string } {
  const [, maxYen = null] = SUM_IN_SEARCH.exec(query) ?? [];
  const [, care = null, support] = LEVEL.exec(query) ?? [];
  return {
    maxYen,
    careLevel: support === undefined ? care : `support_${support}`,
    isCheapest: CHEAPEST.test(query),
    rest: [SUM_IN_SEARCH, LEVEL, CHEAPEST].reduce((text, words) => text.replace(words, ' '), query),
  };
}

/** The place in a query without its service and wishes. */
const placeIn = (rest: string): string => rest.replace(FILLERS, ' ').trim().replace(/\s+/g, ' ');
