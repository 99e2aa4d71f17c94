/** The messages in the body of a request: one, a batch, or none when it is not JSON. */
export function messagesIn(body: readonly Buffer[]): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.concat(body).toString());
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

/** Most messages in one request. They run in one turn of the event loop. */
const MOST_MESSAGES = 10;
/** Longest ID of a message, in characters. Answers and refusals repeat it. */
const LONGEST_ID = 200;

/** The ID of a message, also of an invalid message. Null when it has none or one that is too long to repeat. */
export function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  if (typeof id === 'number') return id;
  return typeof id === 'string' && id.length <= LONGEST_ID ? id : null;
}

/** Why the messages of a request are not accepted; null when they are. */
export function faultOfMessages(messages: readonly unknown[]): string | null {
  if (messages.length > MOST_MESSAGES)
    return (
      `A request holds at most ${MOST_MESSAGES} messages, and this one has ${messages.length}: ` +
      'send the others by themselves.'
    );
  if (messages.some(isTooDeep)) return `A message holds at most ${MOST_LEVELS} levels of lists and objects.`;
  if (messages.some(hasLongId)) return `The id of a message has at most ${LONGEST_ID} characters.`;
  return null;
}

/** True for a message whose ID is too long to repeat. */
const hasLongId = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  value.id.length > LONGEST_ID;

/**
 * Most levels of lists and objects in a message. Calls need at most six, and code that walks a value recurses for each
 * level.
 */
const MOST_LEVELS = 32;

/** True when lists and objects are nested too deeply. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}
