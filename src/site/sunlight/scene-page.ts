import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { isRefused, type Refused } from '../../contract/outcome.ts';
import { DIRECTIONS, directionOf } from '../../geo/compass.ts';
import { oneDecimal } from '../../geo/rounding.ts';
import { type DayPath, dayPath, dayPaths, sunAt } from '../../solar/day-path.ts';
import { dayOf } from '../../solar/solar-day.ts';
import { shadowPlan } from '../charts/plans.ts';
import { clockTime, minutesOf } from '../charts/svg.ts';
import { MAP_ASSETS } from '../map/map-files.ts';
import { type Fragment, type Html, html, raw, scrolling, unbroken } from '../markup.ts';
import { fileLink, invalid, notFound, type PageResult, pageLink, type SunlightAsk, textsOf } from '../view.ts';
import { sourceLink, townLabel, whereabouts } from './building-tables.ts';
import { floorName } from './building-words.ts';
import {
  askedIn,
  buildingPath,
  type Choice,
  dateField,
  type FloorSight,
  fifteenth,
  MONTH_NUMBERS,
  neighbourPaths,
  type ShownDay,
  shownDay,
} from './choice.ts';
import { LEAST_HOURS, lettersOf } from './shade.ts';
import { floorOn, type Sight, sightOf } from './sight.ts';
import { type StandingScene, standingSurroundings } from './surroundings.ts';

/** Rows of the table of the sun, minutes after midnight. */
const SUN = { from: 240, step: 10, to: 1200 } as const;
/** The month and time without a request. */
const FIRST_MOMENT = { month: 12, clock: 720 } as const;

/** The shown day and time, and the sun at this time. */
interface Moment {
  day: ShownDay;
  clock: number;
  sun: { azimuthDeg: number; altitudeDeg: number };
  /**
   * By month: when no hill hides the sun from the ground at the building, as starts and ends in turn, minutes after
   * midnight; null: not known.
   */
  sunny: readonly (readonly number[])[] | null;
}

/** The page of the building among its neighbours, with the shadows of a day and a time. */
export async function scenePage(ask: SunlightAsk): Promise<PageResult> {
  const { scene, sunlight } = textsOf(ask);
  const id = ask.values.building_id;
  const building = ask.sunlight.full(id)?.toJSON() ?? null;
  if (building === null) return notFound(sunlight.unknownBuilding(id));
  const place = townLabel(ask, building);
  const day = shownDay(ask);
  const paths = dayPaths(building.lat, building.lon);
  // A date replaces the 15th of its month.
  if (day.date !== null) paths[day.month - 1] = dayPath(dayOf(day.date), building.lat, building.lon);
  const clock = Number(ask.query.get('clock') ?? FIRST_MOMENT.clock);
  const moment = { day, clock, sun: sunAt(paths[day.month - 1], clock), sunny: await sunnyTimes(ask, building, day) };
  // Letters stand on the buildings that shade the chosen wall; without a choice, the sunniest wall of the top floor.
  const sight = await sightOf(ask, building, { ...askedIn(ask.query), month: day.month });
  if (typeof sight === 'string') return invalid(sight);
  const floors = await floorsOf(ask, building, sight, day);
  return {
    kind: 'page',
    title: scene.title(id),
    description: scene.description(id),
    crumbs: [{ name: sunlight.heading(place), path: buildingPath(id, ask.query) }],
    main: content(ask, building, moment, paths, sight, floors),
    ...(isRefused(floors) && { incomplete: { refusal: floors, lacksAnswer: true } }),
  };
}

/** The times without shade of hills by month, as in `Moment.sunny`. A date replaces the 15th of its month. */
async function sunnyTimes(
  ask: SunlightAsk,
  { lat, lon }: BuildingFull,
  { date, month }: ShownDay,
): Promise<Moment['sunny']> {
  if (!ask.sunlight.hasTerrain) return null;
  // The ground at one point: a box without cells has one corner. `sunny` has the times of each day at each corner.
  const here = { kind: 'ground', west: lon, south: lat, east: lon, north: lat, cells: 0, shadeCells: 0 } as const;
  const months = await ask.compute<'ground'>(here);
  if (isRefused(months)) return null;
  const byMonth = months.sunny.map(([timesHere = []]) => timesHere);
  if (date === null) return byMonth;
  const onDate = await ask.compute<'ground'>({ ...here, dates: [date] });
  if (isRefused(onDate)) return null;
  const timesOnDate = onDate.sunny.at(0)?.at(0) ?? [];
  return byMonth.with(month - 1, timesOnDate);
}

