import type { BuildingFull } from '../../contract/operations/sunlight-building-full.ts';
import { type PlanRing, plan } from '../charts/plan.ts';
import { sunChart } from '../charts/sun-chart.ts';
import { sunDays } from '../charts/sun-days.ts';
import { chartStyle } from '../frame/assets.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { type Crumb, fileLink, invalid, notFound, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';
import { careNearby, factsOf } from './building-facts.ts';
import { faceFloorTable, monthsTable, sourcesTable } from './building-tables.ts';
import { betterFace, chartNote, sentenceOf, sunWords } from './building-words.ts';
import { type Choice, choiceQuery, choose, readWish } from './choice.ts';
import { type FloorSight, hoursIn, storedFloors } from './floors.ts';

/** The sun of one building, wall by wall and floor by floor. */
export function buildingPage(ask: PageAsk): PageResult {
  const id = ask.values.building_id!;
  const wish = readWish(ask.query);
  if (typeof wish === 'string') return invalid(wish);
  const building = ask.dataset.sunlight!.full(id)?.toJSON() ?? null;
  if (building === null) return notFound(textsOf(ask).sunlight.compareUnknown(id));
  const floors = storedFloors(building);
  const { sunlight } = textsOf(ask);
  const place = building.town_name ?? sunlight.unknownTown;
  const common = { kind: 'page', title: sunlight.title(place, id), crumbs: crumbsOf(ask, building) } as const;
  if (floors.length === 0) {
    const main = html`${heading(ask, building)}<p class="answer">${sunlight.noWalls}</p><div class="columns"><section><h2>${sunlight.factsHeading}</h2>${factsOf(ask, building)}</section></div>`;
    return { ...common, description: sunlight.noWalls, main };
  }
  const choice = choose(floors, wish);
  if (choice === null) return invalid(sunlight.threeFloors(floors.map(({ floor }) => floor).join(', ')));
  const sentence = sentenceOf(textsOf(ask), choice);
  return {
    ...common,
    description: sunlight.description(place, sentence),
    main: content(ask, building, floors, choice),
    scripts: ['picker.js'],
  };
}

/** The month × clock chart alone. */
export function sunDrawing(ask: PageAsk): PageResult {
  const id = ask.values.building_id!;
  const wish = readWish(ask.query);
  if (typeof wish === 'string') return invalid(wish);
  const building = ask.dataset.sunlight!.full(id)?.toJSON() ?? null;
  const choice = building && choose(storedFloors(building), wish);
  if (building === null || choice === null) return notFound(textsOf(ask).sunlight.compareUnknown(id));
  const drawn = String(chartOf(ask, building, choice));
  return { kind: 'document', text: drawn.replace('<title', `<style>${chartStyle()}</style><title`) };
}

/** Where the walls stand, as GeoJSON. */
export function outlineDocument(ask: PageAsk): PageResult {
  const id = ask.values.building_id!;
  const outline = ask.dataset.sunlight!.outline(id);
  if (outline === null) return notFound(textsOf(ask).sunlight.compareUnknown(id));
  // GeoJSON closes its rings and puts longitude first.
  const coordinates = outline.footprints.map(({ rings }) =>
    rings.map((ring) => [...ring, ring[0]!].map(([lat, lon]) => [lon, lat])),
  );
  const feature = {
    type: 'Feature',
    id,
    properties: { building_id: id },
    geometry: { type: 'MultiPolygon', coordinates },
  };
  return { kind: 'document', text: `${JSON.stringify(feature)}\n` };
}

function content(ask: PageAsk, building: BuildingFull, floors: readonly FloorSight[], choice: Choice): Html {
  const texts = textsOf(ask);
  const { sunlight } = texts;
  const better = betterFace(texts, choice);
  const query = choiceQuery({ floor: choice.floor.floor, face: choice.face.face });
  return html`${heading(ask, building)}
<p class="answer">${sentenceOf(texts, choice)}${better === null ? null : html` ${better}`}</p>
<p class="note">${sunlight.meaning}</p>
${picker(ask, building, floors, choice)}
<div class="columns">
<section><h2>${sunlight.tableTitle}</h2>${faceFloorTable(ask, floors, choice)}</section>
<section><h2>${sunlight.planTitle}</h2><p class="note no-print">${sunlight.planLead}</p>${planOf(ask, building, choice)}</section>
</div>
<div class="columns">
<section><h2>${sunlight.chartHeading}</h2>
<figure>${chartOf(ask, building, choice)}<figcaption>${chartNote(texts, choice)}</figcaption></figure>
<p class="note no-print"><a href="${fileLink(ask, `/sunlight/building/${building.building_id}/sun.svg`)}${query}&amp;lang=${ask.language}">${sunlight.chartLink}</a></p>
${monthsTable(ask, choice)}</section>
</div>
<section><h2>${sunlight.sourcesHeading}</h2>${sourcesTable(ask, building)}</section>
<div class="columns"><section><h2>${sunlight.factsHeading}</h2>${factsOf(ask, building)}</section>
<section class="no-print">${careNearby(ask, building)}<h2>${sunlight.linksHeading}</h2>${links(ask, building)}</section></div>`;
}

