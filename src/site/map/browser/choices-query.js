/** @import { MapChoices } from './types.js' */

/**
 * The query of a URL with these choices and the picked thing, without default values.
 * @param {MapChoices} choices
 * @param {MapChoices} first
 * @param {string | null} pick
 */
export function choicesQuery({ month, floor, face, relief, homes, clock }, first, pick) {
  const query = new URLSearchParams();
  if (month !== first.month) query.set('month', String(month));
  if (floor !== first.floor) query.set('floor', floor);
  if (face !== first.face) query.set('face', face);
  if (relief) query.set('relief', '1');
  if (homes) query.set('homes', '1');
  if (clock !== null) query.set('clock', String(clock));
  if (pick !== null) query.set('pick', pick);
  return String(query);
}
