import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import { directionOf } from '../../geo/compass.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { PLAN_AROUND_M, type PlanSpot, wallPlan } from '../charts/plans.ts';
import type { SkyChartWords } from '../charts/sky-chart.ts';
import type { SunChartWords } from '../charts/sun-chart.ts';
import { clockTime, minutesOf } from '../charts/svg.ts';
import { type Html, html, selectField, unbroken, withBold } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import { pageLink, type SunlightAsk, textsOf } from '../view.ts';
import {
  bestFace,
  type Choice,
  dateField,
  type FloorSight,
  hoursIn,
  isStated,
  type MonthInterval,
  monthsOf,
  neighbourPaths,
  queryOf,
  SOLSTICES,
} from './choice.ts';
import { lettersOf, type Shader, shadeSpells } from './shade.ts';
import type { Sight } from './sight.ts';
import { polygonsOf } from './surroundings.ts';

/** The answer in one sentence, with its hours in bold. */
export function answerOf(texts: Texts, choice: Choice): Html {
  const hours = texts.frame.hoursExact(monthsOf(choice)[choice.month - 1].direct_sun_hours);
  return withBold(sentenceOf(texts, choice), [hours]);
}

/** The sun of the chosen wall or measuring point in the chosen month, in one sentence. */
export function sentenceOf({ frame, sunlight }: Texts, choice: Choice): string {
  const { month, face, spot } = choice;
  const answer = monthsOf(choice)[month - 1];
  const words = {
    month: frame.month(month),
    floor: floorName({ frame, sunlight }, choice),
    face: faceName({ frame, sunlight }, choice),
    hours: frame.hoursExact(answer.direct_sun_hours),
    interval: intervalText(sunlight, answer.interval),
    windows: frame.list(longWindows(answer.sunlit_windows).map((window) => window.join('–'))),
    unshaded: frame.hoursExact(answer.unshaded_hours),
  };
  if (spot !== null) return sunlight.spotSentence({ ...words, spot: spot.receptor, spots: face.receptors });
  if (answer.direct_sun_hours > 0) return sunlight.sentence(words);
  return answer.unshaded_hours === 0 ? sunlight.sunBehind(words) : sunlight.noSun(words);
}

/** Least length of an interval that sentences name, minutes. */
const LEAST_WINDOW = 5;

/** Intervals of a day without the short ones, each from `HH:MM` to `HH:MM`. */
export const longWindows = <Window extends readonly string[]>(windows: readonly Window[]): Window[] =>
  windows.filter(([from = '', to = '']) => minutesOf(to) - minutesOf(from) >= LEAST_WINDOW);

/** The name of a floor. It says when floors are counted by estimated storeys. */
export const floorName = (
  { frame, sunlight }: Pick<Texts, 'frame' | 'sunlight'>,
  { floor, isEstimated }: { floor: Pick<FloorSight, 'floor'>; isEstimated: boolean },
): string =>
  isEstimated && floor.floor > 1 ? sunlight.floorEstimated(frame.floor(floor.floor)) : frame.floor(floor.floor);

/**
 * The name of the chosen wall. When the building has no wall in the requested direction, it names that direction and the
 * wall that replaces it.
 */
const faceName = ({ frame, sunlight }: Pick<Texts, 'frame' | 'sunlight'>, { face, askedFace }: Choice): string =>
  askedFace === null
    ? frame.faces[face.face]
    : sunlight.faceTowards(frame.faces[askedFace], degreesText(face.azimuth_deg), frame.faces[face.face]);

/**
 * The interval of the hours within the error of the model; empty when it was not computed or is smaller than the
 * rounding.
 */
export function intervalText(sunlight: Texts['sunlight'], interval: MonthInterval): string {
  const [low, high] = [interval?.p10_hours.toFixed(1) ?? '', interval?.p90_hours.toFixed(1) ?? ''];
  return low === high ? '' : sunlight.interval(low, high);
}

/**
 * A sentence that names the sunniest wall when it is not the chosen one, or says that none of several walls has sun.
 * Null when neither is so, and for a measuring point.
 */
