import type { Demand } from '../../compute/on-demand/on-demand.ts';
import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { WhatIf } from '../../contract/operations/sunlight-what-if.ts';
import { isRefused, type Refused, refused } from '../../contract/outcome.ts';
import type { StatedShape } from '../../dataset/sunlight.ts';
import { directionOf } from '../../geo/compass.ts';
import { RADIANS } from '../../geo/degree.ts';
import { azimuthDeg } from '../../geo/plane.ts';
import { pointInRing, segmentsCross, sidesOfRing } from '../../geo/polygon.ts';
import { isInPlan, REACH_M, whatIfPlan } from '../charts/plans.ts';
import { type Fragment, type Html, html, option, scrolling, selectField, unbroken, withBold } from '../markup.ts';
import { type Column, numberColumn, table } from '../table.ts';
import { fileLink, invalid, notFound, type PageResult, pageLink, type SunlightAsk, textsOf } from '../view.ts';
import { townLabel, windowsText } from './building-tables.ts';
import { floorName, longWindows } from './building-words.ts';
import { askedIn, buildingPath, dateField, MONTH_NUMBERS, type ShownDay, shownDay } from './choice.ts';
import { withMoreLetters } from './shade.ts';
import { type Sight, sightOf, skyOf } from './sight.ts';
import { type Neighbour, surroundings, toDegrees } from './surroundings.ts';

/** How far from the building others are shown and can be changed, metres: as far as the corners of the plan. */
const AROUND = { radiusM: Math.ceil(REACH_M * Math.SQRT2), most: Infinity } as const;
/** Limit of the buildings that have a letter and are in the list. */
const MOST_NAMED = 15;

/** The buildings around, and the letters of some of them by ID. */
interface Surroundings {
  around: readonly Neighbour[];
  letters: ReadonlyMap<string, string>;
  /** Why there are no letters; null: there are. */
  refusal: Refused | null;
}

/** The planned building, and the building that it replaces. */
interface Plan {
  /** Rings `[x, y, …]`, metres from the building: they are drawn. */
  rings: number[][];
  /** The same rings as `[lat, lon, …]`, degrees: with them the sun is computed. */
  places: number[][];
  /** 0: the changed building is demolished. A new one is higher. */
  heightM: number;
  /** The building whose height changes; null: a new one is placed. */
  changed: Neighbour | null;
}

/** The plan in the query, and what came of it. */
type Planned =
  /** The query has no plan yet. */
  | { kind: 'none' }
  /** Something of the plan is missing or impossible. */
  | { kind: 'wrong'; refusal: Refused }
  | { kind: 'not-computed'; plan: Plan; refusal: Refused }
  | { kind: 'computed'; plan: Plan; answer: ShownFaces };

/** The effect of a planned building next door on the sun of a floor. */
export async function whatIfPage(ask: SunlightAsk): Promise<PageResult> {
  const { whatIf, sunlight } = textsOf(ask);
  const id = ask.values.building_id;
  const building = ask.sunlight.full(id)?.toJSON() ?? null;
  if (building === null) return notFound(sunlight.unknownBuilding(id));
  const asked = askedIn(ask.query);
  const sight = await sightOf(ask, building, asked);
  if (typeof sight === 'string') return invalid(sight);
  if (sight === null) return notFound(sunlight.noWalls);
  const floor = asked.floor ?? sight.storeys;
  const day = shownDay(ask);
  const scene = await surroundingsOf(ask, sight);
  const planned = await plannedIn(ask, building, scene.around, sight, floor, day);
  const plan = 'plan' in planned ? planned.plan : null;
  const refusal = 'refusal' in planned ? planned.refusal : null;
  const town = townLabel(ask, building);
  // Without the sky, the page has its answer, but the buildings around have no letters.
  const withoutLetters = scene.refusal && { refusal: scene.refusal, lacksAnswer: false };
  const incomplete = refusal === null ? withoutLetters : { refusal, lacksAnswer: true };
  // A page that refuses has no drawing, which is most of its bytes.
  const main = html`<h1>${unbroken(whatIf.heading(town))} <small>${id}</small></h1>
${firstWords(ask, planned, scene, sight, floor, day)}
<div class="columns">${refusal === null ? drawing(ask, scene, id, plan) : null}
<section class="no-print"><h2>${whatIf.form}</h2>${form(ask, sight, floor, day, scene)}</section></div>
${planned.kind === 'computed' ? tables(ask, planned.answer, day) : null}
${links(ask, building, plan)}`;
  return {
    kind: 'page',
    title: whatIf.title(town, id),
    description: whatIf.description(id),
    crumbs: [{ name: sunlight.heading(town), path: buildingPath(id, ask.query) }],
    main,
    scripts: ['what-if.js'],
    isPersonal: planned.kind !== 'none',
    ...(incomplete !== null && { incomplete }),
  };
}