/** True when the sun is up and hills hide it from the ground at the building at a minute of a month's day. */
const isHidden = (sunny: Moment['sunny'], month: number, clock: number, altitudeDeg: number): boolean =>
  altitudeDeg > 0 &&
  sunny !== null &&
  !sunny[month - 1].some((start, i, times) => i % 2 === 0 && clock >= start && clock <= times[i + 1]);

/** True when hills hide the sun at the shown time. */
const isBehindHills = ({ sun, sunny, day, clock }: Moment): boolean =>
  isHidden(sunny, day.month, clock, sun.altitudeDeg);

/** The floors of the table: those of the building's page, computed again for a requested date. */
async function floorsOf(
  ask: SunlightAsk,
  { building_id: id }: BuildingFull,
  sight: Sight | null,
  { date }: ShownDay,
): Promise<readonly FloorSight[] | Refused> {
  if (sight === null || date === null) return sight?.floors ?? [];
  const { floors, choice } = sight;
  const { balcony, stated } = choice;
  // Only the chosen floor is behind the balcony that the reader asks for.
  const answers = await Promise.all(
    floors.map(({ floor }) =>
      floorOn(ask, id, { balcony: balcony && floor === choice.floor.floor, stated, floor }, [date]),
    ),
  );
  const refusal = answers.find((one) => isRefused(one));
  if (refusal !== undefined) return refusal;
  return answers.flatMap((one) => (isRefused(one) ? [] : [sightOn(one)]));
}

/**
 * A floor on a date in the form of a stored floor, for the table: each of its twelve months has the sun of that date,
 * because the table takes the sun of the month of the shown day.
 */
function sightOn({ floor, faces }: BuildingFloor): FloorSight {
  const months = (sun: (typeof faces)[number]['day']) =>
    sun === null ? [] : MONTH_NUMBERS.map((month) => ({ ...sun, month }));
  return { floor, faces: faces.map(({ day, ...face }) => ({ ...face, months: months(day), shade: null })) };
}

/**
 * The content of the page. Without the scripts a plan with the shadows of the shown time stands in place of the scene.
 * @param paths the sun's path on the day of each month
 * @param floors the floors of the table, or why they could not be computed
 */
function content(
  ask: SunlightAsk,
  building: BuildingFull,
  moment: Moment,
  paths: readonly DayPath[],
  sight: Sight | null,
  floors: readonly FloorSight[] | Refused,
): Html {
  const { scene, sunlight, frame } = textsOf(ask);
  const { building_id: id } = building;
  const scripts = fileLink(ask, MAP_ASSETS.folder);
  const letters = lettersOf(sight?.choice.face.shade ?? null);
  const place = { lat: building.lat, lon: building.lon, own: id };
  const standing = standingSurroundings(ask.sunlight, place, AROUND);
  const around = standing.buildings.map((one) => ({
    ...one,
    letter: letters.get(one.id) ?? null,
  }));
  const words = {
    title: scene.planTitle,
    description: scene.planDescription,
    north: sunlight.north,
    night: isBehindHills(moment) ? scene.behindHills : scene.night,
    metres: frame.metres,
  };
  // The plan shows a sun that is not above 0° as night.
  const sunOfPlan = isBehindHills(moment) ? { ...moment.sun, altitudeDeg: 0 } : moment.sun;
  const buttons = (['left', 'right', 'nearer', 'farther', 'above', 'reset'] as const).map(
    (does) => html`<button type="button" data-does="${does}">${scene[does]}</button>`,
  );
  return html`<link rel="stylesheet" href="${scripts}scene.css"><h1>${unbroken(scene.heading(townLabel(ask, building)))}<small>${id}</small></h1>
<p class="answer" id="scene-when" aria-live="polite">${whenText(ask, moment)}</p>
${choices(ask, building, moment)}
<div class="scene">
<section><figure id="scene-view" class="scene-view" hidden><p class="note" role="status">${scene.loading}</p>${compass(scene.compass)}</figure>
<p id="scene-named" class="note no-print" role="status" hidden>${scene.press}</p>
<p id="scene-without" class="unknown" role="status" hidden>${scene.noWebgl}</p>
<p id="scene-buttons" class="scene-buttons no-print" role="group" aria-label="${scene.buttons}" hidden>${buttons}</p>
<figure id="scene-plan">${shadowPlan(around, id, sunOfPlan, words)}</figure><div id="scene-shaders">${sight && shaderList(ask, sight.choice)}</div></section>
<section><h2>${scene.walls}</h2>
${isRefused(floors) ? html`<p class="unknown" role="status">${sunlight.notComputed(sunlight.thisFloor, floors)}</p>` : scrolling(scene.walls, wallsTable(ask, floors, moment))}
<p class="note">${scene.meaning}<br>${unbroken(standing.ground === null ? scene.excluded : scene.excludedOnGround)}</p>
<p><a class="button" href="${pageLink(ask, buildingPath(id, ask.query))}">${scene.back}</a></p></section>
</div>
<script type="application/json" id="scene-data">${raw(sceneData(ask, { chosen: id, wallDeg: sight?.choice.face.azimuth_deg ?? null }, { buildings: around, ground: standing.ground }, paths, moment))}</script>
<script type="module" src="${scripts}scene.js"></script>`;
}

