import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, countedName, ProxyList } from '../../src/http/client-address.ts';

const PROXIES = new ProxyList(['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48']);
const NONE = new ProxyList([]);

/** Socket, header, proxies, who is counted. */
const CASES: [string, string | undefined, ProxyList, string][] = [
  ['203.0.113.9', undefined, NONE, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', NONE, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', PROXIES, '203.0.113.9'],
  ['10.1.2.3', '198.51.100.1', PROXIES, '198.51.100.1'],
  ['10.1.2.3', 'spoofed, 198.51.100.1', PROXIES, '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', PROXIES, '198.51.100.1'],
  ['10.1.2.3', '10.4.4.4, 10.5.5.5', PROXIES, '10.4.4.4'],
  ['10.1.2.3', '198.51.100.1, nonsense', PROXIES, '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1, _hidden', PROXIES, '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1,', PROXIES, '10.1.2.3'],
  ['10.1.2.3', '', PROXIES, '10.1.2.3'],
  ['10.1.2.3', 'unknown', PROXIES, '10.1.2.3'],
  ['10.1.2.3', '198.51.100.01', PROXIES, '10.1.2.3'],
  ['10.1.2.3', '0x7f000001', PROXIES, '10.1.2.3'],
  ['10.1.2.3', `${'1.1.1.1, '.repeat(1000)}198.51.100.1`, PROXIES, '198.51.100.1'],
  ['10.1.2.3', '198.51.100.1:4711', PROXIES, '198.51.100.1'],
  ['10.1.2.3', '[2001:db8:5::1]:443', PROXIES, '2001:db8:5::1'],
  ['::ffff:10.1.2.3', '198.51.100.1', PROXIES, '198.51.100.1'],
  ['::ffff:203.0.113.9', '198.51.100.1', PROXIES, '203.0.113.9'],
  ['192.0.2.7', '198.51.100.2', PROXIES, '198.51.100.2'],
  ['192.0.2.8', '198.51.100.2', PROXIES, '192.0.2.8'],
  ['2001:db8:1::5', '::ffff:198.51.100.3', PROXIES, '198.51.100.3'],
  ['10.1.2.3', '::FFFF:C633:6401', PROXIES, '198.51.100.1'],
  ['10.1.2.3', '2001:0DB8:0005:0001:aaaa:bbbb:cccc:dddd', PROXIES, '2001:0DB8:0005:0001:aaaa:bbbb:cccc:dddd'],
];
test('the client is the first address from the right that is no trusted proxy', () => {
  for (const [remote, forwarded, proxies, client] of CASES) {
    const name = `${remote} with X-Forwarded-For "${forwarded?.slice(0, 60)}"`;
    assert.equal(clientAddress(remote, forwarded, proxies), client, name);
  }
});

test('IPv6 is counted by its /64, IPv4 by itself however it is written', () => {
  assert.equal(countedName('2001:db8:0:1::1'), countedName('2001:0DB8:0000:0001:ffff:1:2:3'));
  assert.notEqual(countedName('2001:db8:0:1::1'), countedName('2001:db8:0:2::1'));
  assert.equal(countedName('::1'), '0:0:0:0::/64');
  assert.equal(countedName('198.51.100.3'), '198.51.100.3');
  assert.equal(clientAddress('::ffff:c633:6403', undefined, NONE), '198.51.100.3');
  assert.equal(clientAddress('fe80::1%eth0', undefined, NONE), 'fe80::1');
});

test('what is not an address or a block is refused by name', () => {
  for (const entry of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0.0/-1']) {
    assert.throws(() => new ProxyList([entry]), new RegExp(entry.replaceAll('.', '\\.')));
  }
});
