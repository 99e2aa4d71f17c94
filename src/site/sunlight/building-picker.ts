import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { type PlanRing, type PlanSpot, plan } from '../charts/plan.ts';
import { type Html, html } from '../markup.ts';
import { pageLink, type SunlightAsk, textsOf } from '../view.ts';
import { type Choice, choiceQuery } from './choice.ts';
import { hoursIn } from './floors.ts';
import type { Sight } from './sight.ts';

/** Floor, wall and month as a form: it works without scripts. */
export function picker(ask: SunlightAsk, { building, choice }: Sight): Html {
  const { frame, sunlight } = textsOf(ask);
  const floors = Array.from({ length: building.storeys }, (_, i) => i + 1);
  const option = (value: string | number, name: string, chosen: boolean): Html =>
    html`<option value="${value}"${chosen ? html` selected` : null}>${name}</option>`;
  return html`<form class="picker short" method="get" action="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}" aria-label="${sunlight.choose}">
<label>${sunlight.floorLabel}<select name="floor">${floors.map((floor) => option(floor, frame.floor(floor), floor === choice.floor.floor))}</select></label>
<label>${sunlight.faceLabel}<select name="face">${choice.floor.faces.map(({ face }) => option(face, sunlight.faceName(frame.faces[face]), face === choice.face.face))}</select></label>
<label>${sunlight.monthLabel}<select name="month">${choice.face.months.map(({ month }) => option(month, frame.month(month), month === choice.month))}</select></label>
<button>${sunlight.show}</button></form>`;
}

/** The building from above with its measuring points. */
export function planOf(ask: SunlightAsk, { building_id }: BuildingFull, choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const coordinates = ask.sunlight.footprint(building_id)?.coordinates ?? [];
  const rings: PlanRing[] = coordinates.flatMap((polygon) =>
    polygon.map((ring, i) => ({ places: ring.slice(1).map(([lon, lat]) => [lat, lon]), isOuter: i === 0 })),
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
      spots: spotsOf(choice),
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
  return html`<figure class="plan">${drawn}</figure>`;
}

function spotsOf({ floor, month, spot, face: chosen }: Choice): PlanSpot[] {
  return floor.faces.flatMap(({ face, spots = [] }) =>
    spots.map(({ receptor, lat, lon, months }) => ({
      face,
      receptor,
      place: [lat, lon],
      hours: hoursIn({ months }, month),
      href: choiceQuery({ floor: floor.floor, face, month, receptor }),
      chosen: face === chosen.face && receptor === spot?.receptor,
    })),
  );
}
