/** Room for one long body: the largest answers about buildings near a point or of a page fit, bytes. */
const ROOM_BYTES = 1 << 16;
/** How much is kept for later: as many answers are rarely on their way at once. */
const MOST_ROOMS = 64;

/**
 * Room in memory for long bodies, used again when a body has been sent: to have it made and cleared away for every answer
 * takes longer than a look-up.
 */
const spare: Buffer[] = [];

/** Room for a body of so many bytes, with anything in it. */
export function takeRoom(bytes: number): Buffer {
  if (bytes > ROOM_BYTES) return Buffer.allocUnsafeSlow(bytes);
  return spare.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
}

/** Gives room back of which nobody will read any more. */
export function giveRoom(room: Buffer): void {
  if (room.length === ROOM_BYTES && spare.length < MOST_ROOMS) spare.push(room);
}
