import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type S3Place, S3Store } from '../../src/http/s3-store.ts';
import { tempFolder } from './temp-folder.ts';

/** The system's Python, for which Debian's packages install. */
const PYTHON = '/usr/bin/python3';
const STORAGE = ['account', 'container', 'object'];

/**
 * Prints why OpenStack Swift cannot run here, or nothing. Swift stores facts about an object in its file attributes.
 */
const PROBE = `
import os, sys, tempfile
try: import swift.common.middleware.s3api.s3api
except ImportError as error: sys.exit(print(error))
with tempfile.NamedTemporaryFile(dir=sys.argv[1]) as file:
    try: os.setxattr(file.name, 'user.swift.metadata', b'x' * 2000)
    except OSError as error: sys.exit(print('no extended attributes in', sys.argv[1], error))
`;

/**
 * One of its servers, started as Debian's \`swift-proxy-server\` and the others start it; those need system services.
 */
const SERVER = `
import sys
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[1], sys.argv[2] + '-server', verbose=True))
`;

/** Writes rings of one device each in one process, because swift-ring-builder would have to run nine times. */
const RINGS = `
import json, sys
from swift.common.ring import RingBuilder
for path, port in json.loads(sys.argv[1]):
    builder = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1.0})
    builder.rebalance()
    builder.get_ring().save(path)
`;

/** `skip` option for node:test: false when OpenStack Swift with its S3 interface can run, otherwise the reason. */
export function skipWithoutSwift(): false | string {
  const { stdout, status, error } = spawnSync(PYTHON, ['-c', PROBE, tmpdir()], { encoding: 'utf8' });
  const problem = error ? `no ${PYTHON}` : stdout.trim() || (status === 0 ? '' : 'the probe failed');
  if (problem === '') return false;
  return `OpenStack Swift cannot run here (${problem}); on Debian: apt-get install swift`;
}

/**
 * OpenStack Swift as an S3-compatible store that checks signatures: its four servers on free ports of this machine,
 * with a bucket `bulk`. They end with the test.
 */
export async function startSwift(test: { after(fn: () => unknown): unknown }): Promise<S3Place> {
  const folder = tempFolder(test);
  const config = join(folder, 'config');
  mkdirSync(config);
  mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
  const ports = await freePorts(1 + STORAGE.length);
  const proxyPort = ports[STORAGE.length]!;
  writeFileSync(join(config, 'swift.conf'), SWIFT_CONF);
  STORAGE.forEach((part, i) => {
    writeFileSync(join(config, `${part}.conf`), storageConf(folder, ports[i]!, part));
  });
  const rings = STORAGE.map((part, i) => [join(config, `${part}.ring.gz`), ports[i]]);
  const made = spawnSync(PYTHON, ['-c', RINGS, JSON.stringify(rings)], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`swift made no rings: ${made.stderr}`);
  writeFileSync(join(config, 'proxy.conf'), proxyConf(folder, proxyPort));

  const servers = [...STORAGE, 'proxy'].map((part) =>
    spawn(PYTHON, ['-c', SERVER, join(config, `${part}.conf`), part], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const output: string[] = [];
  for (const server of servers) {
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  }
  test.after(() => endAll(servers));
  for (const port of ports) {
    // Any answer is enough: 404, 412 …
    while (!(await fetch(`http://127.0.0.1:${port}/info`).catch(() => null))) {
      if (servers.some(({ exitCode }) => exitCode !== null)) throw new Error(`swift has ended: ${output.join('')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const place: S3Place = {
    endpoint: new URL(`http://127.0.0.1:${proxyPort}`),
    region: 'ap-northeast-1',
    bucket: 'bulk',
    prefix: '',
    urlStyle: 'path',
    accessKey: 'test:tester',
    secretKey: 'testing-secret',
  };
  await createBucket(place, folder);
  return place;
}

/** Uses its S3 interface; tokens of Swift itself would need memcached. */
async function createBucket(place: S3Place, folder: string): Promise<void> {
  const nothing = join(folder, 'nothing');
  writeFileSync(nothing, '');
  await new S3Store(place).put('', nothing, hash('sha256', ''), {});
}

async function endAll(servers: ChildProcess[]): Promise<void> {
  const running = servers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const ended = running.map((server) => once(server, 'exit'));
  for (const server of running) server.kill('SIGKILL');
  await Promise.all(ended);
}

/** Ports that were just free, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const SWIFT_CONF = `
[swift-hash]
swift_hash_path_prefix = test
swift_hash_path_suffix = test
[storage-policy:0]
name = Policy-0
default = yes
`;

/** No further processes, so that ending the server ends everything. */
const common = (folder: string, port: number): string => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${join(folder, 'config')}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
log_level = ERROR
`;

const storageConf = (folder: string, port: number, part: string): string => `${common(folder, port)}
[pipeline:main]
pipeline = ${part}-server
[app:${part}-server]
use = egg:swift#${part}
`;

const proxyConf = (folder: string, port: number): string => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = ap-northeast-1
storage_domain = 127.0.0.1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing-secret .admin
${['catch_errors', 'gatekeeper', 'listing_formats', 'copy', 'slo', 'dlo', 'versioned_writes']
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}`)
  .join('\n')}
`;