/** Reads the plan in the query, and computes its effect on a floor. */
async function plannedIn(
  ask: SunlightAsk,
  building: BuildingFull,
  around: readonly Neighbour[],
  sight: Sight,
  floor: number,
  day: ShownDay,
): Promise<Planned> {
  const plan = planOf(ask, around, building);
  if (plan === null) return { kind: 'none' };
  // A wrong plan is explained on the page, because the form keeps the input.
  if (typeof plan === 'string') return { kind: 'wrong', refusal: refused('invalid-parameter', plan) };
  const { stated = {} } = askedIn(ask.query);
  const answer = await answerOn(ask, demandOf(building, floor, stated, plan), day);
  if (isRefused(answer)) return { kind: 'not-computed', plan, refusal: answer };
  return { kind: 'computed', plan, answer: { ...answer, face: faceIn(answer.faces, sight) } };
}

/** What the page is for, what is wrong with the plan, why it was not computed, or its effect. */
function firstWords(
  ask: SunlightAsk,
  planned: Planned,
  scene: Surroundings,
  { choice }: Sight,
  floor: number,
  day: ShownDay,
): Html {
  const { whatIf, sunlight, frame } = textsOf(ask);
  switch (planned.kind) {
    case 'none':
      return html`<p class="answer">${whatIf.lead}</p>`;
    case 'wrong':
      return html`<p class="answer" role="alert">${planned.refusal.detail}</p>`;
    case 'not-computed':
      return html`<p class="answer" role="status">${sunlight.notComputed(frame.floor(floor), planned.refusal)}</p><p class="ways"><a class="button" href="">${sunlight.again}</a></p>`;
    case 'computed':
      return effectText(ask, choice.isEstimated, planned.answer, planSentence(ask, planned.plan, scene), day);
  }
}

/**
 * The buildings around. Their letters are those of the building's page for the chosen wall; the nearest others have the
 * letters that follow.
 */
async function surroundingsOf(ask: SunlightAsk, { building, choice, refusal }: Sight): Promise<Surroundings> {
  const { building_id: id, lat, lon } = building;
  // A building picked on the page of another floor or wall, which sees it, can be far away: it is added.
  const pick = ask.query.get('pick');
  const picked = pick ? [pick] : [];
  const sky = refusal ?? (await skyOf(ask, id, choice));
  if (isRefused(sky)) {
    return { around: surroundings(ask.sunlight, lat, lon, AROUND, picked), letters: new Map(), refusal: sky };
  }
  const around = surroundings(ask.sunlight, lat, lon, AROUND, new Set([...sky.letters.keys(), ...picked]));
  const others = around.map((one) => one.id).filter((one) => one !== id);
  return { around, letters: withMoreLetters(sky.letters, others, MOST_NAMED), refusal: null };
}

/** The walls of a floor before and after, in every month and on the shown day. */
async function answerOn(ask: SunlightAsk, demand: ReturnType<typeof demandOf>, { date, month }: ShownDay) {
  const monthly = await ask.compute<'what-if'>(demand);
  if (isRefused(monthly)) return monthly;
  const daily = date === null ? null : await ask.compute<'what-if'>({ ...demand, dates: [date] });
  if (daily !== null && isRefused(daily)) return daily;
  return { floor: monthly.floor, faces: facesOn(monthly, daily, month) };
}

