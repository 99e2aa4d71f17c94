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
 * The kinds of room that a home can have, and the kind of most residents where it is certain. If only one number of rooms is
 * published, the other counts as zero.
 */
export function offeredRooms(stated: StatedRooms, capacity: number | null): OfferedRooms {
  const [hasPrivate, hasShared] = [Boolean(stated.private), Boolean(stated.shared)];
  const hasBoth = hasPrivate && hasShared;
  const hasNeither = !hasPrivate && !hasShared;
  if (stated.kind === 'unit') {
    // Its shared rooms may be partitioned ones of units (ユニット型個室的多床室) or conventional.
    if (hasShared && !hasPrivate) return { kinds: ['unit_shared', 'shared'], main: null };
    if (!hasBoth) return { kinds: ['unit'], main: 'unit' };
    // A home with private and shared rooms is partly conventional, so its private rooms may be of either kind. It states
    // units, so `main` takes them as units.
    return { kinds: ['unit', 'private', 'shared'], main: mostArePrivate(stated, capacity) ? 'unit' : 'shared' };
  }
  if (hasShared && !hasPrivate) return { kinds: ['shared'], main: 'shared' };
  if (stated.kind === 'conventional') {
    if (hasNeither) return { kinds: ['private', 'shared'], main: null };
    if (!hasBoth) return { kinds: ['private'], main: 'private' };
    return { kinds: ['private', 'shared'], main: mostArePrivate(stated, capacity) ? 'private' : 'shared' };
  }
  // The home states neither kind. With private rooms only they are of one of the two; otherwise all kinds are possible.
  return { kinds: hasPrivate && !hasBoth ? ['unit', 'private'] : null, main: null };
}

/** True when at least as many residents of a home have a private room as share one. */
function mostArePrivate({ private: privateRooms, shared, sharedBeds }: StatedRooms, capacity: number | null): boolean {
  const inPrivate = privateRooms ?? 0;
  const sharedRooms = shared ?? 0;
  const otherPlaces = (capacity ?? 0) - inPrivate;
  // Then the capacity is only that of a short stay in the same house: the beds are estimated from the rooms.
  const isOfShortStay = otherPlaces < sharedRooms;
  const placesInShared = capacity === null || isOfShortStay ? BEDS_PER_SHARED_ROOM * sharedRooms : otherPlaces;
  return inPrivate >= (sharedBeds ?? placesInShared);
}

/**
 * The kinds of room, narrowed by the published fees: they tell whether the private rooms are of units (`unit`) or conventional
 * (`private`), and whether shared rooms are charged for.
 */
export function roomsByFees(offered: OfferedRooms, roomFees: PublishedFees['roomFees']): OfferedRooms {
  if (offered.kinds === null) {
    // A home that publishes the fee of one kind of room has that kind. It may have others too.
    const [only, ...others] = ROOMS.filter((room) => roomFees[room] !== undefined);
    return { kinds: null, main: only !== undefined && others.length === 0 ? only : null };
  }
  const { kinds, main } = privateRoomsByFees(offered.kinds, offered.main, roomFees);
  // With fees of both kinds of shared rooms `shared` stays, which stands for both ({@link hasRoom}).
  const isSharedCharged = roomFees.shared_charged !== undefined && roomFees.shared === undefined;
  const byCharge = (room: Room): Room => (room === 'shared' && isSharedCharged ? 'shared_charged' : room);
  return { kinds: kinds.map(byCharge), main: main === null ? null : byCharge(main) };
}

/**
 * Decides between `unit` and `private` where the private rooms of a home may be of either kind. By {@link offeredRooms}
 * these are homes that state units and have shared rooms too (`main` is `unit` or `shared`), and homes that have
 * private rooms only and state neither kind (`main` is null). A home that states units has no conventional private
 * rooms, unless it publishes a fee for them. Where only one of the two kinds has a fee, it is the main kind, unless
 * most residents share rooms.
 */
function privateRoomsByFees(
  kinds: readonly Room[],
  main: Room | null,
  roomFees: PublishedFees['roomFees'],
): { kinds: readonly Room[]; main: Room | null } {
  const privateKinds = (['unit', 'private'] as const).filter((room) => kinds.includes(room));
  if (privateKinds.length < 2) return { kinds, main };
  const statesUnits = main !== null;
  const possibleKinds =
    statesUnits && roomFees.private === undefined ? kinds.filter((room) => room !== 'private') : kinds;
  const [withFee, ...othersWithFee] = privateKinds.filter((room) => roomFees[room] !== undefined);
  const hasFeeOfOne = withFee !== undefined && othersWithFee.length === 0;
  return { kinds: possibleKinds, main: hasFeeOfOne && main !== 'shared' ? withFee : main };
}
