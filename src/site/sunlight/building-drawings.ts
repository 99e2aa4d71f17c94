import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import { isRefused } from '../../contract/outcome.ts';
import { skyChart } from '../charts/sky-chart.ts';
import { sunChart } from '../charts/sun-chart.ts';
import { sunDays } from '../charts/sun-days.ts';
import { chartStyle } from '../frame/assets.ts';
import type { Html } from '../markup.ts';
import { invalid, notFound, type PageResult, type SunlightAsk, textsOf } from '../view.ts';
import { skyWords, sunWords } from './building-words.ts';
import { type Choice, monthsOf, readWish } from './choice.ts';
import { skyLettersOf } from './shade.ts';
import { type Sight, sightOf, skyOf } from './sight.ts';

/** The month × clock chart as a file. */
export async function sunDrawing(ask: SunlightAsk): Promise<PageResult> {
  const sight = await drawnSight(ask);
  return 'kind' in sight ? sight : alone(chartOf(ask, sight.building, sight.choice));
}

/** The view of the sky as a file. */
export async function skyDrawing(ask: SunlightAsk): Promise<PageResult> {
  const sight = await drawnSight(ask);
  if ('kind' in sight) return sight;
  const sky = await skyOf(ask, sight.building.building_id, sight.choice);
  return isRefused(sky) ? sky : alone(drawSky(ask, sky, sight.choice));
}

/** The positions of the walls, as GeoJSON. */
export function outlineDocument(ask: SunlightAsk): PageResult {
  const id = ask.values.building_id;
  const geometry = ask.sunlight.footprint(id);
  if (geometry === null) return notFound(textsOf(ask).sunlight.compareUnknown(id));
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
  return sunChart(monthsOf(choice), sunDays(building.lat, building.lon), choice.face.azimuth_deg, words);
}

/** The view of the sky with the paths of the sun. The sunlit times are those of the measuring point. */
export function drawSky(ask: SunlightAsk, sky: BuildingSky, choice: Choice): Html {
  const months = choice.face.spots?.find(({ receptor }) => receptor === sky.receptor)?.months ?? [];
  return skyChart(
    {
      azimuthDeg: sky.wall_azimuth_deg,
      skyline: sky.skyline,
      balconyEdge: sky.balcony_edge ?? [],
      letters: skyLettersOf(sky, choice.face.shade ?? null),
      windows: new Map(months.map(({ month, sunlit_windows }) => [month, sunlit_windows])),
    },
    sunDays(sky.lat, sky.lon),
    skyWords(textsOf(ask), choice),
  );
}

/** The data of a drawing. It always has the requested parts. */
async function drawnSight(ask: SunlightAsk): Promise<Sight | PageResult> {
  const wish = readWish(ask.query);
  if (typeof wish === 'string') return invalid(wish);
  const unknown = notFound(textsOf(ask).sunlight.compareUnknown(ask.values.building_id));
  const building = ask.sunlight.full(ask.values.building_id)?.toJSON() ?? null;
  const sight = building && (await sightOf(ask, building, wish));
  if (sight === null) return unknown;
  if (typeof sight === 'string') return invalid(sight);
  return sight.refusal === null ? sight : sight.refusal;
}

const alone = (drawn: Html): PageResult => ({
  kind: 'document',
  text: String(drawn).replace('<title', `<style>${chartStyle()}</style><title`),
});
