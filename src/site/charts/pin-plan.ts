import { type Html, html } from '../markup.ts';
import { Plan, type PlanWords } from './plans.ts';
import { at, type Point, textWidth } from './svg.ts';

/** A thing with a position. */
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

const SIZE = 440;
const EDGE = 26;
const PIN = 11;
/** Size of the letters of a label, and height of its box. */
const [LETTER, LINE] = [13, 16];
const RINGS_M = [250, 500, 1000, 2000, 4000, 8000];
/** Directions from the middle that are tried for the distance of a ring, degrees from north. */
const RING_TURNS = [0, 20, -20, 40, -40, 60, -60, 90, -90, 120, -120, 150, -150, 180];

/**
 * Numbered pins around a place, circles of distance around it, and names of towns below. No text covers a pin or
 * another text.
 */
export function pinPlan(
  pins: readonly Pin[],
  names: readonly { name: string; place: Point }[],
  { hasMiddle, leastM }: { hasMiddle: boolean; leastM: number },
  words: PlanWords,
): Html {
  const reach = Math.max(leastM, ...pins.flatMap(({ place }) => place.map(Math.abs)));
  const plan = new Plan(SIZE, (reach * SIZE) / (SIZE - 2 * EDGE));
  const placed = pins.map((pin) => ({ ...pin, at: plan.to(pin.place) }));
  const text = (content: string, kind: string, places: (width: number) => Iterable<Point>): Html | null => {
    const width = textWidth(content, LETTER) + 4;
    const place = plan.labels.place(places(width), [width, LINE]);
    return place && html`<text class="${kind} middle" x="${at(place[0])}" y="${at(place[1] + 4.5)}">${content}</text>`;
  };
  for (const { at: place } of placed) plan.labels.reserve(place, [2 * PIN, 2 * PIN]);
  const rings = hasMiddle ? RINGS_M.filter((metres) => metres <= reach * 1.2 && metres * plan.pixelsPerMetre > 30) : [];
  const onRing = (metres: number) => (): Point[] =>
    RING_TURNS.map((degrees) => {
      const turn = (degrees * Math.PI) / 180;
      return plan.to([metres * Math.sin(turn), metres * Math.cos(turn)]);
    });
  const distances = rings.map((metres) => text(words.metres(metres), 'halo', onRing(metres)));
  const labels = placed.map(({ at: [x, y], label }) => {
    if (label === '') return null;
    return text(label, 'halo', (width) => [1, -1].map((side) => [x + side * (PIN + 1 + width / 2), y]));
  });
  const ground = names.map(({ name, place }) => text(name, 'ground-name', () => [plan.to(place)]));
  return plan.drawn(
    'pins',
    words,
    [
      rings.map(
        (metres) =>
          html`<circle class="ring" cx="${SIZE / 2}" cy="${SIZE / 2}" r="${at(metres * plan.pixelsPerMetre)}"/>`,
      ),
      ground,
      hasMiddle ? html`<circle class="here" cx="${SIZE / 2}" cy="${SIZE / 2}" r="8"/>` : null,
      // The nearest is drawn last, above the others.
      placed
        .toReversed()
        .map(
          ({ number, at: [x, y], title, href }) =>
            html`<a href="${href}" aria-label="${number} ${title}"><circle class="pin" cx="${at(x)}" cy="${at(y)}" r="${PIN}"/><text class="pin-number middle" x="${at(x)}" y="${at(y + 4.5)}">${number}</text></a>`,
        ),
      distances,
      labels,
    ],
    'group',
  );
}