/** The plan of the buildings around, on which the reader can draw a box. */
function drawing(ask: SunlightAsk, scene: Surroundings, id: string, plan: Plan | null): Html {
  const { whatIf } = textsOf(ask);
  return html`<section><h2>${whatIf.planTitle}</h2><figure id="what-if-plan" data-reach="${REACH_M}">${drawPlan(ask, scene, id, plan)}</figure>
<p class="no-print"><button type="button" id="what-if-draw" class="quiet-button" aria-pressed="false" hidden>${whatIf.draw}</button>
<span id="what-if-note" class="note" role="status" hidden>${whatIf.drawing}</span></p></section>`;
}

/** A wall before and after, on the shown day and in the twelve months. */
type ShownFace = Pick<WhatIf['faces'][number], 'face' | 'headline' | 'annual_mean_hours'> & {
  months: NonNullable<WhatIf['faces'][number]['months']>;
  shown: Omit<NonNullable<WhatIf['faces'][number]['days']>[number], 'date'>;
};

/**
 * The walls of an answer, each with the change on the shown day.
 * @param onDate the answer for the shown date; null: the 15th of the month is shown
 */
const facesOn = ({ faces }: WhatIf, onDate: WhatIf | null, month: number): ShownFace[] =>
  faces.flatMap((face, i) => {
    const months = face.months ?? [];
    const shown = onDate === null ? months[month - 1] : onDate.faces[i].days?.[0];
    return shown === undefined ? [] : [{ ...face, months, shown }];
  });

/**
 * The plan in the query: a changed height or a new box.
 * @returns null when the query has no plan yet; a text that says what is missing or impossible
 */
function planOf(
  ask: SunlightAsk,
  around: readonly Neighbour[],
  { building_id: id, lat, lon }: BuildingFull,
): Plan | string | null {
  const { whatIf } = textsOf(ask);
  const [pick, heightM] = [ask.query.get('pick'), numberIn(ask, 'up')];
  if (pick) {
    if (pick === id) return whatIf.ownPick;
    const changed = around.find((one) => one.id === pick);
    if (changed === undefined) return textsOf(ask).sunlight.unknownBuilding(pick);
    if (heightM === null) return null;
    const footprint = ask.sunlight.footprint(pick)?.coordinates ?? [];
    // GeoJSON repeats the first corner at the end, and its corners are [lon, lat].
    const places = footprint.map(([outer]) =>
      outer.slice(0, -1).flatMap(([cornerLon, cornerLat]) => [cornerLat, cornerLon]),
    );
    return { rings: changed.polygons.map(([outer]) => outer), places, heightM, changed };
  }
  const [east, north, width, depth] = ['east', 'north', 'width', 'depth'].map((name) => numberIn(ask, name));
  if ([east, north, width, depth, heightM].every((value) => value === null)) return null;
  if (east === null || north === null || width === null || depth === null || heightM === null || heightM === 0)
    return whatIf.noBox;
  const ring = box(east, north, width, depth, numberIn(ask, 'turn') ?? 0);
  const ownPolygons = around.find((one) => one.id === id)?.polygons ?? [];
  if (ownPolygons.some(([outer]) => overlaps(outer, ring))) return whatIf.overlapsOwn;
  return { rings: [ring], places: [toDegrees(ring, lat, lon)], heightM, changed: null };
}

/** A number in the query; null when it is absent or empty. */
const numberIn = ({ query }: SunlightAsk, name: string): number | null => {
  const text = query.get(name);
  return text === null || text === '' ? null : Number(text);
};

/**
 * The corners of a box, metres east and north, alternating.
 * @param turnDeg how far the box is turned clockwise around its middle
 */
function box(east: number, north: number, width: number, depth: number, turnDeg: number): number[] {
  const [sin, cos] = [Math.sin(turnDeg * RADIANS), Math.cos(turnDeg * RADIANS)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].flatMap(([x, y]) => {
    const [dx, dy] = [(x * width) / 2, (y * depth) / 2];
    return [east + dx * cos + dy * sin, north - dx * sin + dy * cos];
  });
}

/** True when a corner of one ring is inside the other, or their sides cross. */
const overlaps = (a: readonly number[], b: readonly number[]): boolean =>
  hasCornerIn(a, b) ||
  hasCornerIn(b, a) ||
  sidesOfRing(a).some((side) => sidesOfRing(b).some((other) => segmentsCross(...side, ...other)));

const hasCornerIn = (ring: readonly number[], other: readonly number[]): boolean =>
  ring.some((x, i) => i % 2 === 0 && pointInRing(x, ring[i + 1], other));