/** The button that turns the view to the north. */
const compass = (name: string): Html =>
  html`<button id="scene-compass" class="scene-compass" type="button" aria-label="${name}" title="${name}" hidden>
<svg id="scene-needle" viewBox="-20 -20 40 40" width="40" height="40" aria-hidden="true"><path class="needle" d="M0 -17l6 17h-12z"/><path class="tail" d="M0 17l6 -17h-12z"/><text y="-4">N</text></svg></button>`;

/** The buildings with letters, as on the page of the building; null when they are unknown. */
function shaderList(ask: SunlightAsk, choice: Choice): Fragment {
  const texts = textsOf(ask);
  const { face, month } = choice;
  const { shade } = face;
  if (!shade) return null;
  const names = [floorName(texts, choice), texts.frame.faces[face.face], fifteenth(texts, month)] as const;
  const items = shade.shaders.flatMap(({ letter, building_id, ...shader }) => {
    if (letter === null) return [];
    // The direction in which it hides the sun, not that of its middle.
    const where = whereabouts(ask, { ...shader, azimuth_deg: shader.seen_deg });
    return html`<li><b class="letter">${letter}</b> ${sourceLink(ask, building_id)} ${unbroken(where)}</li>`;
  });
  return items.length === 0
    ? html`<p class="note">${texts.scene.noLetters(...names, Math.round(LEAST_HOURS * 60))}</p>`
    : html`<p class="note">${texts.scene.letters(...names)}</p><ul class="plain">${items}</ul>`;
}

/** The form for day and time. It keeps the other choices of the query. */
function choices(ask: SunlightAsk, { building_id }: BuildingFull, { day, clock }: Moment): Html {
  const { scene } = textsOf(ask);
  const monthSlider = html`<input type="range" name="month" min="1" max="12" value="${day.month}" aria-valuetext="${day.name}">`;
  // A date takes the place of the slider; the form keeps the month.
  const hiddenMonth = html`<input type="hidden" name="month" value="${day.month}">`;
  return html`<form id="scene-choices" class="scene-choices no-print" method="get" action="${pageLink(ask, `/sunlight/building/${building_id}/3d/`)}" aria-label="${scene.choices}">
${['floor', 'face', 'balcony', 'storeys', 'height_m'].map((name) => ask.query.get(name) && html`<input type="hidden" name="${name}" value="${ask.query.get(name)}">`)}
<label><span>${scene.day}</span>${day.date === null ? monthSlider : hiddenMonth}<output id="month-shown">${day.name}</output></label>
<label><span>${scene.clock}</span>
<input type="range" name="clock" min="${SUN.from}" max="${SUN.to}" step="${SUN.step}" value="${clock}" aria-valuetext="${clockTime(clock)}"><output id="clock-shown">${clockTime(clock)}</output></label>
${dateField(ask, day.date)}
<button id="scene-show">${scene.show}</button> <button id="scene-play" type="button" hidden>${scene.play}</button></form>`;
}

/**
 * A table of walls (rows) and floors (columns) that says which are sunlit at the shown time. Each cell has the sunlit
 * times of all months for the script.
 */
