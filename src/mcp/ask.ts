import { ask, reasonOf } from '../http/ask.ts';

/** One request to the API, over the network or within the process. */
export interface Question {
  /** Path and query. */
  target: string;
  /** The payment of the call, as in PAYMENT-SIGNATURE; null: none. */
  payment: string | null;
}

/** An answer of the API. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** JSON. */
  body: string;
}

/** Sends a request to the API for the agent. The agent's rate limit, key and payment apply to it. */
export type Ask = (question: Question) => Promise<Answer>;

/** How long an answer may take, milliseconds. */
const TIMEOUT_MS = 30_000;

/** The answer that stands for one that the server did not give: a 503. */
function noAnswer(detail: string): Answer {
  return { status: 503, headers: new Map(), body: JSON.stringify({ title: 'No answer', detail }) };
}

/**
 * Makes the function that sends requests to a server over HTTP. When no Hidamari server answers, the answer is a 503
 * that says so.
 * @param url of the server, without a slash at the end
 * @param key sent as Bearer; null: none
 */
export function httpAsk(url: string, key: string | null): Ask {
  return async ({ target, payment }) => {
    const headers = {
      accept: 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(payment !== null && { 'payment-signature': payment }),
    };
    try {
      const response = await ask(url + target, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body = await response.text();
      const location = response.headers.get('location');
      if (location !== null) return noAnswer(`${url} redirects to ${location}: is that the address of the server?`);
      if (!/\bjson\b/.test(response.headers.get('content-type') ?? ''))
        return noAnswer(
          `${url} answers (${response.status}), but not as a Hidamari server does: is the address right?`,
        );
      return { status: response.status, headers: new Map(response.headers), body };
    } catch (error) {
      return noAnswer(`No server answers at ${url} (${reasonOf(error as Error)}).`);
    }
  };
}