/** The computation of a plan. A building of height 0 is gone: nothing stands in its place. */
function demandOf(
  { building_id: buildingId }: BuildingFull,
  floor: number,
  stated: StatedShape,
  { places, heightM, changed }: Plan,
): Extract<Demand, { kind: 'what-if' }> {
  const planned = heightM === 0 ? [] : places.map((ring) => ({ ring, heightM, baseM: null }));
  return { kind: 'what-if', buildingId, floor, ...stated, planned, replaces: changed === null ? [] : [changed.id] };
}

/** The walls of an answer, and the one that is described. */
interface ShownFaces {
  floor: number;
  faces: readonly ShownFace[];
  face: ShownFace | undefined;
}

/** The chosen wall in an answer. */
const faceIn = (faces: readonly ShownFace[], { choice }: Sight): ShownFace | undefined =>
  faces.find(({ face }) => face === choice.face.face);

/**
 * The effect of the plan on one wall, in sentences; a wall that changes more is named too.
 * @param planned the plan in a sentence
 */
function effectText(ask: SunlightAsk, isEstimated: boolean, answer: ShownFaces, planned: string, day: ShownDay): Html {
  const { whatIf, frame } = textsOf(ask);
  const { face } = answer;
  if (face === undefined) return html``;
  const { before, after, taken_windows, gained_windows } = face.shown;
  const [was, is] = hoursOf(ask, face);
  const words = [day.name, floorName(textsOf(ask), { floor: answer, isEstimated }), frame.faces[face.face]] as const;
  const sentence =
    before.direct_sun_hours === after.direct_sun_hours
      ? withBold(whatIf.same(...words, was), [was])
      : withBold(whatIf.answer(...words, was, is), [`${was} → ${is}`]);
  const windowText = (windows: readonly (readonly string[])[]): string =>
    frame.list(longWindows(windows).map((window) => window.join('–')));
  const { annual_mean_hours: year } = face;
  const yearText = year === null ? [] : [whatIf.year(frame.hoursExact(year.before), frame.hoursExact(year.after))];
  const other = mostChanged(answer.faces);
  const otherHours = other === undefined || other === face ? null : hoursOf(ask, other);
  const otherChange =
    other === undefined || otherHours === null || otherHours[0] === otherHours[1]
      ? null
      : whatIf.mostChanged(frame.faces[other.face], ...otherHours);
  return html`<p class="answer">${sentence}</p>
${otherChange === null ? null : html`<p class="more">${unbroken(otherChange)}</p>`}
<p class="more">${unbroken(frame.sentences(planned, ...yearText))}</p>
${longWindows(taken_windows).length === 0 ? null : html`<p class="more">${whatIf.taken(windowText(taken_windows))}</p>`}
${longWindows(gained_windows).length === 0 ? null : html`<p class="more">${whatIf.gained(windowText(gained_windows))}</p>`}
<p class="note">${frame.sentences(whatIf.meaning, whatIf.share)}</p>`;
}

/** The printed hours of the shown day before and after. */
function hoursOf(ask: SunlightAsk, { shown: { before, after } }: ShownFace): [was: string, is: string] {
  const { frame } = textsOf(ask);
  return [frame.hoursUnit(before.direct_sun_hours), frame.hoursUnit(after.direct_sun_hours)];
}

/** The headline face whose hours change most; undefined when none changes. */
function mostChanged(faces: readonly ShownFace[]): ShownFace | undefined {
  const change = ({ shown }: ShownFace): number => Math.abs(shown.change_hours);
  return faces.filter((face) => face.headline && change(face) > 0).toSorted((a, b) => change(b) - change(a))[0];
}

/** The plan in a sentence: the changed building, or the height, distance and direction of the new one. */
function planSentence(ask: SunlightAsk, { rings, heightM, changed }: Plan, { letters }: Surroundings): string {
  const { whatIf, frame } = textsOf(ask);
  if (changed !== null) {
    const name = letters.get(changed.id) ?? changed.id;
    return heightM === 0 ? whatIf.goneNote(name) : whatIf.raised(name, String(heightM));
  }
  // The middle of the box, between its first and its third corner, metres from the building of the page.
  const [east, north] = [0, 1].map((axis) => (rings[0][axis] + rings[0][axis + 4]) / 2);
  const direction = frame.faces[directionOf(azimuthDeg(east, north))];
  return whatIf.planned(String(heightM), Math.hypot(east, north).toFixed(0), direction);
}