export function betterFace({ frame, sunlight }: Texts, { month, floor, face, spot }: Choice): string | null {
  if (spot !== null) return null;
  const best = bestFace(floor, month) ?? face;
  if (floor.faces.every((one) => hoursIn(one, month) === 0)) return floor.faces.length > 1 ? sunlight.noFaceSun : null;
  if (hoursIn(best, month) <= hoursIn(face, month)) return null;
  return sunlight.bestFace(frame.faces[best.face], frame.hoursExact(hoursIn(best, month)));
}

/** A length to 0.1 m; below one metre, to a centimetre. */
export const metresText = (metres: number): string => metres.toFixed(metres < 1 ? 2 : 1);

/** The reasons why the hours of this building, or of the chosen wall, are less certain than usual. */
export function caveatsOf({ sunlight }: Texts, building: BuildingFull, { face, stated }: Choice): string[] {
  const { quality } = building;
  const neighbours = quality.placeholder_neighbours;
  // Unknown neighbours and the edge of the data both mean that the hours may be less, so one sentence names them.
  const missing = [
    ...(neighbours > 0 ? [sunlight.neighboursUnknown(neighbours)] : []),
    ...(quality.surroundings === 'open' ? [sunlight.surroundingsOpen] : []),
  ];
  return [
    // Only long walls are named in headlines.
    face.headline ? null : sunlight.shortWallNote(metresText(face.wall_length_m)),
    isHeightUnknown(building) && stated.heightM === undefined ? sunlight.heightUnknown : null,
    quality.doubtful_shape ? sunlight.doubtfulShape : null,
    missing.length > 0 ? sunlight.mayBeLess(missing) : null,
  ].filter((caveat) => caveat !== null);
}

/**
 * What takes the sun from the chosen wall, with times; null when nothing does so for long. Also null for a measuring
 * point, because the shade is that of the whole wall.
 */
export function shadeSentence(texts: Texts, choice: Choice): string | null {
  const { sunlight } = texts;
  const { shade } = choice.face;
  const month = choice.face.months[choice.month - 1];
  if (!shade || month.lit_share === undefined || choice.spot !== null) return null;
  const spells = shadeSpells(shade, month.lit_share);
  if (spells.length === 0) return null;
  const mentioned = new Set<Shader>();
  return sunlight.shadeSentence(
    spells.map(({ shaders, isMainly, from, to }) => {
      const times = [clockTime(from), clockTime(to)] as const;
      // No shader: the sun is behind the wall.
      if (shaders.length === 0) return sunlight.shadeBetween(...times, sunlight.shadeBehind);
      const names = shaders.map((shader) => shaderName(texts, shader, !mentioned.has(shader)));
      for (const shader of shaders) mentioned.add(shader);
      const who = sunlight.shadeOf(names, isMainly);
      const isAllDay = spells.length === 1 && month.sunlit_windows.length === 0;
      return isAllDay ? sunlight.shadeAllDay(who) : sunlight.shadeBetween(...times, who);
    }),
  );
}

/** A building nearer than this is next door, metres. */
export const NEXT_DOOR_M = 0.5;

/** An azimuth in whole degrees, 0 to 359. */
export const degreesText = (degrees: number): string => String(Math.round(degrees) % 360);

/** A shading building by its letter; at its first mention with direction and distance. */
function shaderName({ frame, sunlight }: Texts, shader: Shader, withPlace: boolean): string {
  if (shader.is_own) return sunlight.shadeOwn;
  const { kind, letter, building_id, seen_deg, distance_m } = shader;
  const direction = frame.faces[directionOf(seen_deg)];
  if (kind === 'terrain') return withPlace ? sunlight.shadeTerrain(direction) : sunlight.terrain;
  const name = letter === null ? (building_id ?? sunlight.unnamed) : sunlight.shadeBuilding(letter);
  if (!withPlace || distance_m === null) return name;
  return (
    name +
    sunlight.shadePlace(direction, degreesText(seen_deg), distance_m < NEXT_DOOR_M ? null : distance_m.toFixed(0))
  );
}

