/** What a request of JSON-RPC holds: its message, those of a batch, or nothing where it is not JSON. */
export function messagesIn(body: readonly Buffer[]): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.concat(body).toString());
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

const LONGEST_ID = 200;

/** The ID of what should have been a message; null where it has none, or one that is too long to be repeated. */
export function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  if (typeof id === 'number') return id;
  return typeof id === 'string' && id.length <= LONGEST_ID ? id : null;
}

/** Levels of lists and objects in a message: no call needs more than six, and what walks a value calls itself for each. */
export const MOST_LEVELS = 32;

/** Whether lists and objects lie in each other deeper than a message may. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