/** The drawing of the buildings around, with their letters, and of the new building. */
function drawPlan(ask: SunlightAsk, { around, letters }: Surroundings, id: string, plan: Plan | null): Html {
  const { whatIf, sunlight, frame } = textsOf(ask);
  const buildings = around.map((one) => ({
    ...one,
    letter: letters.get(one.id) ?? null,
    title: `${one.id === id ? sunlight.shadeOwn : one.id}, ${one.isHeightKnown ? frame.metres(Math.round(one.heightM)) : sunlight.shapeNoHeight}`,
    isChanged: plan?.changed?.id === one.id,
  }));
  const words = { title: whatIf.planTitle, description: whatIf.planDescription };
  return whatIfPlan(buildings, id, plan === null || plan.changed !== null ? [] : plan.rings, {
    ...words,
    north: sunlight.north,
    metres: frame.metres,
  });
}

/**
 * The buildings whose height the form can change: those that have a letter in the drawing; without letters the nearest
 * ones. A picked building is always among them.
 * @param own ID of the building of the page, which cannot be changed
 * @param pick ID of the picked building; empty: none
 */
function offeredBuildings({ around, letters }: Surroundings, own: string, pick: string): readonly Neighbour[] {
  const named =
    letters.size === 0
      ? around.filter(({ id }) => id !== own).slice(0, MOST_NAMED)
      : [...letters.keys()].flatMap((id) => around.find((one) => one.id === id) ?? []);
  const picked = around.find(({ id }) => id === pick);
  return picked === undefined || named.includes(picked) ? named : [...named, picked];
}

/**
 * The form with the floor, wall and day, and with the changed height or the new box. Its hidden fields keep the storeys and
 * the height that the reader stated for the building.
 */