/** The expected hours of the chosen wall in a normal year; null for a measuring point, and without normals. */
export function expectedSentence({ frame, sunlight }: Texts, { face, month, spot }: Choice): string | null {
  const { expected_hours = null } = face.months[month - 1];
  const { expected_year_hours: year = null } = face;
  if (spot !== null || expected_hours === null || year === null) return null;
  const sentence = sunlight.expected(frame.month(month), frame.hoursExact(expected_hours), year.toLocaleString('en'));
  return face.expected_by_hour ? sentence : frame.sentences(sentence, sunlight.expectedAllDay);
}

/** The meaning of the widths of the chart's bars. */
export function chartNote({ sunlight }: Texts, { face, spot }: Choice): string {
  if (spot !== null) return sunlight.chartNoteSpot;
  return face.months[0].lit_share === undefined ? sunlight.chartNoteWindows : sunlight.chartNoteShare;
}

/** Words of the month × clock chart. */
export function sunWords(
  { frame, sunlight }: Texts,
  choice: Choice,
  buildingId: string,
  credit: string,
): SunChartWords {
  return {
    title: sunlight.chartTitle(floorName({ frame, sunlight }, choice), frame.faces[choice.face.face]),
    description: sunlight.chartDescription,
    lit: sunlight.lit,
    shaded: sunlight.shaded,
    behind: sunlight.behind,
    hours: frame.hours,
    credit: [buildingId, credit],
    month: frame.month,
  };
}

/** Words of the view of the sky. */
export function skyWords({ frame, sunlight }: Texts, choice: Choice): SkyChartWords {
  return {
    title: sunlight.skyTitle(floorName({ frame, sunlight }, choice), frame.faces[choice.face.face]),
    description: sunlight.skyDescription,
    lit: sunlight.lit,
    hidden: sunlight.skyHidden,
    buildings: sunlight.skyBuildings,
    own: sunlight.shadeOwn,
    balcony: sunlight.skyBalcony,
    note: choice.balcony ? frame.sentences(sunlight.skyNote, sunlight.skyBalconyNote) : sunlight.skyNote,
    directions: frame.faces,
    month: frame.month,
  };
}

/**
 * The form that chooses floor, wall, month, balcony, days and stated facts; it works without scripts.
 * @param missingFloor the requested floor that could not be computed: it stays chosen
 */
export function picker(
  ask: SunlightAsk,
  { building, choice, storeys }: Sight,
  missingFloor: number | null = null,
): Html {
  const { frame, sunlight } = textsOf(ask);
  const floors = Array.from({ length: storeys }, (_, i) => i + 1);
  const numberField = (name: string, label: string, least: number, most: number, step: number, value?: number): Html =>
    html`<label>${label}<input type="number" name="${name}" min="${least}" max="${most}" step="${step}" value="${value ?? ''}" inputmode="decimal"></label>`;
  const { storeys: statedStoreys, heightM } = choice.stated;
  const { dates } = choice;
  const hasSolstices = SOLSTICES.every((date) => dates.includes(date));
  const otherDates = hasSolstices ? dates.filter((date) => !SOLSTICES.includes(date)) : dates;
  const options = {
    floors: floors.map((floor) => [floor, frame.floor(floor)] as const),
    faces: choice.floor.faces.map(({ face }) => [face, sunlight.faceName(frame.faces[face])] as const),
    months: choice.face.months.map(({ month }) => [month, frame.month(month)] as const),
  };
  return html`<form class="picker short" method="get" action="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}" aria-label="${sunlight.choose}">
${selectField('floor', sunlight.floorLabel, options.floors, missingFloor ?? choice.floor.floor)}
${selectField('face', sunlight.faceLabel, options.faces, choice.face.face)}
${selectField('month', sunlight.monthLabel, options.months, choice.month)}
<label class="whole"><span><input type="checkbox" name="balcony" value="1"${choice.balcony ? html` checked` : null}> ${unbroken(sunlight.balconyLabel)}</span></label>
<button>${sunlight.show}</button>
<details class="stated"${dates.length > 0 ? html` open` : null}><summary>${sunlight.datesSummary}</summary>
<label><input type="checkbox" name="date" value="${SOLSTICES.join()}"${hasSolstices ? html` checked` : null}> ${sunlight.solsticesLabel}</label>
${(otherDates.length > 0 ? otherDates : [null]).map((date) => dateField(ask, date))}</details>
<details class="stated"${isStated(choice.stated) ? html` open` : null}><summary>${sunlight.statedSummary}</summary>
${numberField('storeys', sunlight.statedStoreys, 1, 200, 1, statedStoreys)}
${numberField('height_m', sunlight.statedHeight, 2, 1000, 0.1, heightM)}
<p class="note">${sunlight.statedNote}</p></details></form>`;
}

