import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Proxies whose X-Forwarded-For is trusted. */
export class ProxyList {
  readonly #list = new BlockList();

  /**
   * @param entries addresses and CIDR blocks, IPv4 or IPv6
   * @throws Error with the entry that is neither
   */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** True for the address of a trusted proxy. */
  has(address: string): boolean {
    return this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }

  /** Adds an address or a block; an address alone is a block of one. */
  #add(entry: string): void {
    const [address = '', ...prefixes] = entry.split('/');
    const version = isIP(address);
    const addressBits = version === 4 ? 32 : 128;
    const [prefix = String(addressBits)] = prefixes;
    const isPrefix = prefixes.length <= 1 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= addressBits;
    if (version === 0 || !isPrefix) {
      throw new Error(`"${entry}" is not an IP address or a CIDR block such as 10.0.0.0/8`);
    }
    this.#list.addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
}

/**
 * The address of the client. X-Forwarded-For is read from the right, where trusted proxies write. The first address
 * that is not a trusted proxy is the client; everything left of it may be forged.
 * @param remote address of the peer of the socket
 * @param forwarded the header, or undefined
 */
export function clientAddress(remote: string, forwarded: string | undefined, proxies: ProxyList): string {
  let client = withoutMapping(remote);
  if (forwarded === undefined) return client;
  const hops = forwarded.split(',');
  while (hops.length > 0 && proxies.has(client)) {
    const hop = withoutMapping(withoutPort((hops.pop() ?? '').trim()));
    if (isIP(hop) === 0) break;
    client = hop;
  }
  return client;
}

/**
 * The name of a client in the limits: its IPv4 address, or the /64 of its IPv6 address, because every host has at least
 * a /64.
 */
export function countedName(address: string): string {
  if (!address.includes(':')) return address;
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
}

/** Converts `::ffff:192.0.2.1`, the form of a dual-stack socket, to `192.0.2.1`. Drops a zone (`%eth0`). */
function withoutMapping(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return plain;
  if (!MAPPED.check(plain, 'ipv6')) return plain;
  // The last two groups of 16 bits are the IPv4 address.
  const [high = 0, low = 0] = ipv6Groups(plain)
    .slice(6)
    .map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** IPv4 addresses in IPv6 form. */
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  if (bracketed !== null) return bracketed[1] ?? '';
  const dotted = /^([^:]+):\d+$/.exec(hop);
  return dotted?.[1] ?? hop;
}

/** The eight groups of an IPv6 address in lower-case hexadecimal without leading zeros. */
function ipv6Groups(address: string): string[] {
  // A URL has the address in its shortest form, in which `::` stands for groups of zeros.
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = '', right = ''] = shortest.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === '' ? [] : right.split(':');
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** A client, a network around it, or all clients. Requests are counted by network. */
export interface Network {
  name: string;
  /** 0 for the client itself; each wider network has four times the limit. */
  depth: number;
}

/** Number of depths: the client, three networks around it, and all clients. */
export const DEPTHS = 5;

/** Prefixes of the networks around an IPv4 address. Around an IPv6 client (/64) they are /56, /48 and /32. */
const IPV4_PREFIXES = [24, 16, 8];

const EVERYBODY = '::/0';

/**
 * The networks of a client, the narrowest first.
 * @param client as `countedName` returns it; the ID of an API key has no networks
 */
export function networksOf(client: string): Network[] {
  return [client, ...networkNames(client)].map((name, depth) => ({ name, depth }));
}

/** True for an IPv6 client (/64). */
export const isIpv6Client = (client: string): boolean => client.endsWith('::/64');

/** True for a client with a key: it is named by the ID of its key, any other by its address. */
export const isKeyId = (client: string): boolean => !client.includes('.') && !isIpv6Client(client);

/** The household of an IPv6 client: the /56 around it, which contains 256 clients. */
export function householdOf(client: string): Network {
  const [a, b, c, d = ''] = client.split(':');
  const upperByte = Number.parseInt(d, 16) & 0xff00;
  // Depth 1: it is the narrowest of the networks around the client (`networkNames`).
  return { name: `${a}:${b}:${c}:${upperByte.toString(16)}::/56`, depth: 1 };
}

/** The names of the networks around a client, the narrowest first; none for an API key. */
function networkNames(client: string): string[] {
  if (isKeyId(client)) return [];
  if (isIpv6Client(client)) {
    // An IPv6 client has all four groups of its /64.
    const [a, b, c] = client.split(':');
    return [householdOf(client).name, `${a}:${b}:${c}::/48`, `${a}:${b}::/32`, EVERYBODY];
  }
  const bytes = client.split('.');
  return [...IPV4_PREFIXES.map((bits) => `${bytes.slice(0, bits / 8).join('.')}/${bits}`), EVERYBODY];
}
