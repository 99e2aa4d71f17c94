import { ANSWERED, type AnswerGroup, type AttributeRow, type AttributeValue } from '../../building/attributes.ts';
import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import { hoursClass, isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import { directionOf, turnBetween } from '../../geo/compass.ts';
import type { LatLon } from '../../geo/degree.ts';
import { HOMES, nearPath, serviceName } from '../kaigo/services.ts';
import { type Fragment, type Html, html, scrolling, unbroken } from '../markup.ts';
import { fromStation, townNamed, wardWithoutTowns } from '../names.ts';
import { HOURS_SCALE } from '../scale.ts';
import { numberColumn, table } from '../table.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';
import { degreesText, floorName, metresText, NEXT_DOOR_M } from './building-words.ts';
import {
  type Choice,
  DECEMBER,
  dateName,
  type FaceSight,
  type FloorSight,
  hoursIn,
  type MonthSight,
  monthsOf,
  neighbourPaths,
  queryOf,
  SOLSTICES,
} from './choice.ts';
import type { Shader, WallShade } from './shade.ts';
import type { LetteredSky } from './sight.ts';
import { blockNear, blocksOf, markOf } from './surroundings.ts';

const MARCH = 3;
const JUNE = 6;

/** A table of walls (rows) and floors (columns) with the hours of the month. Each cell links to its wall and floor. */
export function faceFloorTable(ask: PageAsk, floors: readonly FloorSight[], choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const other = choice.month === JUNE ? DECEMBER : JUNE;
  const cell = (floor: FloorSight, face: FaceSight): Html => {
    const sight = floor.faces.find((one) => one.face === face.face);
    if (sight === undefined) return html`<td class="number unknown">${frame.unknown}</td>`;
    const hours = hoursIn(sight, choice.month);
    const isChosen = floor.floor === choice.floor.floor && face.face === choice.face.face;
    const query = queryOf(choice, { floor: floor.floor, face: face.face, receptor: null });
    const current = isChosen ? html` aria-current="true"` : null;
    const otherMonth = html`<small class="nowrap">${frame.month(other)} ${hoursIn(sight, other).toFixed(1)}</small>`;
    const place = html`<span class="visually-hidden"> ${frame.floor(floor.floor)} ${sunlight.faceName(frame.faces[face.face])}</span>`;
    return html`<td class="hours h${hoursClass(hours)}${isChosen ? ' chosen' : ''}" data-face="${face.face}" data-floor="${floor.floor}" data-hours="${hours}"><a href="${query}"${current}>${hours.toFixed(1)} ${otherMonth}${place}</a></td>`;
  };
  const wall = ({ face, azimuth_deg, wall_length_m, headline: isLong }: FaceSight): Html =>
    html`<th scope="row">${sunlight.faceName(frame.faces[face])}<small>${unbroken(sunlight.wall(degreesText(azimuth_deg), metresText(wall_length_m)))}${isLong ? null : sunlight.shortWall}</small></th>`;
  return html`${scrolling(
    sunlight.tableTitle,
    html`<table class="sheet n${floors.length}">
<caption>${sunlight.tableLead(frame.month(choice.month))}</caption>
<thead><tr><th scope="col">${sunlight.face}</th>${floors.map((floor) => html`<th scope="col" class="number">${unbroken(floorHeading(ask, floor, floors))}</th>`)}</tr></thead>
<tbody>${choice.floor.faces.map((face) => html`<tr>${wall(face)}${floors.map((floor) => cell(floor, face))}</tr>`)}</tbody>
</table>`,
  )}${legend(ask)}`;
}

/** The heading of a floor's column. The highest of several floors is named as the top. */
function floorHeading(ask: PageAsk, { floor }: FloorSight, floors: readonly FloorSight[]): string {
  const { frame } = textsOf(ask);
  const name = frame.floor(floor);
  return floor === floors[floors.length - 1].floor && floors.length > 1
    ? textsOf(ask).sunlight.top(floor)
    : name[0].toUpperCase() + name.slice(1);
}

/** The colour scale. */
export function legend(ask: PageAsk): Html {
  const { sunlight, frame } = textsOf(ask);
  return html`<ul class="legend"><li class="name">${sunlight.legend}</li>${HOURS_SCALE.map(({ label }, i) => html`<li class="h${i}">${label}</li>`)}<li class="unknown">${frame.unknown}</li></ul>`;
}

/** The chosen wall month by month: the chart as a table. */
export function monthsTable(ask: PageAsk, choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const months = monthsOf(choice);
  const sunUp = new Map(choice.face.months.map(({ month, sun_up_hours }) => [month, sun_up_hours]));
  const upText = (month: number): string => {
    const hours = sunUp.get(month);
    return hours === undefined ? '–' : frame.hoursExact(hours);
  };
  // A measuring point has no expected hours of its own.
  const hasExpected = months.some(({ expected_hours = null }) => expected_hours !== null);
  const monthly = table<MonthSight>(
    { label: sunlight.monthsTable },
    'months',
    [
      { name: sunlight.monthColumn, content: ({ month }) => frame.month(month) },
      numberColumn(sunlight.hoursColumn, ({ direct_sun_hours }) => frame.hoursExact(direct_sun_hours)),
      ...(hasExpected
        ? [
            numberColumn<MonthSight>(sunlight.expectedColumn, ({ expected_hours }) =>
              frame.hoursExact(expected_hours ?? 0),
            ),
          ]
        : []),
      numberColumn(sunlight.unshadedColumn, ({ unshaded_hours }) => frame.hoursExact(unshaded_hours)),
      numberColumn(sunlight.sunUpColumn, ({ month }) => upText(month)),
      { name: sunlight.windowsColumn, content: ({ sunlit_windows }) => windowsText(sunlit_windows) },
    ],
    months,
    ({ month }) => ({ month }),
  );
  return html`<details><summary>${sunlight.monthsTable}</summary>${scrolling(sunlight.monthsTable, monthly)}</details>`;
}

/** Intervals of a day as text; `–` when there is none. Lines break only between intervals. */
export const windowsText = (windows: readonly (readonly string[])[]): Fragment =>
  windows.length === 0 ? '–' : windows.map((window) => html`<span class="nowrap">${window.join('–')}</span> `);

/**
 * The chosen days, each beside the 15th of its month, with a link that removes them. Without chosen days there is only a
 * link that chooses the solstices.
 * @param computed the floor on these days; null when it could not be computed
 */
export function daysTable(ask: PageAsk, choice: Choice, computed: BuildingFloor | null): Html {
  const { frame, sunlight } = textsOf(ask);
  const { spot, dates } = choice;
  const link = (days: readonly string[], words: string): Html =>
    html`<p class="note no-print"><a href="${queryOf(choice, { dates: days })}">${words}</a></p>`;
  if (dates.length === 0) return link(SOLSTICES, sunlight.solsticesLink);
  const wall = computed?.faces[0];
  const days = (spot === null ? wall : wall?.receptor_details?.[spot.receptor - 1])?.days ?? [];
  const rowData = ({ date, direct_sun_hours }: (typeof days)[number]) => ({ date, hours: direct_sun_hours });
  const daily = table<(typeof days)[number]>(
    { caption: sunlight.datesTable },
    'rows days',
    [
      {
        name: sunlight.dateColumn,
        content: ({ date }) => html`<span class="nowrap">${dateName(textsOf(ask), date)}</span>`,
      },
      numberColumn(sunlight.hoursColumn, ({ direct_sun_hours }) => frame.hoursExact(direct_sun_hours)),
      numberColumn(sunlight.usualColumn, ({ date }) =>
        frame.hoursExact(hoursIn({ months: monthsOf(choice) }, Number(date.slice(5, 7)))),
      ),
      numberColumn(sunlight.unshadedColumn, ({ unshaded_hours }) => frame.hoursExact(unshaded_hours)),
      {
        name: spot === null ? sunlight.windowsColumn : sunlight.skyLit,
        content: ({ sunlit_windows }) => windowsText(sunlit_windows),
      },
    ],
    days,
    rowData,
  );
  return html`${days.length === 0 ? null : scrolling(sunlight.datesTable, daily)}${link([], sunlight.datesNone)}`;
}

/** Degrees that a wall sees to each side of its direction, and width of a row of the table in degrees. */
const [SIDE, SECTOR] = [90, 15];

/**
 * The buildings that have letters in the view of the sky, and other walls of this building, each with the direction and
 * altitude of its highest point; null when there are none.
 */
export function skyList(ask: PageAsk, { sky, letters }: LetteredSky): Fragment {
  const { frame, sunlight } = textsOf(ask);
  const own = sky.building_id;
  const items = [...letters, [own, null] as const].flatMap(([id, letter]) => {
    const points = sky.skyline.flatMap((part) => (part.building_id === id ? part.points : []));
    if (points.length === 0) return [];
    const [azimuth, altitude] = points.reduce((highest, one) => (one[1] > highest[1] ? one : highest));
    if (altitude <= 0) return [];
    const name = letter === null ? sunlight.shadeOwn : html`<b class="letter">${letter}</b> ${sourceLink(ask, id)}`;
    return html`<li>${name} <span class="quiet nowrap">${sunlight.skyRises(frame.faces[directionOf(azimuth)], altitude.toFixed(0))}</span></li>`;
  });
  return items.length === 0 ? null : html`<ul class="plain letters" aria-label="${sunlight.skyLetters}">${items}</ul>`;
}

/** The view of the sky as tables: when the sun reaches the measuring point, and what stands in each direction. */
export function skyTables(ask: PageAsk, sky: BuildingSky, choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const pointMonths = choice.face.spots?.find(({ receptor }) => receptor === sky.receptor)?.months ?? [];
  const shownMonths = [JUNE, MARCH, DECEMBER].flatMap((month) => pointMonths.filter((one) => one.month === month));
  const times = table(
    { caption: sunlight.skyTimes },
    '',
    [
      { name: sunlight.monthColumn, content: ({ month }) => frame.month(month) },
      { name: sunlight.skyLit, content: ({ sunlit_windows }) => windowsText(sunlit_windows) },
    ],
    shownMonths,
  );
  const source = (building: string | null, altitude: number): Fragment => {
    // Something without an ID, or nothing over the horizon.
    if (building === null) return altitude > 0 ? sunlight.unnamed : '–';
    return building === sky.building_id ? sunlight.shadeOwn : sourceLink(ask, building);
  };
  const sectors = table<ReturnType<typeof sectorsOf>[number]>(
    { caption: sunlight.skySectors },
    'sectors',
    [
      {
        name: sunlight.skyDirection,
        content: ({ azimuth }) => `${frame.faces[directionOf(azimuth)]} ${azimuth}°`,
      },
      numberColumn(sunlight.skyAltitude, ({ altitude }) => `${altitude.toFixed(0)}°`),
      {
        name: sunlight.source,
        content: ({ building, altitude }) => source(building, altitude),
      },
    ],
    sectorsOf(sky),
    ({ azimuth }) => ({ azimuth }),
  );
  const both = html`${shownMonths.length === 0 ? null : times}${sectors}`;
  return html`<details><summary>${sunlight.skyTables}</summary>${scrolling(sunlight.skyTables, both)}</details>`;
}

/**
 * The sectors that a wall sees, from left to right: the mean altitude of the skyline, the building that hides most of
 * the sector (null: none, or one without ID), and the azimuth of its middle.
 */
function sectorsOf({ wall_azimuth_deg, skyline }: BuildingSky) {
  const points = skyline.flatMap(({ building_id, points }) =>
    points.map(([azimuth, altitude]) => ({
      offset: turnBetween(wall_azimuth_deg, azimuth),
      altitude: Math.max(0, altitude),
      building: building_id,
    })),
  );
  return Array.from({ length: (2 * SIDE) / SECTOR }, (_, i) => {
    const from = i * SECTOR - SIDE;
    const inside = points.filter(({ offset }) => offset >= from && offset < from + SECTOR);
    const shares = new Map<string | null, number>();
    for (const { building, altitude } of inside) shares.set(building, (shares.get(building) ?? 0) + altitude);
    const [highest] = [...shares].sort(([, a], [, b]) => b - a);
    const [building, most] = highest ?? [null, 0];
    const altitude = inside.reduce((sum, point) => sum + point.altitude, 0) / Math.max(1, inside.length);
    return {
      altitude,
      building: most > 0 ? building : null,
      azimuth: Math.round(wall_azimuth_deg + from + SECTOR / 2 + 360) % 360,
    };
  });
}

/**
 * The measuring points of the chosen wall as links, for people who cannot press the dots of the plan; null when they are
 * unknown.
 */
export function spotsList(ask: PageAsk, choice: Choice): Fragment {
  const { face, month, spot } = choice;
  const { frame, sunlight } = textsOf(ask);
  if (face.spots === undefined || face.spots.length === 0) return null;
  const items = face.spots.map(({ receptor, months }) => {
    const query = queryOf(choice, { receptor });
    const name = sunlight.planSpot(frame.faces[face.face], receptor, frame.hoursExact(hoursIn({ months }, month)));
    return html`<li><a href="${query}"${receptor === spot?.receptor ? html` aria-current="true"` : null}>${name}</a></li>`;
  });
  return html`<details class="no-print"><summary>${sunlight.spotsList(frame.faces[face.face])}</summary><ol class="plain spots">${items}</ol></details>`;
}

/** The sources of shade: those of the chosen wall and month when they are computed, and those of the whole building. */
export function sourcesTable(ask: PageAsk, building: BuildingFull, choice: Choice): Fragment {
  const { sunlight } = textsOf(ask);
  const year = yearSources(ask, building);
  if (!choice.face.shade) return year;
  return html`${wallSources(ask, choice, choice.face.shade)}<details><summary>${sunlight.sourcesYear}</summary>${year}</details>`;
}

/** The buildings that shade the chosen wall, by their letters, with the times of day. */
function wallSources(ask: PageAsk, choice: Choice, { shaders, other_hours }: WallShade): Html {
  const { frame, sunlight } = textsOf(ask);
  const { face, month } = choice;
  if (shaders.length === 0) return html`<p>${sunlight.shadeNone}</p>`;
  const name = ({ letter, is_own, building_id, kind }: Shader): Fragment => {
    const mark = letter === null ? null : html`<b class="letter">${letter}</b> `;
    const shape = building_id === null ? null : outlineOf(ask, building_id);
    return is_own ? sunlight.shadeOwn : html`${mark}${shape}${sourceLink(ask, building_id, kind)}`;
  };
  const rows = table<Shader>(
    { label: sunlight.sourcesHeading },
    'rows shaders',
    [
      { name: sunlight.source, content: name },
      {
        name: sunlight.direction,
        content: (shader) => (shader.is_own ? '–' : whereabouts(ask, { ...shader, azimuth_deg: shader.seen_deg })),
      },
      numberColumn(sunlight.height, heightTexts(ask)),
      numberColumn(sunlight.shadeTakes, ({ shaded_hours }) => frame.hoursExact(shaded_hours)),
      { name: sunlight.shadeTimes, content: ({ shaded_windows }) => windowsText(shaded_windows) },
    ],
    shaders,
  );
  const lead = sunlight.shadeLead(floorName(textsOf(ask), choice), frame.faces[face.face], frame.month(month));
  const others =
    other_hours > 0 ? html`<p class="note">${sunlight.shadeOthers(frame.hoursExact(other_hours))}</p>` : null;
  return html`<p>${lead}</p>${scrolling(sunlight.sourcesHeading, rows)}${others}`;
}

/** The outline of a building as a mark for a list, in the colour of its hours in December. */
export function outlineOf({ dataset: { sunlight } }: PageAsk, id: string): Fragment {
  const hours = sunlight?.summary(id)?.toJSON().december_top_best?.direct_sun_hours ?? null;
  return sunlight && markOf(sunlight, id, hours);
}

/** A link to a source of shade. A source without ID has no page: its word is for hills or for an unnamed building. */
export const sourceLink = (ask: PageAsk, id: string | null, kind: 'building' | 'terrain' = 'building'): Fragment =>
  id === null
    ? textsOf(ask).sunlight[kind === 'terrain' ? 'terrain' : 'unnamed']
    : html`<a class="nowrap" href="${pageLink(ask, neighbourPaths(ask.query)(id))}">${id}</a>`;

/** Where a source of shade stands, such as “southeast 135°, 12 m”. */
export function whereabouts(ask: PageAsk, source: { azimuth_deg: number; distance_m: number | null }): string {
  const { frame } = textsOf(ask);
  const { sunlight } = textsOf(ask);
  const place = [`${degreesText(source.azimuth_deg)}°`];
  const { distance_m } = source;
  if (distance_m !== null) place.push(distance_m < NEXT_DOOR_M ? sunlight.nextDoor : `${distance_m.toFixed(0)} m`);
  return `${frame.faces[directionOf(source.azimuth_deg)]} ${frame.list(place)}`;
}

/** A function that writes the height of a source of shade: `–` where it is unknown, and for hills, which have none. */
function heightTexts({ dataset: { sunlight } }: PageAsk) {
  return ({ building_id: id, height_m }: { building_id: string | null; height_m: number | null }): string => {
    const summary = id === null ? null : (sunlight?.summary(id)?.toJSON() ?? null);
    return height_m === null || (summary !== null && isHeightUnknown(summary)) ? '–' : `${height_m.toFixed(1)} m`;
  };
}

/** The sources that take most sun over all walls, floors and months. */
function yearSources(ask: PageAsk, { shading_sources, self_shaded_share }: BuildingFull): Html {
  const { frame, sunlight } = textsOf(ask);
  const ownShade = html`<p class="note">${sunlight.selfShare((self_shaded_share * 100).toFixed(0))}</p>`;
  if (shading_sources.length === 0) return html`<p>${sunlight.sourcesNone}</p>${ownShade}`;
  const rows = table<(typeof shading_sources)[number]>(
    { label: sunlight.sourcesYear },
    'rows',
    [
      { name: sunlight.source, content: ({ building_id, kind }) => sourceLink(ask, building_id, kind) },
      { name: sunlight.direction, content: (source) => whereabouts(ask, source) },
      numberColumn(sunlight.height, heightTexts(ask)),
      numberColumn(sunlight.takes, ({ blocked_hours }) => frame.hoursExact(blocked_hours)),
      numberColumn(sunlight.share, ({ share }) => `${(share * 100).toFixed(0)} %`),
    ],
    shading_sources,
  );
  return html`${scrolling(sunlight.sourcesYear, rows)}${ownShade}`;
}

/** The town of a building; its ward when the town is unknown. */
export function townLabel(
  ask: PageAsk,
  { ward_code, town_code, town_name }: Pick<BuildingFull, 'ward_code' | 'town_code' | 'town_name'>,
): string {
  if (town_code !== null && town_name !== null) return townNamed(ask, town_code, town_name);
  const ward = wardWithoutTowns(ask, ward_code);
  // A ward without a known name is named by its code.
  return ward === ward_code ? textsOf(ask).sunlight.unknownTown : ward;
}

/** The attributes of the building, and the quality of each. */
export function factsOf(ask: PageAsk, building: BuildingFull): Html {
  const { frame, sunlight } = textsOf(ask);
  const { quality, town_code } = building;
  // The first source of the half is the city model.
  const date = ask.dataset.manifest.halves.sunlight?.sources[0]?.date ?? null;
  const block = blockNear(blocksOf(ask, { name: building.town_name, ward_code: building.ward_code }), building);
  const station = fromStation(ask, building);
  const town =
    town_code === null
      ? null
      : html`<a href="${pageLink(ask, `/sunlight/town/${town_code}/`)}">${townNamed(ask, town_code, building.town_name)}</a>${block === null ? null : ` ${sunlight.nearBlock(block)}`}`;
  // Storeys are estimated from the height: without a height, the estimate is left out.
  const shown = isHeightUnknown(building) && building.storeys_estimated ? { ...building, storeys: null } : building;
  const facts: [string, Fragment][] = [
    [sunlight.factTown, town],
    ...(station === null ? [] : [[sunlight.factStation, station] as [string, Fragment]]),
    ...attributeFacts(ask, 'building', shown),
    [sunlight.factAnnual, building.annual_mean_hours === null ? null : frame.hoursExact(building.annual_mean_hours)],
    [sunlight.factPosition, `${building.lat.toFixed(6)}, ${building.lon.toFixed(6)}`],
    ...attributeFacts(ask, 'quality', quality),
    [sunlight.factYear, html`${date ?? frame.dataUndated}<br><small>${sunlight.builtAfter}</small>`],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${unbroken(name)}</dt>${value === null ? html`<dd class="unknown">${frame.unknown}</dd>` : html`<dd>${value}</dd>`}`)}</dl>`;
}

/**
 * The attributes of one group of the answer as pairs of heading and value. Attributes without a heading are left out.
 */
function attributeFacts(
  ask: PageAsk,
  group: AnswerGroup,
  members: Readonly<Record<string, unknown>>,
): [string, Fragment][] {
  return ANSWERED.filter(({ answer }) => answer.group === group).flatMap((row) => {
    const { heading, name } = row.answer;
    const value = members[name] as AttributeValue;
    if (heading === undefined) return [];
    // Storeys are estimated by the height, and by the usage when it is known.
    const isEstimate = row.key === 'storeys' && members.storeys_estimated === true && value !== null;
    const words = isEstimate
      ? textsOf(ask).sunlight.storeysEstimated(Number(value), members.usage !== null)
      : shownValue(ask, row, value);
    return [[heading[ask.language], words]];
  });
}

/** The value of an attribute in words; null when it is unknown. A choice without a word is shown as it is. */
function shownValue(ask: PageAsk, row: AttributeRow, value: AttributeValue): Fragment {
  if (value === null) return null;
  if (row.kind === 'choice') return row.choices.find((choice) => choice.value === value)?.[ask.language] ?? value;
  if (row.kind === 'code' && row.named !== undefined) {
    const name = row.named.values.find(({ code }) => code === value)?.[ask.language];
    return name ?? textsOf(ask).sunlight.unknownCode(String(value));
  }
  return row.kind === 'number' && row.unit === 'm' ? textsOf(ask).frame.metres(Number(value)) : value;
}

/** Largest distance of the care homes of a page, and the limit of their number. */
const CARE_RADIUS_M = 3000;
const CARE_SHOWN = 6;

/** The care homes nearest to a place. Null where the dataset has no care half. */
export function careNearby(ask: PageAsk, { lat, lon }: LatLon): Fragment {
  const { kaigo } = ask.dataset;
  if (kaigo === null) return null;
  const { sunlight } = textsOf(ask);
  const { facilities } = kaigo.near(lat, lon, CARE_RADIUS_M, HOMES, CARE_SHOWN).toJSON();
  const items = facilities.map(({ facility_id, name, distance_m, service_codes }) => {
    const home = service_codes.find((code) => HOMES.includes(code)) ?? service_codes[0];
    return html`<li><a href="${pageLink(ask, `/kaigo/facility/${facility_id}/`)}"><bdi>${name}</bdi></a> <span class="quiet">${serviceName(home, ask.language)} · ${unbroken(sunlight.careDistance(distance_m))}</span></li>`;
  });
  return html`<h2>${sunlight.careHeading}</h2>
${items.length === 0 ? html`<p>${sunlight.careNone}</p>` : html`<ul class="plain">${items}</ul>`}
${ask.isStatic ? null : html`<p><a href="${pageLink(ask, nearPath(lat, lon))}">${textsOf(ask).care.nearByCost}</a></p>`}`;
}

/**
 * The chosen floor by two rules that experts use, for each wall: the hours at the winter solstice (Japan) and the level
 * of sunlight exposure (Europe). A note states the hours and days that each rule counts.
 */
export function assessments(ask: PageAsk, { assessments: rules }: BuildingFloor): Html {
  const { frame, sunlight } = textsOf(ask);
  const { winter_solstice: solstice, sunlight_exposure: exposure } = rules;
  const withoutYear = (date: string): string => frame.day(frame.month(Number(date.slice(5, 7))), Number(date.slice(8)));
  const rows = solstice.faces.flatMap((japanese) => {
    const european = exposure.faces.find(({ face }) => face === japanese.face);
    return european === undefined ? [] : { japanese, european };
  });
  const byFace = table<(typeof rows)[number]>(
    { label: sunlight.assessHeading },
    '',
    [
      { name: sunlight.face, content: ({ japanese }) => sunlight.faceName(frame.faces[japanese.face]) },
      numberColumn(sunlight.solsticeName, ({ japanese }) => frame.hoursExact(japanese.direct_sun_hours)),
      {
        name: sunlight.exposureName,
        content: ({ european: { level, date, direct_sun_hours } }) => {
          const day = sunlight.exposureDay(withoutYear(date), frame.hoursExact(direct_sun_hours));
          return html`${sunlight.level[level]} ${direct_sun_hours === 0 ? null : html`<small>${unbroken(day)}</small>`}`;
        },
      },
    ],
    rows,
  );
  return html`<section><h2>${sunlight.assessHeading}</h2>${scrolling(sunlight.assessHeading, byFace)}
<p class="note">${unbroken(frame.labelled(sunlight.solsticeName, sunlight.solsticeLead(solstice.from, solstice.to, withoutYear(solstice.date))))}<br>
${unbroken(frame.labelled(sunlight.exposureName, sunlight.exposureLead(withoutYear(exposure.from), withoutYear(exposure.to))))}</p></section>`;
}
