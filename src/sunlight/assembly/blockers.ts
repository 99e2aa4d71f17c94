/**
 * A hash table of the buildings that block the sun. By slot, SLOT_BUILDING has the building's number plus one (0: the
 * slot is free), and SLOT_MINUTES the minutes for which it was the highest in front of the sun. USED_SLOTS lists the
 * used slots.
 */

import { SLOT_MINUTES, SLOT_BUILDING, BLOCKER_SLOTS, USED_SLOTS } from './layout';

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
  let stored = load<i32>(SLOT_BUILDING + (slot << 2));
  while (stored != building + 1) {
    if (stored == 0) {
      store<i32>(SLOT_BUILDING + (slot << 2), building + 1);
      store<f64>(SLOT_MINUTES + (slot << 3), 0);
      store<i32>(USED_SLOTS + (blockerCount++ << 2), slot);
      break;
    }
    slot = (slot + 1) & (BLOCKER_SLOTS - 1);
    stored = load<i32>(SLOT_BUILDING + (slot << 2));
  }
  store<f64>(SLOT_MINUTES + (slot << 3), load<f64>(SLOT_MINUTES + (slot << 3)) + minutes);
}

/** Empties the table. */
export function emptyBlockers(): void {
  for (let i = 0; i < blockerCount; i++) store<i32>(SLOT_BUILDING + (load<i32>(USED_SLOTS + (i << 2)) << 2), 0);
  blockerCount = 0;
}