function wallsTable(ask: SunlightAsk, floors: readonly FloorSight[], { day, clock }: Moment): Html {
  const { scene, sunlight, frame } = textsOf(ask);
  const top = floors.at(-1);
  if (top === undefined) return html`<p>${sunlight.noWalls}</p>`;
  const cell = (floor: FloorSight, face: string): Html => {
    const months = floor.faces.find((one) => one.face === face)?.months ?? [];
    const windowsByMonth = months.map(({ sunlit_windows }) => sunlit_windows.map((window) => window.map(minutesOf)));
    const isLit = windowsByMonth[day.month - 1]?.some(([from, to]) => clock >= from && clock <= to) ?? false;
    const dataText = windowsByMonth.map((one) => one.map((window) => window.join('-')).join(' ')).join(';');
    return html`<td class="${isLit ? 'lit' : 'shaded'}" data-floor="${floor.floor}" data-face="${face}" data-windows="${dataText}">${isLit ? scene.lit : scene.shaded}</td>`;
  };
  return html`<table class="scene-walls" aria-label="${scene.walls}"><thead><tr><th scope="col">${scene.face}</th>${floors.map(({ floor }) => html`<th scope="col">${frame.floor(floor)}</th>`)}</tr></thead>
<tbody>${top.faces.map(({ face }) => html`<tr><th scope="row">${sunlight.faceName(frame.faces[face])}</th>${floors.map((floor) => cell(floor, face))}</tr>`)}</tbody></table>`;
}

/** The shown day and time with the place of the sun, in words. */
function whenText(ask: SunlightAsk, moment: Moment): string {
  const { scene, frame } = textsOf(ask);
  const { day, clock, sun } = moment;
  const direction = frame.faces[directionOf(sun.azimuthDeg)];
  const where = sun.altitudeDeg <= 0 ? scene.night : scene.sun(direction, String(Math.round(sun.altitudeDeg)));
  const mark = ask.language === 'ja' ? '。' : ': ';
  return `${scene.lead(day.name, clockTime(clock))}${mark}${where}${isBehindHills(moment) ? scene.behind : ''}`;
}

/**
 * The data of the script as JSON. In its texts `{}` stands for a value.
 * @param target the chosen building and the direction of its chosen wall
 */
function sceneData(
  ask: SunlightAsk,
  target: { chosen: string; wallDeg: number | null },
  { buildings, ground }: StandingScene & { buildings: readonly { letter: string | null }[] },
  paths: readonly DayPath[],
  { day, sunny }: Moment,
): string {
  const { scene, sunlight, frame } = textsOf(ask);
  const minutes = Array.from({ length: (SUN.to - SUN.from) / SUN.step + 1 }, (_, i) => SUN.from + i * SUN.step);
  const rows = (path: DayPath): number[][] =>
    minutes.map((minute) => {
      const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
      return [oneDecimal(azimuthDeg), oneDecimal(altitudeDeg)];
    });
  const behindHills = paths.map((path, i) =>
    minutes.filter((minute) => isHidden(sunny, i + 1, minute, sunAt(path, minute).altitudeDeg)),
  );
  const words = {
    // The path of the chosen month is that of the shown day; the others are those of the 15th.
    days: paths.map((_, i) => (i + 1 === day.month ? day.name : fifteenth(textsOf(ask), i + 1))),
    directions: DIRECTIONS.map((face) => frame.faces[face]),
    when: `${scene.lead('{}', '{}')}${ask.language === 'ja' ? '。' : ': '}`,
    sun: scene.sun('{}', '{}'),
    night: scene.night,
    behind: scene.behind,
    lit: scene.lit,
    shaded: scene.shaded,
    play: scene.play,
    stop: scene.stop,
    view: scene.view,
    compass: scene.compass,
    named: sunlight.planNeighbour('{}', '{}'),
    namedOnly: sunlight.planNeighbour('{}', null),
    details: scene.details,
    noBuilding: scene.noBuilding,
  };
  const data = {
    ...target,
    buildingPath: pageLink(ask, neighbourPaths(ask.query)('{}')),
    ownPath: pageLink(ask, buildingPath(target.chosen, ask.query)),
    buildings,
    ground,
    words,
    first: FIRST_MOMENT,
    behindHills,
    sun: { from: SUN.from, step: SUN.step, months: paths.map(rows) },
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** How far from the building others are drawn, metres: all of them, up to a thousand in dense towns. */
const AROUND = { radiusM: 220, most: Infinity } as const;
