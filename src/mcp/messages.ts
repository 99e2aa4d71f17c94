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