/**
 * The building from above with its walls, its measuring points, and all buildings within `PLAN_AROUND_M` of it.
 * @param skyLetters letters of the buildings in the view of the sky, by ID; null: unknown
 */
export function planOf(
  ask: SunlightAsk,
  { building_id, lat, lon }: BuildingFull,
  choice: Choice,
  skyLetters: ReadonlyMap<string, string> | null,
): Html {
  const { frame, sunlight } = textsOf(ask);
  const shaderLetters = lettersOf(choice.face.shade ?? null);
  const plane = new LocalPlane(lat, lon);
  const polygons = (id: string): number[][][] => polygonsOf(ask.sunlight, id, plane);
  const own = polygons(building_id);
  const cornerDistances = own
    .flat()
    .flatMap((ring) => ring.flatMap((x, i) => (i % 2 === 0 ? Math.hypot(x, ring[i + 1]) : [])));
  const radiusM = Math.max(0, ...cornerDistances) + PLAN_AROUND_M;
  const { buildings } = ask.sunlight.near(lat, lon, radiusM, Infinity).toJSON();
  const neighbours = buildings.filter((one) => one.building_id !== building_id && !shaderLetters.has(one.building_id));
  const pathOf = neighbourPaths(ask.query);
  const picture = wallPlan(
    {
      polygons: own,
      hoursOf: (face) => {
        const sight = choice.floor.faces.find((one) => one.face === face);
        return sight === undefined ? null : hoursIn(sight, choice.month);
      },
      hrefOf: (face) => queryOf(choice, { face, receptor: null }),
      chosenFace: choice.face.face,
      spots: spotsOf(choice, plane),
      shaders: (choice.face.shade?.shaders ?? []).flatMap((shader) => {
        const { letter, building_id: id } = shader;
        if (letter === null || id === null) return [];
        return { letter, title: `${shaderName(textsOf(ask), shader, true)} ${id}`, polygons: polygons(id) };
      }),
      seen: [...(skyLetters ?? [])].flatMap(([id, letter]) =>
        shaderLetters.has(id)
          ? []
          : { letter, title: `${sunlight.shadeBuilding(letter)} ${id}`, polygons: polygons(id) },
      ),
      neighbours: neighbours.map(({ building_id: id, height_m, quality }) => ({
        href: pageLink(ask, pathOf(id)),
        title: sunlight.planNeighbour(id, isHeightUnknown({ quality }) ? null : height_m.toFixed(0)),
        polygons: polygons(id),
      })),
    },
    {
      title: sunlight.planTitle,
      description: sunlight.planDescription,
      north: sunlight.north,
      metres: frame.metres,
      wall: (face, hours) =>
        sunlight.planWall(frame.faces[face], hours === null ? frame.unknown : frame.hoursExact(hours)),
      spot: ({ face, receptor, hours }) => sunlight.planSpot(frame.faces[face], receptor, frame.hoursExact(hours)),
    },
  );
  return html`<figure class="plan">${picture}</figure>`;
}

/**
 * The measuring points of all faces of the chosen floor, each with its hours in the chosen month and the link that
 * chooses it.
 */
function spotsOf(choice: Choice, plane: LocalPlane): PlanSpot[] {
  const { floor, month, spot, face: chosen } = choice;
  return floor.faces.flatMap(({ face, spots = [] }) =>
    spots.map(({ receptor, lat, lon, months }) => ({
      face,
      receptor,
      place: [plane.x(lat, lon), plane.y(lat)],
      hours: hoursIn({ months }, month),
      href: queryOf(choice, { face, receptor }),
      chosen: face === chosen.face && receptor === spot?.receptor,
    })),
  );
}
