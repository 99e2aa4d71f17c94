import { ROOMS, type Room } from '../contract/kaigo-cost.ts';
import type { Detail, DetailValue } from './lists/details.ts';
import type { PublishedFees } from './published-fees.ts';
import { plain } from './text.ts';

/** How a home is built: in small groups with a living room each (units), or conventionally. */
type RoomKind = DetailValue<'room_kind'>;

/** The kinds of room of a home. */
export interface OfferedRooms {
  /** Null when unknown: then every kind of the service is possible. */
  kinds: readonly Room[] | null;
  /** The kind of most residents; null when unknown. */
  main: Room | null;
}

/** The facts of a home about its rooms: its details, and its name when they do not state the kind. */
export interface StatedRooms {
  kind: RoomKind | null;
  kindFrom: 'details' | 'name' | null;
  private: number | null;
  shared: number | null;
  sharedBeds: number | null;
}

/** The kind of room in a name. A house with both kinds is often two homes, and their names tell which is which. */
function kindInName(name: string): RoomKind | null {
  const spelling = plain(name);
  const [isUnit, isConventional] = [spelling.includes('ユニット'), spelling.includes('従来型')];
  if (isUnit === isConventional) return null;
  return isUnit ? 'unit' : 'conventional';
}

/** The facts about the rooms of a service. The name is used for homes whose price depends on the room. */
export function statedRooms(detail: Detail | null, name: string, dependsOnRoom: boolean): StatedRooms {
  const fromDetails = detail?.room_kind ?? null;
  const fromName = dependsOnRoom ? kindInName(name) : null;
  const kind = fromDetails ?? fromName;
  const origin = fromDetails === null ? 'name' : 'details';
  return {
    kind,
    kindFrom: kind === null ? null : origin,
    private: detail?.rooms_private ?? null,
    shared: detail?.rooms_shared ?? null,
    sharedBeds: detail?.rooms_shared_beds ?? null,
  };
}

/**
 * Beds of a shared room when the home does not publish them: the median of 291 homes of Tokyo and Saitama that publish
 * places and rooms.
 */
const BEDS_PER_SHARED_ROOM = 3.5;

/**
 * The kinds of room that a home can have. If only one number of rooms is published, the other counts as zero. A home of
 * units with shared rooms is partly conventional, so its private rooms may be of either kind.
 */
export function offeredRooms(stated: StatedRooms, capacity: number | null): OfferedRooms {
  const { kind, private: privateRooms, shared } = stated;
  if (kind === 'unit') {
    if (!shared) return { kinds: ['unit'], main: 'unit' };
    if (!privateRooms) return { kinds: ['unit_shared', 'shared'], main: null };
    return { kinds: ['unit', 'private', 'shared'], main: mostArePrivate(stated, capacity) ? 'unit' : 'shared' };
  }
  if (shared && !privateRooms) return { kinds: ['shared'], main: 'shared' };
  if (kind === null) return { kinds: privateRooms && !shared ? ['unit', 'private'] : null, main: null };
  if (privateRooms && !shared) return { kinds: ['private'], main: 'private' };
  const isCounted = privateRooms !== null && shared !== null;
  const main = mostArePrivate(stated, capacity) ? 'private' : 'shared';
  return { kinds: ['private', 'shared'], main: isCounted ? main : null };
}

/** True when at least as many residents of a home have a private room as share one. */
function mostArePrivate({ private: privateRooms, shared, sharedBeds }: StatedRooms, capacity: number | null): boolean {
  const inPrivate = privateRooms ?? 0;
  const sharedRooms = shared ?? 0;
  const otherPlaces = (capacity ?? 0) - inPrivate;
  // A capacity with fewer places than shared rooms is only that of a short stay in the same house: beds are estimated.
  const placesInShared =
    capacity !== null && otherPlaces >= sharedRooms ? otherPlaces : BEDS_PER_SHARED_ROOM * sharedRooms;
  return inPrivate >= (sharedBeds ?? placesInShared);
}

/**
 * The kinds of room, narrowed by the published fees. A fee tells whether shared rooms are charged for, and whether
 * private rooms are of units (small groups with a living room) or conventional. Without such a fee the private rooms of
 * a home of units are of units.
 */
export function roomsByFees({ kinds, main }: OfferedRooms, roomFees: PublishedFees['roomFees']): OfferedRooms {
  if (kinds === null) {
    // A home that publishes the fee of one kind of room has that kind.
    const [only, ...others] = ROOMS.filter((room) => roomFees[room] !== undefined);
    return { kinds, main: only !== undefined && others.length === 0 ? only : null };
  }
  const isSharedCharged = roomFees.shared_charged !== undefined && roomFees.shared === undefined;
  const byCharge = (room: Room): Room => (room === 'shared' && isSharedCharged ? 'shared_charged' : room);
  const privateKinds = (['unit', 'private'] as const).filter((room) => kinds.includes(room));
  const mayBeEither = privateKinds.length === 2;
  const [withFee, ...othersWithFee] = privateKinds.filter((room) => roomFees[room] !== undefined);
  const hasFeeOfOne = mayBeEither && withFee !== undefined && othersWithFee.length === 0;
  const mainKind = hasFeeOfOne && (main === null || main === 'unit') ? withFee : main;
  // Of homes that may have both private kinds, `offeredRooms` gives a main kind only for those of units.
  const isOfUnits = mayBeEither && main !== null && roomFees.private === undefined;
  const possibleKinds = isOfUnits ? kinds.filter((room) => room !== 'private') : kinds;
  return { kinds: possibleKinds.map(byCharge), main: mainKind === null ? null : byCharge(mainKind) };
}