function form(ask: SunlightAsk, sight: Sight, floor: number, day: ShownDay, scene: Surroundings): Html {
  const { whatIf, frame, sunlight } = textsOf(ask);
  const { building, storeys, choice } = sight;
  const { storeys: statedStoreys, heightM: statedHeightM } = askedIn(ask.query).stated ?? {};
  const { letters } = scene;
  const fieldValue = (name: string): string => ask.query.get(name) ?? '';
  const number = (name: string, label: string, least: number, most: number, step = 0.1): Html =>
    html`<label>${label}<input type="number" name="${name}" min="${least}" max="${most}" step="${step}" value="${fieldValue(name)}" inputmode="decimal"></label>`;
  const hidden = (name: string, value: number | undefined): Fragment =>
    value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`;
  const changes = offeredBuildings(scene, building.building_id, fieldValue('pick')).map(
    ({ id, heightM, isHeightKnown, polygons }) => {
      const height = isHeightKnown ? heightM.toFixed(0) : null;
      return option(
        id,
        whatIf.change(letters.get(id) ?? '', id, height, isInPlan(polygons)),
        id === fieldValue('pick'),
      );
    },
  );
  const floors = Array.from({ length: storeys }, (_, i) => [i + 1, frame.floor(i + 1)] as const);
  const months = MONTH_NUMBERS.map((one) => [one, frame.month(one)] as const);
  return html`<form id="what-if-form" method="get" action="${pageLink(ask, `/sunlight/building/${building.building_id}/what-if/`)}" aria-label="${whatIf.form}">
${hidden('storeys', statedStoreys)}${hidden('height_m', statedHeightM)}${hidden('balcony', choice.balcony ? 1 : undefined)}<fieldset class="picker"><legend>${whatIf.room}</legend>
${selectField('floor', sunlight.floorLabel, floors, floor)}
<label>${sunlight.faceLabel}<select name="face"><option value="">${whatIf.sunniest}</option>${choice.floor.faces.map(({ face }) => option(face, sunlight.faceName(frame.faces[face]), face === fieldValue('face')))}</select></label>
${selectField('month', sunlight.monthLabel, months, day.month)}${dateField(ask, day.date, sunlight.dateInstead)}</fieldset>
<fieldset class="picker"><legend>${whatIf.which}</legend>
<label>${whatIf.pick}<select name="pick"><option value="">${whatIf.newBuilding}</option>${changes}</select></label>
${number('up', whatIf.up, 0, 400)}<p class="note">${whatIf.upNote}</p></fieldset>
<fieldset class="picker"><legend>${whatIf.box}</legend>
${number('east', whatIf.east, -200, 200)}${number('north', whatIf.north, -200, 200)}
${number('width', whatIf.width, 1, 300)}${number('depth', whatIf.depth, 1, 300)}${number('turn', whatIf.turn, -90, 90)}
<p class="note">${whatIf.boxNote}</p></fieldset>
<p><button>${whatIf.show}</button></p></form>`;
}

/** The effect on one wall in each month, and on every wall on the shown day. */
function tables(ask: SunlightAsk, { faces, face }: ShownFaces, day: ShownDay): Html {
  const { whatIf, frame, sunlight } = textsOf(ask);
  if (face === undefined) return html``;
  const signOf = (hours: number): string => {
    if (hours === 0) return '±';
    return hours > 0 ? '+' : '−';
  };
  const signed = (hours: number): string => `${signOf(hours)}${Math.abs(hours).toFixed(2)}`;
  type Change = { before: { direct_sun_hours: number }; after: { direct_sun_hours: number } };
  const hours = (name: string, when: 'before' | 'after'): Column<Change> =>
    numberColumn(name, (change) => change[when].direct_sun_hours.toFixed(2));
  const change: Column<Change> = {
    name: whatIf.changeColumn,
    className: 'number minor',
    content: ({ before, after }) => signed(after.direct_sun_hours - before.direct_sun_hours),
  };
  const changes = [hours(whatIf.before, 'before'), hours(whatIf.after, 'after'), change];
  const titles = { month: whatIf.table(frame.faces[face.face]), face: whatIf.faces(day.name) };
  const byMonth = table<(typeof face.months)[number]>(
    { label: titles.month },
    '',
    [
      { name: whatIf.month, content: ({ month }) => frame.month(month) },
      ...changes,
      { name: whatIf.takenColumn, content: ({ taken_windows }) => windowsText(longWindows(taken_windows)) },
    ],
    face.months,
  );
  const byFace = table<Change & { face: string }>(
    { label: titles.face },
    '',
    [{ name: whatIf.face, content: (row) => sunlight.faceName(frame.faces[row.face]) }, ...changes],
    faces.map(({ face: name, shown }) => ({ ...shown, face: name })),
  );
  const section = (name: string, rows: Html): Html => html`<section><h2>${name}</h2>${scrolling(name, rows)}</section>`;
  return html`<div class="columns">${section(titles.month, byMonth)}${section(titles.face, byFace)}</div>`;
}

/** Limit of the rings in a link to the drawing of shadows: more would make the URL too long. */
const MOST_RINGS = 3;

/** Links back to the building, and to the shadows on the ground. */
function links(ask: SunlightAsk, { building_id: id }: BuildingFull, plan: Plan | null): Html {
  const { whatIf } = textsOf(ask);
  /** A ring `[lat, lon, …]` as the parameter `ring` of the drawing: `lat,lon;lat,lon;…`. */
  const ringText = (ring: readonly number[]): string =>
    Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]},${ring[2 * i + 1]}`).join(';');
  const drawing = (query: Record<string, string>): string =>
    `${fileLink(ask, '/sunlight/shadow.svg')}?${new URLSearchParams({ ...query, lang: ask.language })}`;
  const isDrawn = plan !== null && plan.heightM > 0 && plan.places.length <= MOST_RINGS;
  const planned = isDrawn
    ? drawing({ ring: plan.places.map(ringText).join('/'), height_m: String(plan.heightM) })
    : null;
  return html`<section class="no-print"><h2>${whatIf.shadowHeading}</h2><ul class="plain">
${planned === null ? null : html`<li><a href="${planned}">${whatIf.shadowLink}</a></li>`}
<li><a href="${drawing({ building_id: id })}">${whatIf.shadowOwnLink}</a></li></ul><p class="note">${whatIf.shadowNote}</p>
<p><a class="button" href="${pageLink(ask, buildingPath(id, ask.query))}">${whatIf.back}</a></p></section>`;
}
