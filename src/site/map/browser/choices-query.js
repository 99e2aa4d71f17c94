/** @import { MapChoices } from './types.js' */

/**
 * The query of an address with these choices; what is as at first is left out.
 * @param {MapChoices} choices
 * @param {MapChoices} first
 */
export function choicesQuery({ month, floor, face, relief, clock }, first) {
  const query = new URLSearchParams();
  if (month !== first.month) query.set('month', String(month));
  if (floor !== first.floor) query.set('floor', floor);
  if (face !== first.face) query.set('face', face);
  if (relief) query.set('relief', '1');
  if (clock !== null) query.set('clock', String(clock));
  return String(query);
}
