/** One request to the HTTP interface, over the network or within the process. */
export interface Question {
  /** Path and query. */
  target: string;
  /** Payment of the call as the interface takes it (PAYMENT-SIGNATURE); null without one. */
  payment: string | null;
}

/** What the interface answered. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** JSON. */
  body: string;
}

/** Asks the interface for the agent: its limits, keys and payments hold for every question. */
export type Ask = (question: Question) => Promise<Answer>;

const LONGEST_MS = 30_000;

/**
 * Asks a server over HTTP.
 * @param url of the server, without a slash at the end
 * @param key sent as Bearer; null without one
 */
export function httpAsk(url: string, key: string | null): Ask {
  return async ({ target, payment }) => {
    const response = await fetch(url + target, {
      headers: {
        accept: 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(payment !== null && { 'payment-signature': payment }),
      },
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    return { status: response.status, headers: new Map(response.headers), body: await response.text() };
  };
}
