/**
 * A hash table of the buildings that block the sun. By slot, BLOCKER has the building's number plus one (0: the slot is
 * free), and BLOCKED the minutes for which it was the highest in front of the sun. BLOCKERS lists the used slots.
 */

import { BLOCKED, BLOCKER, BLOCKER_SLOTS, BLOCKERS } from './layout';

/** The number of used slots. */
export let blockerCount: i32 = 0;

/** The first slot to look for a building in, by the 15 highest bits of a product. */
// @ts-ignore: decorator
@inline function slotOf(building: i32): i32 {
  return (building * 0x9e3779b1) >>> 17;
}

/** Adds minutes to a building: in its slot of the hash table or, if it has none yet, in the next free slot. */
export function addBlocked(building: i32, minutes: f64): void {
  let slot = slotOf(building);
  let stored = load<i32>(BLOCKER + (slot << 2));
  while (stored != building + 1) {
    if (stored == 0) {
      store<i32>(BLOCKER + (slot << 2), building + 1);
      store<f64>(BLOCKED + (slot << 3), 0);
      store<i32>(BLOCKERS + (blockerCount++ << 2), slot);
      break;
    }
    slot = (slot + 1) & (BLOCKER_SLOTS - 1);
    stored = load<i32>(BLOCKER + (slot << 2));
  }
  store<f64>(BLOCKED + (slot << 3), load<f64>(BLOCKED + (slot << 3)) + minutes);
}

/** Empties the table. */
export function emptyBlockers(): void {
  for (let i = 0; i < blockerCount; i++) store<i32>(BLOCKER + (load<i32>(BLOCKERS + (i << 2)) << 2), 0);
  blockerCount = 0;
}
