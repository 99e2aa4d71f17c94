/** @import { Colours, FaceHours, MapChoices, Properties } from './types.js' */

/**
 * The text `faces` of a feature (docs/dataset.md) has for each of its faces a letter, A for north to H for north-west,
 * and behind it 36 digits: the whole hours of each floor and month. For a direction without a face it has a letter from
 * I to P, and behind it the letter of the nearest face. The text `best` has the 36 digits of the sunniest face.
 */
const FACE_LETTERS = 'ABCDEFGH';
const MISSING_LETTERS = 'IJKLMNOP';
const DIGITS = '0123456789abcdef';
/** `DIRECTIONS` of `src/geo/compass.ts`: scripts cannot import that file. */
const FACES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
const FLOORS = ['first', 'middle', 'top'];

/**
 * The position of the chosen floor and month among the 36 digits of a face, from 0.
 * @param {MapChoices} choices
 */
const digitIndex = ({ floor, month }) => 12 * FLOORS.indexOf(floor) + month - 1;

/**
 * The digit at a position of a text, as a style expression.
 * @param {unknown} text
 * @param {unknown} from
 */
const digitAt = (text, from) => ['index-of', ['slice', text, from, ['+', from, 1]], DIGITS];

/**
 * The whole hours of a feature as a style expression; −1 when unknown.
 * @param {MapChoices} choices
 * @returns {unknown[]}
 */
function hoursExpression(choices) {
  const index = digitIndex(choices);
  const faces = ['coalesce', ['get', 'faces'], ''];
  /** The hours of the face with a letter; −1 without it. @param {unknown} letter */
  const hoursOfLetter = (letter) => [
    'let',
    'p',
    ['index-of', letter, faces],
    ['case', ['<', ['var', 'p'], 0], -1, digitAt(faces, ['+', ['var', 'p'], 1 + index])],
  ];
  if (choices.face !== 'best') {
    const i = FACES.indexOf(choices.face);
    // `index-of` gives −1 where the letter is not in the text: then the direction has its own face, and `after` is 0.
    const after = ['+', ['index-of', MISSING_LETTERS.charAt(i), faces], 1];
    const letter = ['case', ['==', after, 0], FACE_LETTERS.charAt(i), ['slice', faces, after, ['+', after, 1]]];
    return hoursOfLetter(letter);
  }
  const most = ['max', -1, ...Array.from(FACE_LETTERS, (letter) => hoursOfLetter(letter))];
  return ['case', ['has', 'best'], digitAt(['get', 'best'], index), most];
}

/** Tiles of low zooms have only `best`. A feature without hours is transparent there: the town's colour is seen. */
const HAS_ONLY_BEST = ['all', ['has', 'best'], ['!', ['has', 'faces']]];

/**
 * True for a feature that is drawn, but whose hours are unknown, as a style expression.
 * @param {MapChoices} choices
 * @returns {unknown[]}
 */
export const unknownExpression = (choices) => ['all', ['!', HAS_ONLY_BEST], ['<', hoursExpression(choices), 0]];

/**
 * The colour of a feature by its hours for some choices, as a style expression.
 * @param {MapChoices} choices
 * @param {Colours} colours
 * @returns {unknown[]}
 */
export function colourExpression(choices, { scale, classes, unknown }) {
  const steps = scale.slice(1).flatMap((fill, i) => [classes[i + 1], fill]);
  const colourOfHours = ['step', ['var', 'h'], scale[0], ...steps];
  const colourOfUnknown = ['case', HAS_ONLY_BEST, 'rgba(255,255,255,0)', unknown];
  return ['let', 'h', hoursExpression(choices), ['case', ['<', ['var', 'h'], 0], colourOfUnknown, colourOfHours]];
}

/**
 * The whole hours of each face of a feature for some choices, in the order of `FACES`. A tile without faces gives one
 * entry with the face `best`.
 * @param {Properties} properties
 * @param {MapChoices} choices
 * @returns {FaceHours[]}
 */
export function hoursOf({ faces, best }, choices) {
  const index = digitIndex(choices);
  if (typeof faces === 'string') {
    return FACES.flatMap((face, i) => {
      const from = faces.indexOf(FACE_LETTERS.charAt(i));
      return from < 0 ? [] : [{ face, hours: DIGITS.indexOf(faces.charAt(from + 1 + index)) }];
    });
  }
  return typeof best === 'string' ? bestOf(best, choices) : [];
}

/**
 * The whole hours in a text `best`, as the only entry of a list.
 * @param {string} best
 * @param {MapChoices} choices
 * @returns {FaceHours[]}
 */
const bestOf = (best, choices) => [{ face: 'best', hours: DIGITS.indexOf(best.charAt(digitIndex(choices))) }];

/**
 * The face by which the map colours a feature: the chosen one; when the feature does not have it, the nearest one within
 * 67.5°; null when there is none so near.
 * @param {Properties} properties
 * @param {MapChoices} choices
 */
export function shownFace({ faces }, { face }) {
  const i = FACES.indexOf(face);
  if (i < 0 || typeof faces !== 'string' || faces.includes(FACE_LETTERS.charAt(i))) return face;
  const missing = faces.indexOf(MISSING_LETTERS.charAt(i));
  return missing < 0 ? null : (FACES[FACE_LETTERS.indexOf(faces.charAt(missing + 1))] ?? null);
}

/**
 * The hours by which the map colours a feature: those of every face when the best one is chosen, otherwise those of the
 * shown face.
 * @param {Properties} properties
 * @param {MapChoices} choices
 */
export function colouredBy(properties, choices) {
  // A town has both texts. Its `best` is the mean over the best faces of its buildings, not the largest mean of a face.
  if (choices.face === 'best' && typeof properties.best === 'string') return bestOf(properties.best, choices);
  const hours = hoursOf(properties, choices);
  const shown = shownFace(properties, choices);
  return shown === 'best' || hours.some((one) => one.face === 'best')
    ? hours
    : hours.filter((one) => one.face === shown);
}
