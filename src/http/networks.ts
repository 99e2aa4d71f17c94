/** What a client's requests are counted by, from the client itself to the whole world. */
export interface Network {
  name: string;
  /** 0 for the client itself; each step wider has four times the limit. */
  depth: number;
}

/** Depths that there are: the client, three networks round it, the world. */
export const DEPTHS = 5;

/** Prefixes of the networks round an IPv4 address; round an IPv6 client, a /64, they are /56, /48 and /32. */
const IPV4_PREFIXES = [24, 16, 8];

const EVERYBODY = '::/0';

/**
 * The networks of a client, the narrowest first.
 * @param client as `clientKey` names it; anything but an address (the ID of an API key) stands for itself alone.
 */
export function networksOf(client: string): Network[] {
  const names = wider(client);
  return [client, ...names].map((name, depth) => ({ name, depth }));
}

/** Whether the client is an IPv6 network: a home is given a /56, which holds 256 of them. */
export const isIpv6Client = (client: string): boolean => client.endsWith('::/64');

/** The /56 round an IPv6 client. */
export function homeOf(client: string): Network {
  const groups = client.slice(0, -'::/64'.length);
  const end = groups.lastIndexOf(':');
  const last = Number.parseInt(groups.slice(end + 1), 16) & 0xff00;
  return { name: `${groups.slice(0, end)}:${last.toString(16)}::/56`, depth: 1 };
}

function wider(client: string): string[] {
  if (isIpv6Client(client)) {
    const [a, b, c] = client.split(':');
    return [homeOf(client).name, `${a}:${b}:${c}::/48`, `${a}:${b}::/32`, EVERYBODY];
  }
  const bytes = client.split('.');
  if (bytes.length !== 4) return [];
  return [...IPV4_PREFIXES.map((bits) => `${bytes.slice(0, bits / 8).join('.')}/${bits}`), EVERYBODY];
}
