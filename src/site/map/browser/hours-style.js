/** @import { Colours, FaceHours, MapChoices, Properties } from './types.js' */

/** Letters of faces and digits of hours, as tiles keep them (docs/dataset.md). */
const FACE_LETTERS = 'ABCDEFGH';
const MISSING_LETTERS = 'IJKLMNOP';
const DIGITS = '0123456789abcdef';
const FACES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
const FLOORS = ['first', 'middle', 'top'];

/**
 * The position of the digit of a floor and month after the letter of a face.
 * @param {MapChoices} choices
 */
const placeOf = ({ floor, month }) => 12 * FLOORS.indexOf(floor) + month - 1;

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
  const at = placeOf(choices);
  const faces = ['coalesce', ['get', 'faces'], ''];
  /** @param {unknown} letter */
  const ofLetter = (letter) => [
    'let',
    'p',
    ['index-of', letter, faces],
    ['case', ['<', ['var', 'p'], 0], -1, digitAt(faces, ['+', ['var', 'p'], 1 + at])],
  ];
  if (choices.face !== 'best') {
    const i = FACES.indexOf(choices.face);
    // For a missing face, the letter after that of the missing direction names the nearest face.
    const after = ['+', ['index-of', MISSING_LETTERS.charAt(i), faces], 1];
    const letter = ['case', ['==', after, 0], FACE_LETTERS.charAt(i), ['slice', faces, after, ['+', after, 1]]];
    return ofLetter(letter);
  }
  const most = ['max', -1, ...Array.from(FACE_LETTERS, ofLetter)];
  return ['case', ['has', 'best'], digitAt(['get', 'best'], at), most];
}

/**
 * The colour of those hours.
 * @param {MapChoices} choices
 * @param {Colours} colours
 * @returns {unknown[]}
 */
export function colourExpression(choices, { scale, classes, unknown }) {
  const steps = scale.slice(1).flatMap((fill, i) => [classes[i + 1], fill]);
  const known = ['step', ['var', 'h'], scale[0], ...steps];
  // When tiles have only the best face, the colours of towns are visible through the outlines.
  const noFaces = ['all', ['has', 'best'], ['!', ['has', 'faces']]];
  const missing = ['case', noFaces, 'rgba(255,255,255,0)', unknown];
  return ['let', 'h', hoursExpression(choices), ['case', ['<', ['var', 'h'], 0], missing, known]];
}

/**
 * The whole hours of each face of a feature for these choices, in face order; `best` when the tile has no faces.
 * @param {Properties} properties
 * @param {MapChoices} choices
 * @returns {FaceHours[]}
 */
export function hoursOf({ faces, best }, choices) {
  const at = placeOf(choices);
  if (typeof faces === 'string') {
    return FACES.flatMap((face, i) => {
      const from = faces.indexOf(FACE_LETTERS.charAt(i));
      return from < 0 ? [] : [{ face, hours: DIGITS.indexOf(faces.charAt(from + 1 + at)) }];
    });
  }
  return typeof best === 'string' ? [{ face: 'best', hours: DIGITS.indexOf(best.charAt(at)) }] : [];
}

/**
 * The face by which the map colours a feature: the chosen one, or the nearest within 67.5° when it is missing; null
 * when there is none.
 * @param {Properties} properties
 * @param {MapChoices} choices
 */
export function shownFace({ faces }, { face }) {
  const i = FACES.indexOf(face);
  if (i < 0 || typeof faces !== 'string' || faces.includes(FACE_LETTERS.charAt(i))) return face;
  const at = faces.indexOf(MISSING_LETTERS.charAt(i));
  return at < 0 ? null : (FACES[FACE_LETTERS.indexOf(faces.charAt(at + 1))] ?? null);
}

/**
 * The hours by which the map colours a feature: of every face, or of the shown one.
 * @param {Properties} properties
 * @param {MapChoices} choices
 */
export function colouredBy(properties, choices) {
  const hours = hoursOf(properties, choices);
  const shown = shownFace(properties, choices);
  return shown === 'best' || hours.some((one) => one.face === 'best')
    ? hours
    : hours.filter((one) => one.face === shown);
}
