import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { SHADOW_PARAMETERS, ShadowStudy } from '../../contract/operations/sunlight-shadow.ts';
import { isRefused } from '../../contract/outcome.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import { dayPaths } from '../../solar/day-path.ts';
import { shadowChart } from '../charts/shadow-chart.ts';
import { skyChart } from '../charts/sky-chart.ts';
import { sunChart } from '../charts/sun-chart.ts';
import { chartStyle } from '../frame/assets.ts';
import type { Html } from '../markup.ts';
import { invalid, notFound, type PageResult, type SunlightAsk, textsOf } from '../view.ts';
import { skyWords, sunWords } from './building-words.ts';
import { askedIn, type Choice, monthsOf } from './choice.ts';
import { shadowOutcome } from './planned.ts';
import { type LetteredSky, type Sight, sightOf, skyOf } from './sight.ts';

/** The month × clock chart as a file. */
export async function sunDrawing(ask: SunlightAsk): Promise<PageResult> {
  const sight = await drawnSight(ask);
  return 'kind' in sight ? sight : drawingFile(chartOf(ask, sight.building, sight.choice));
}

/** The view of the sky as a file. */
export async function skyDrawing(ask: SunlightAsk): Promise<PageResult> {
  const sight = await drawnSight(ask);
  if ('kind' in sight) return sight;
  const sky = await skyOf(ask, sight.building.building_id, sight.choice);
  return isRefused(sky) ? sky : drawingFile(drawSky(ask, sky, sight.choice));
}

/** The footprint of a building as a GeoJSON feature. */
export function outlineDocument(ask: SunlightAsk): PageResult {
  const id = ask.values.building_id;
  const geometry = ask.sunlight.footprint(id);
  if (geometry === null) return notFound(textsOf(ask).sunlight.unknownBuilding(id));
  const feature = {
    type: 'Feature',
    id,
    properties: { building_id: id },
    geometry,
  };
  return { kind: 'document', text: `${JSON.stringify(feature)}\n` };
}

/** The month × clock chart of the choice. */
export function chartOf(ask: SunlightAsk, building: BuildingFull, choice: Choice): Html {
  const credit = ask.dataset.manifest.halves.sunlight?.attribution ?? '';
  const words = sunWords(textsOf(ask), choice, building.building_id, credit);
  return sunChart(monthsOf(choice), dayPaths(building.lat, building.lon), choice.face.azimuth_deg, words);
}

/** The view of the sky from a receptor with the paths of the sun. The sunlit times are those of the receptor. */
export function drawSky(ask: SunlightAsk, { sky, letters }: LetteredSky, choice: Choice): Html {
  const months = choice.face.spots?.find(({ receptor }) => receptor === sky.receptor)?.months ?? [];
  return skyChart(
    {
      azimuthDeg: sky.wall_azimuth_deg,
      skyline: sky.skyline,
      balconyEdge: sky.balcony_edge ?? [],
      own: sky.building_id,
      letters,
      windows: new Map(months.map(({ month, sunlit_windows }) => [month, sunlit_windows])),
    },
    dayPaths(sky.lat, sky.lon),
    skyWords(textsOf(ask), choice),
  );
}

/**
 * What a drawing shows. A refusal when the building is unknown or has no walls, the request is invalid, or the floor could
 * not be computed.
 */
async function drawnSight(ask: SunlightAsk): Promise<Sight | PageResult> {
  const unknown = notFound(textsOf(ask).sunlight.unknownBuilding(ask.values.building_id));
  const building = ask.sunlight.full(ask.values.building_id)?.toJSON() ?? null;
  const sight = building && (await sightOf(ask, building, askedIn(ask.query)));
  if (sight === null) return unknown;
  // A text explains an invalid request.
  if (typeof sight === 'string') return invalid(sight);
  return sight.refusal === null ? sight : sight.refusal;
}

/** The answer with a drawing as a file, which has its style in it. */
const drawingFile = (drawn: Html): PageResult => ({
  kind: 'document',
  text: String(drawn).replace('<title', `<style>${chartStyle()}</style><title`),
});

/** How far from the first drawn feature surrounding buildings are drawn, metres: all of them. */
const AROUND = { radiusM: 300, most: Infinity } as const;

/** Hours of shadow on the ground as a drawing. It takes the parameters of `shadow.geojson`. */
export async function shadowDrawing(ask: SunlightAsk): Promise<PageResult> {
  const outcome = shadowOutcome(valuesOf(ask.query), ask.sunlight);
  if (outcome.kind === 'absent') return notFound(outcome.detail ?? '');
  if (outcome.kind === 'refused') return outcome;
  const study = await ask.compute<'shadow'>(outcome.demand);
  if (isRefused(study)) return study;
  const { frame, whatIf, sunlight } = textsOf(ask);
  const drawn = shadowChart(study, footprintsAround(ask, study), {
    title: whatIf.shadowTitle(study.date),
    description: whatIf.shadowDescription,
    north: sunlight.north,
    metres: frame.metres,
    hours: (hours) => whatIf.shadowHours(String(hours)),
    notes: notesOf(ask, study),
  });
  return drawingFile(drawn);
}

/** The notes below the drawing. */
function notesOf(ask: SunlightAsk, study: ShadowStudy): string[] {
  const { frame, whatIf } = textsOf(ask);
  const zones = (study.zones ?? []).map(({ from_m, to_m, most_hours }) =>
    to_m === null
      ? whatIf.shadowZoneBeyond(String(from_m), frame.hoursExact(most_hours))
      : whatIf.shadowZone(String(from_m), String(to_m), frame.hoursExact(most_hours)),
  );
  const shade = study.neighbours === null ? whatIf.shadowOwn : whatIf.shadowNeighbours(String(study.neighbours));
  const plane = whatIf.shadowPlane(String(study.plane_m), study.true_solar_from, study.true_solar_to);
  return [
    frame.list([study.date, plane, whatIf.shadowClock(study.from, study.to)]),
    shade,
    ...zones,
    whatIf.shadowStudy,
    ask.dataset.manifest.halves.sunlight?.attribution ?? '',
  ].filter((note) => note !== '');
}

/** The outer rings of the buildings around the studied ones. */
function footprintsAround(ask: SunlightAsk, study: ShadowStudy): [number, number][][] {
  // The first corner of the first shape.
  const [lon, lat] = study.features[0].geometry.coordinates.flat(3);
  const { buildings } = ask.sunlight.near(lat, lon, AROUND.radiusM, AROUND.most).toJSON();
  const studied = new Set(study.buildings.map(({ building_id }) => building_id));
  return buildings
    .filter(({ building_id }) => !studied.has(building_id))
    .flatMap(({ building_id }) => (ask.sunlight.footprint(building_id)?.coordinates ?? []).map(([outer]) => outer));
}

/** The values of the operation's parameters from a validated query, with the defaults of the operation. */
function valuesOf(query: URLSearchParams): ValuesOf<typeof SHADOW_PARAMETERS> {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const numbers = (name: string): number[] | undefined => text(name)?.split(',').map(Number);
  const plane = text('plane_m');
  return {
    building_id: text('building_id'),
    ring: text('ring'),
    site: text('site'),
    date: text('date'),
    height_m: numbers('height_m'),
    base_m: numbers('base_m'),
    hours: numbers('hours'),
    replaces: text('replaces')?.split(','),
    plane_m: plane === '1.5' || plane === '6.5' ? plane : '4',
    neighbours: text('neighbours') === 'true',
    step_m: Number(text('step_m') ?? 0.5),
  };
}
