/** What a request of JSON-RPC holds: its message, those of a batch, or nothing where it is not JSON. */
export function messagesIn(body: readonly Buffer[]): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.concat(body).toString());
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

/** Messages that one request may hold: so many share one turn of the event loop. */
const MOST_MESSAGES = 10;
/** Characters of an ID. Answers and refusals repeat it. */
const LONGEST_ID = 200;

/** The ID of what should have been a message; null where it has none, or one that is too long to be repeated. */
export function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  if (typeof id === 'number') return id;
  return typeof id === 'string' && id.length <= LONGEST_ID ? id : null;
}

/** Why the messages of one request are refused, for the caller; null where they are not. */
export function refusalOf(messages: readonly unknown[]): string | null {
  if (messages.length > MOST_MESSAGES)
    return `A request holds at most ${MOST_MESSAGES} messages, and this one has ${messages.length}: send the others by themselves.`;
  if (messages.some(isTooDeep)) return `A message holds at most ${MOST_LEVELS} levels of lists and objects.`;
  if (messages.some(hasLongId)) return `The id of a message has at most ${LONGEST_ID} characters.`;
  return null;
}

const hasLongId = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  value.id.length > LONGEST_ID;

/** Levels of lists and objects in a message: no call needs more than six, and what walks a value calls itself for each. */
const MOST_LEVELS = 32;

/** Whether lists and objects lie in each other deeper than a message may. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
