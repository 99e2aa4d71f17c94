import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { isRefused, type Refused } from '../../contract/outcome.ts';
import { isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import { townOf } from '../../dataset/sunlight.ts';
import type { Language } from '../language.ts';
import { type Fragment, type Html, html, unbroken } from '../markup.ts';
import { townNamed, wardNamed, wardWithoutTowns } from '../names.ts';
import { saveButton } from '../parts.ts';
import { TEXTS } from '../texts/texts.ts';
import {
  type Crumb,
  fileLink,
  invalid,
  notFound,
  type PageResult,
  pageLink,
  type SunlightAsk,
  sentenceGap,
  textsOf,
  withQuery,
} from '../view.ts';
import {
  assessments,
  careNearby,
  daysTable,
  faceFloorTable,
  factsOf,
  monthsTable,
  skyList,
  skyTables,
  sourcesTable,
  spotsList,
  townLabel,
} from './building-tables.ts';
import {
  answerOf,
  betterFace,
  caveatsOf,
  chartNote,
  expectedSentence,
  floorName,
  picker,
  planOf,
  sentenceOf,
  shadeSentence,
} from './building-words.ts';
import {
  askedIn,
  type Choice,
  choiceQuery,
  DECEMBER,
  hoursIn,
  isStated,
  queryOf,
  storedFloors,
  USUAL_BALCONY,
} from './choice.ts';
import { chartOf, drawSky } from './drawings.ts';
import { withSkyLetters } from './shade.ts';
import { floorOn, type LetteredSky, type Sight, sightOf, skyOf } from './sight.ts';

/** The sun of one building, wall by wall and floor by floor. */
export async function buildingPage(ask: SunlightAsk): Promise<PageResult> {
  const id = ask.values.building_id;
  const asked = askedIn(ask.query);
  const texts = textsOf(ask);
  const { sunlight } = texts;
  const building = ask.sunlight.full(id)?.toJSON() ?? null;
  if (building === null) return notFound(sunlight.unknownBuilding(id));
  // A text: the request is invalid. Null: the building has no walls.
  const sight = await sightOf(ask, building, asked);
  if (typeof sight === 'string') return invalid(sight);
  const place = townLabel(ask, building);
  const common = { kind: 'page', title: sunlight.title(place, id), crumbs: crumbsOf(ask, building) } as const;
  if (sight === null) {
    const main = html`${heading(ask, building)}<p class="answer">${sunlight.noWalls}</p><div class="columns"><section><h2>${sunlight.factsHeading}</h2>${factsOf(ask, building)}</section></div>`;
    return { ...common, description: sunlight.noWalls, main };
  }
  // The requested floor or measuring point was not computed: the page has no answer.
  if (sight.lacksRequested && sight.refusal !== null) {
    const { refusal } = sight;
    const floor = asked.floor === null ? sunlight.thisFloor : texts.frame.floor(asked.floor);
    const reason = sunlight.notComputed(floor, refusal);
    const main = html`${heading(ask, building)}<p class="answer" role="status">${reason}</p><p class="ways"><a class="button" href="">${sunlight.again}</a></p>${picker(ask, sight, asked.floor)}`;
    return { ...common, description: reason, main, scripts: ['picker.js'], incomplete: { refusal, lacksAnswer: true } };
  }
  // When the floor was refused, a stored one is shown, and its sky and days are not asked for either.
  const sky = sight.refusal ?? (await skyOf(ask, id, sight.choice));
  const lettered = isRefused(sky) ? sight : withLettersOf(sight, sky);
  const days = sight.refusal ?? (await daysOf(ask, id, sight.choice));
  const refusalOfDays = days !== null && isRefused(days) ? days : null;
  const refusal = isRefused(sky) ? sky : refusalOfDays;
  return {
    ...common,
    description: sunlight.description(place, sentenceOf(texts, sight.choice)),
    main: html`<div class="sheet-a4">${content(ask, lettered, sky, days, refusal)}</div>`,
    scripts: ['below.js', 'picker.js'],
    ...(refusal !== null && { incomplete: { refusal, lacksAnswer: sight.lacksRequested } }),
  };
}

/** The chosen wall with the letters of its view of the sky. */
function withLettersOf(sight: Sight, { letters }: LetteredSky): Sight {
  const { shade, ...face } = sight.choice.face;
  return shade
    ? { ...sight, choice: { ...sight.choice, face: { ...face, shade: withSkyLetters(shade, letters) } } }
    : sight;
}

/** The chosen wall on the chosen dates; null when none is chosen. */
async function daysOf(
  ask: SunlightAsk,
  id: string,
  { dates, floor: { floor }, face: { face }, ...choice }: Choice,
): Promise<BuildingFloor | Refused | null> {
  return dates.length === 0 ? null : floorOn(ask, id, { ...choice, floor, face }, dates);
}

/**
 * The content of the page of a floor. `sky` and `days` are refusals when they could not be computed: the page then says
 * so, and shows the rest.
 * @param sight the building with its floors and the chosen floor and wall
 * @param days null when no dates are chosen
 * @param refusal that of `sky` or `days`; null: none
 */
function content(
  ask: SunlightAsk,
  sight: Sight,
  sky: LetteredSky | Refused,
  days: BuildingFloor | Refused | null,
  refusal: Refused | null,
): Html {
  const texts = textsOf(ask);
  const { frame, sunlight } = texts;
  const { building, floors, choice } = sight;
  const meaning = choice.balcony ? [sunlight.balconyMeaning, sunlight.balconyOthers] : [sunlight.meaning];
  const more = [shadeSentence(texts, choice), expectedSentence(texts, choice), betterFace(texts, choice)].filter(
    (sentence) => sentence !== null,
  );
  return html`${heading(ask, building)}
<p class="note shape">${unbroken(shapeLine(ask, sight))}</p>
<p class="answer">${answerOf(texts, choice)}</p>
${more.map((sentence) => html`<p class="more">${unbroken(sentence)}</p>`)}
${refusal && html`<p class="unknown" role="status">${sunlight.notComputed(sunlight.details, refusal)}</p>`}
<p class="note">${unbroken(frame.sentences(...meaning, sunlight.terrainText[building.quality.terrain]))}</p>
${caveatsOf(texts, building, choice).map((caveat) => html`<p class="note caveat">${unbroken(caveat)}</p>`)}
${picker(ask, sight)}
${furtherLinks(ask, sight)}
<div class="columns">
<section><h2>${sunlight.tableTitle}</h2>${faceFloorTable(ask, floors, choice)}</section>
<section><h2>${sunlight.planTitle}</h2><p class="note no-print">${sunlight.planLead}</p>${planOf(ask, building, choice, isRefused(sky) ? null : sky.letters)}${spotLine(ask, sight)}${spotsList(ask, choice)}</section>
</div>
<div class="columns">
<section><h2>${sunlight.chartHeading}</h2>
<figure>${chartOf(ask, building, choice)}<figcaption>${chartNote(texts, choice)}</figcaption></figure>
${drawingLink(ask, sight, 'sun.svg', sunlight.chartLink, { month: null })}
${daysTable(ask, choice, days === null || isRefused(days) ? null : days)}
${monthsTable(ask, choice)}</section>
${isRefused(sky) ? null : skySection(ask, sight, sky)}
</div>
${sight.computed === null ? null : html`<div class="no-print">${assessments(ask, sight.computed)}</div>`}
<section id="shade"><h2>${sunlight.sourcesHeading}</h2>${sourcesTable(ask, building, choice)}</section>
<div class="columns no-print"><section><h2>${sunlight.factsHeading}</h2>${factsOf(ask, building)}</section>
<section>${careNearby(ask, building)}<h2>${sunlight.linksHeading}</h2>${links(ask, building, choice)}</section></div>`;
}

/** The button that saves the flat, and links to further pages with the present choice. */
function furtherLinks(ask: SunlightAsk, { building, choice }: Sight): Html {
  const { sunlight, scene, whatIf } = textsOf(ask);
  const { building_id: id, height_m } = building;
  const { floor, face, month, stated, balcony, dates } = choice;
  // The other pages show one day: of several dates none is chosen there.
  const day = { month, balcony, dates: dates.length === 1 ? dates : [] };
  const view = queryOf(choice, { receptor: null, dates: day.dates });
  // A comparison and a saved flat cannot name storeys or a height that the user states, so neither is offered then.
  const hasStatedShape = isStated(stated);
  const flatId = `${id}:${floor.floor}:${face.face}`;
  const dayQuery = [...new URLSearchParams(choiceQuery(day))];
  const comparison = withQuery('/compare/', [['b', flatId], ...dayQuery]);
  const pages: [string, string][] = [
    [`/sunlight/building/${id}/3d/${view}`, scene.link],
    [`/sunlight/building/${id}/what-if/${view}`, whatIf.link],
    ...(hasStatedShape ? [] : [[comparison, sunlight.linkCompare] satisfies [string, string]]),
    [`/map/${mapQuery(building, choice)}`, sunlight.linkMap],
  ];
  const named = (language: Language): string => {
    const { frame, sunlight } = TEXTS[language];
    return `${townLabel({ ...ask, language }, building)} ${floorName({ frame, sunlight }, choice)} ${sunlight.faceName(frame.faces[face.face])}`;
  };
  const flat = {
    kind: 'flats',
    id: flatId,
    name: named('ja'),
    latin: named('en'),
    height: isHeightUnknown(building) ? '' : height_m.toFixed(1),
    hours: hoursIn(face, DECEMBER).toFixed(2),
  } as const;
  const save = hasStatedShape ? null : saveButton(ask, flat, dayQuery);
  return html`<p class="chips no-print">${save} <a href="#shade">${sunlight.sourcesHeading}</a> ${pages.map(([path, name]) => html`<a href="${pageLink(ask, path)}">${name}</a> `)}</p>`;
}

/**
 * The query of the map for the present choice. The map has only the lowest, the middle and the top floor: any other one
 * is shown as the middle one there, and `storey` keeps its number for the link back to this page.
 */
function mapQuery(building: BuildingFull, { floor, face, month, stated }: Choice): string {
  const stored = storedFloors(building);
  const topOrMiddle = floor.floor === stored.at(-1)?.floor ? 'top' : 'middle';
  const level = floor.floor === stored[0].floor ? 'first' : topOrMiddle;
  const query = new URLSearchParams({
    pick: building.building_id,
    month: String(month),
    floor: level,
    face: face.face,
  });
  const isBetween = !isStated(stated) && stored.every((one) => one.floor !== floor.floor);
  if (isBetween) query.set('storey', String(floor.floor));
  return `?${query}`;
}

/** The view of the sky from a measuring point: the drawing, its buildings, and the same as tables. */
function skySection(ask: SunlightAsk, sight: Sight, lettered: LetteredSky): Html {
  const { sky } = lettered;
  const { frame, sunlight } = textsOf(ask);
  const component = sunlight.skyComponent(sky.vertical_sky_component_percent.toFixed(1));
  return html`<section><h2>${sunlight.skyHeading}</h2>
<figure>${drawSky(ask, lettered, sight.choice)}<figcaption>${unbroken(frame.sentences(sunlight.skySpot(sky.receptor, sky.receptors), component))}</figcaption></figure>
${skyList(ask, lettered)}
${drawingLink(ask, sight, 'sky.svg', sunlight.skyLink)}
${skyTables(ask, sky, sight.choice)}</section>`;
}

/** The link to the file of a drawing. */
function drawingLink(
  ask: SunlightAsk,
  { building, choice }: Sight,
  name: string,
  words: string,
  leftOut: { month?: null } = {},
): Html {
  const query = new URLSearchParams(queryOf(choice, { dates: [], ...leftOut }));
  query.set('lang', ask.language);
  return html`<p class="note no-print"><a href="${fileLink(ask, `/sunlight/building/${building.building_id}/${name}`)}?${String(query)}">${words}</a></p>`;
}

/** The chosen measuring point, and a link to the whole wall. */
function spotLine(ask: SunlightAsk, { choice }: Sight): Fragment {
  const { face, spot } = choice;
  if (spot === null) return null;
  const { frame, sunlight } = textsOf(ask);
  const query = queryOf(choice, { receptor: null });
  return html`<p>${sunlight.spotChosen(frame.faces[face.face], spot.receptor, face.receptors)}${sentenceGap({ frame })}<a class="no-print" href="${query}">${sunlight.wholeFace}</a></p>`;
}

/** Height and storeys of the building, and which of them are estimated or stated by the user. */
function shapeLine(ask: SunlightAsk, { building, choice, storeys, heightM }: Sight): string {
  const { sunlight } = textsOf(ask);
  const isHeightKnown = !isHeightUnknown(building) || choice.stated.heightM !== undefined;
  const height = isHeightKnown ? sunlight.shapeHeight(heightM.toFixed(0)) : sunlight.shapeNoHeight;
  // Storeys are estimated from the height: the estimate is worth no more than the height.
  const isEstimateUseful = isHeightKnown && !building.quality.doubtful_shape;
  const estimate = isEstimateUseful ? sunlight.shapeEstimated(storeys) : sunlight.shapeNoStoreys;
  const floors = choice.isEstimated ? estimate : sunlight.shapeStoreys(storeys);
  return sunlight.shape(height, floors) + (isStated(choice.stated) ? sunlight.shapeStated : '');
}

/** The heading of the page: the town and the ID of the building. */
function heading(ask: SunlightAsk, building: BuildingFull): Html {
  const { sunlight } = textsOf(ask);
  return html`<h1>${unbroken(sunlight.heading(townLabel(ask, building)))} <small>${building.building_id}</small></h1>`;
}

/** The breadcrumb: all wards, the ward, and the town if the building has one. */
function crumbsOf(ask: SunlightAsk, { ward_code, town_code, town_name }: BuildingFull): Crumb[] {
  const { frame } = textsOf(ask);
  const town = town_code === null ? null : townOf(ask.sunlight, town_code);
  const links = [{ name: frame.sunlight, path: '/sunlight/' }];
  if (town) links.push({ name: wardNamed(ask, town.ward_code, town.ward_name), path: `/sunlight/${town.ward_code}/` });
  else links.push({ name: wardWithoutTowns(ask, ward_code), path: `/sunlight/${ward_code}/` });
  if (town_code !== null)
    links.push({ name: townNamed(ask, town_code, town_name), path: `/sunlight/town/${town_code}/` });
  return links;
}

/** Links to the data of the page for programs. */
function links(ask: SunlightAsk, { building_id }: BuildingFull, { floor, month, balcony, stated }: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const page = `/sunlight/building/${building_id}/`;
  const query = new URLSearchParams({ floor: String(floor.floor), month: String(month) });
  if (balcony) query.set('overhang', String(USUAL_BALCONY.overhangM));
  if (stated.storeys !== undefined) query.set('storeys', String(stated.storeys));
  if (stated.heightM !== undefined) query.set('height_m', String(stated.heightM));
  const items: [string, string][] = [
    [fileLink(ask, `${page}index.json`), sunlight.linkFull],
    [fileLink(ask, `${page}index.json?${query}`), sunlight.linkFloor(frame.floor(floor.floor))],
    [fileLink(ask, `${page}outline.geojson`), sunlight.linkGeoJson],
  ];
  return html`<ul class="plain">${items.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`)}</ul>`;
}
