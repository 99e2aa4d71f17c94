/** Who asks. */
export interface Client {
  /** What requests are counted by: the address (IPv6: its /64), or the ID of the key. */
  key: string;
  class: ClientClass;
  /** Requests a minute, where the client has a limit of its own. */
  limit?: number;
  /** Cost units a day, where the client has so many and no more. */
  dailyUnits?: number;
}

/** `key`: with a key that works. */
export type ClientClass = 'anonymous' | 'key';

/** Credentials that do not verify: why, and the challenge of the answer. */
export interface BadCredentials {
  detail: string;
  challenge: string;
}