function heading(ask: PageAsk, { town_name, building_id }: BuildingFull): Html {
  const { sunlight } = textsOf(ask);
  return html`<h1>${sunlight.heading(town_name ?? sunlight.unknownTown)} <small>${building_id}</small></h1>`;
}

function crumbsOf(ask: PageAsk, { ward_code, town_code, town_name }: BuildingFull): Crumb[] {
  const { frame } = textsOf(ask);
  const town = town_code === null ? null : ask.dataset.sunlight!.town(town_code, 1, 1)?.toJSON().town;
  const links = [{ name: frame.sunlight, path: '/sunlight/' }];
  if (town) links.push({ name: town.ward_name, path: `/sunlight/${town.ward_code}/` });
  else links.push({ name: ward_code, path: `/sunlight/${ward_code}/` });
  if (town_code !== null) links.push({ name: town_name ?? town_code, path: `/sunlight/town/${town_code}/` });
  return links;
}

/** Floor, wall and month as a form: it works without scripts. */
function picker(ask: PageAsk, building: BuildingFull, floors: readonly FloorSight[], choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const option = (value: string | number, name: string, chosen: boolean): Html =>
    html`<option value="${value}"${chosen ? html` selected` : null}>${name}</option>`;
  return html`<form class="picker" method="get" action="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}" aria-label="${sunlight.choose}">
<label>${sunlight.floorLabel}<select name="floor">${floors.map(({ floor }) => option(floor, frame.floor(floor), floor === choice.floor.floor))}</select></label>
<label>${sunlight.faceLabel}<select name="face">${choice.floor.faces.map(({ face }) => option(face, sunlight.faceName(frame.faces[face]!), face === choice.face.face))}</select></label>
<label>${sunlight.monthLabel}<select name="month">${choice.face.months.map(({ month }) => option(month, frame.month(month), month === choice.month))}</select></label>
<button>${sunlight.show}</button></form>`;
}

function chartOf(ask: PageAsk, building: BuildingFull, choice: Choice): Html {
  const credit = ask.dataset.manifest.halves.sunlight?.attribution ?? '';
  const words = sunWords(textsOf(ask), choice, building.building_id, credit);
  return sunChart(choice.face.months, sunDays(building.lat, building.lon), choice.face.azimuth_deg, words);
}

function planOf(ask: PageAsk, { building_id }: BuildingFull, choice: Choice): Gap {
  const { frame, sunlight } = textsOf(ask);
  const outline = ask.dataset.sunlight!.outline(building_id)!;
  const rings: PlanRing[] = outline.footprints.flatMap((footprint) =>
    footprint.rings.map((places, i) => ({ places, isOuter: i === 0 })),
  );
  const drawn = plan(
    {
      rings,
      hoursOf: (face) => {
        const sight = choice.floor.faces.find((one) => one.face === face);
        return sight === undefined ? null : hoursIn(sight, choice.month);
      },
      hrefOf: (face) => choiceQuery({ floor: choice.floor.floor, face, month: choice.month }),
      chosenFace: choice.face.face,
      spots: [],
    },
    {
      title: sunlight.planTitle,
      description: sunlight.planDescription,
      north: sunlight.north,
      metres: frame.metres,
      wall: (face, hours) =>
        sunlight.planWall(frame.faces[face]!, hours === null ? frame.unknown : frame.hoursExact(hours)),
      spot: ({ face, receptor, hours }) => sunlight.planSpot(frame.faces[face]!, receptor, frame.hoursExact(hours)),
    },
  );
  return html`<figure class="plan">${drawn}</figure>`;
}

function links(ask: PageAsk, { building_id, lat, lon }: BuildingFull): Html {
  const { sunlight } = textsOf(ask);
  const page = `/sunlight/building/${building_id}/`;
  const items: [string, string][] = [
    [pageLink(ask, `/map/#17/${lat}/${lon}`), sunlight.linkMap],
    [pageLink(ask, `${page}3d/`), sunlight.link3d],
    [pageLink(ask, `/compare/?b=${building_id}`), sunlight.linkCompare],
    [fileLink(ask, `${page}index.json`), sunlight.linkFull],
    [fileLink(ask, `${page}outline.geojson`), sunlight.linkGeoJson],
  ];
  return html`<ul class="plain">${items.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`)}</ul>`;
}
