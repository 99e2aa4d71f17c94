import { RADIANS } from '../../geo/degree.ts';
import { type Html, html } from '../markup.ts';
import { Plan, type PlanWords } from './plans.ts';
import { BASELINE, type Point, tenth, textWidth } from './svg.ts';

/** A numbered link on the plan, such as a facility or a building. */
interface Pin {
  /** Its number in the list beside the plan. */
  number: number;
  /** Metres east and north of the middle. */
  place: Point;
  /** The text beside the pin, if there is room. */
  label: string;
  /** The name for screen readers. */
  title: string;
  href: string;
}

/** A side of the drawing, and the width at its edge that stays free of pins, pixels. */
const SIZE = 440;
const EDGE = 26;
/** Radius of a pin, pixels. */
const PIN = 11;
/** Radius of the dot in the middle, pixels. */
const MIDDLE = 8;
/** Side of the box around the end of a line from a pin that no text covers, pixels. */
const DOT = 8;
/** Size of the letters of a label, and height of its box, pixels. */
const [LETTER, LINE] = [13, 16];
/** Room beside a label, pixels: some Latin letters are wider than `textWidth` takes them for. */
const LABEL_ROOM = 8;
/** Radii of the circles of distance that can be drawn, metres. */
const RINGS_M = [250, 500, 1000, 2000, 4000, 8000];
/** A circle with a smaller radius on the drawing is left out. */
const LEAST_RING_PIXELS = 30;
/** Directions from the middle that are tried for the text of a ring's distance, degrees from north. */
const RING_TURNS = [0, 20, -20, 40, -40, 60, -60, 90, -90, 120, -120, 150, -150, 180];

/** How much farther than the farthest pin a circle of distance may be: one just beyond it tells how far that pin is. */
const RING_BEYOND = 1.2;

/** A numbered pin that leads to its page. */
const pinMark = ({ number, title, href }: Pin, [x, y]: Point): Html =>
  html`<a href="${href}" aria-label="${number} ${title}"><circle class="pin" cx="${tenth(x)}" cy="${tenth(y)}" r="${PIN}"/><text class="pin-number middle" x="${tenth(x)}" y="${tenth(y + BASELINE)}">${number}</text></a>`;

/**
 * A plan that has room for all pins and for the circles of distance, and the radii of the circles drawn on it, metres.
 * @param leastM least distance from the middle to the edge, metres
 */
function scaledPlan(pins: readonly Pin[], hasMiddle: boolean, leastM: number): { plan: Plan; ringsM: number[] } {
  const farthest = Math.max(leastM, ...pins.flatMap(({ place }) => place.map(Math.abs)));
  const radiiM = hasMiddle ? RINGS_M.filter((metres) => metres <= farthest * RING_BEYOND) : [];
  const reach = Math.max(farthest, ...radiiM);
  const plan = new Plan(SIZE, (reach * SIZE) / (SIZE - 2 * EDGE));
  return { plan, ringsM: radiiM.filter((metres) => metres * plan.pixelsPerMetre > LEAST_RING_PIXELS) };
}

/**
 * A square plan of numbered pins. A pin that others cover stands beside its place, with a line to it. Circles of distance
 * are drawn around the middle, and names of towns beneath the pins. A text is left out where it would cover a pin or
 * another text.
 * @param pins in the order of their list; an earlier pin is drawn above later ones
 * @param names names of towns, each with its place in metres east and north of the middle
 * @param leastM least distance from the middle to the edge, metres
 */
export function pinPlan(
  pins: readonly Pin[],
  names: readonly { name: string; place: Point }[],
  { hasMiddle, leastM }: { hasMiddle: boolean; leastM: number },
  words: PlanWords,
): Html {
  const { plan, ringsM } = scaledPlan(pins, hasMiddle, leastM);
  const marks = plan.marks(
    pins.map(({ place }) => plan.to(place)),
    PIN,
  );
  // No text covers the true place of a pin, nor the middle.
  for (const { target } of marks) plan.labels.reserve(target, [DOT, DOT]);
  if (hasMiddle) plan.labels.reserve([SIZE / 2, SIZE / 2], [2 * MIDDLE, 2 * MIDDLE]);
  // A pin without room stands on its true place, over others.
  const drawnPins = pins.map((pin, i) => ({ ...pin, position: marks[i].place ?? marks[i].target }));
  /** A text at the first free one of some positions, which may depend on its width; null where none is free. */
  const text = (content: string, kind: string, positions: (width: number) => Iterable<Point>): Html | null => {
    const width = textWidth(content, LETTER) + LABEL_ROOM;
    const spot = plan.labels.place(positions(width), [width, LINE]);
    return (
      spot &&
      html`<text class="${kind} middle" x="${tenth(spot[0])}" y="${tenth(spot[1] + BASELINE)}">${content}</text>`
    );
  };
  const onRing = (metres: number) => (): Point[] =>
    RING_TURNS.map((degrees) => {
      const turn = degrees * RADIANS;
      return plan.to([metres * Math.sin(turn), metres * Math.cos(turn)]);
    });
  const distances = ringsM.map((metres) => text(words.metres(metres), 'halo', onRing(metres)));
  const labels = drawnPins.map(({ position: [x, y], label }) => {
    if (label === '') return null;
    // On the right of the pin (1), otherwise on the left (-1).
    return text(label, 'halo', (width) => [1, -1].map((side) => [x + side * (PIN + 1 + width / 2), y]));
  });
  const townNames = names.map(({ name, place }) => text(name, 'ground-name', () => [plan.to(place)]));
  return plan.drawn(
    'pins',
    words,
    [
      ringsM.map(
        (metres) =>
          html`<circle class="ring" cx="${SIZE / 2}" cy="${SIZE / 2}" r="${tenth(metres * plan.pixelsPerMetre)}"/>`,
      ),
      townNames,
      hasMiddle ? html`<circle class="here" cx="${SIZE / 2}" cy="${SIZE / 2}" r="${MIDDLE}"/>` : null,
      plan.leaders(marks),
      // The first pin is drawn last, above the others.
      drawnPins.toReversed().map((pin) => pinMark(pin, pin.position)),
      distances,
      labels,
    ],
    'group',
  );
}
