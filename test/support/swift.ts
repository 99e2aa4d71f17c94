import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type S3Location, S3Store } from '../../src/http/s3-store.ts';
import { tempFolder } from './temp-folder.ts';

/** The system's Python, for which Debian's packages install. */
const PYTHON = '/usr/bin/python3';
const STORAGE = ['account', 'container', 'object'];

/**
 * Prints why OpenStack Swift cannot run here, or nothing. Swift stores facts about an object in its file attributes.
 */
const PROBE = `
import importlib.util, os, sys, tempfile
try: there = importlib.util.find_spec('swift.common.middleware.s3api.s3api')
except ImportError: there = None
if there is None: sys.exit(print('no package swift'))
with tempfile.NamedTemporaryFile(dir=sys.argv[1]) as file:
    try: os.setxattr(file.name, 'user.swift.metadata', b'x' * 2000)
    except OSError as error: sys.exit(print('no extended attributes in', sys.argv[1], error))
`;

/**
 * Its four servers in one process: Debian starts four, which takes four times as long. It prints the port of the proxy.
 * Each part has a ring of one device.
 */
const SERVERS = `
import eventlet, sys
from swift.common import utils
utils.eventlet_monkey_patch()
from eventlet import wsgi
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.ring import RingBuilder
from swift.common.storage_policy import reload_storage_policies
from swift.common.wsgi import loadapp
config, *parts = sys.argv[1:]
utils.set_swift_dir(config)
reload_storage_policies()
sockets = {part: eventlet.listen(('127.0.0.1', 0)) for part in parts}
ports = {part: sockets[part].getsockname()[1] for part in parts}
for part in parts[:-1]:
    builder = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': ports[part], 'device': 'd1', 'weight': 1.0})
    builder.rebalance()
    builder.get_ring().save(config + '/' + part + '.ring.gz')
def serve(part):
    app = loadapp(config + '/' + part + '.conf', global_conf={'log_name': part})
    wsgi.server(sockets[part], app, utils.NullLogger(), protocol=SwiftHttpProtocol, capitalize_response_headers=False)
servers = [eventlet.spawn(serve, part) for part in parts]
print(ports[parts[-1]], flush=True)
for server in servers: server.wait()
`;

/** `skip` option for node:test: false when OpenStack Swift with its S3 interface can run, otherwise the reason. */
export function skipWithoutSwift(): false | string {
  const { stdout, status, error } = spawnSync(PYTHON, ['-c', PROBE, tmpdir()], { encoding: 'utf8' });
  const problem = error ? `no ${PYTHON}` : stdout.trim() || (status === 0 ? '' : 'the probe failed');
  if (problem === '') return false;
  return `OpenStack Swift cannot run here (${problem}); on Debian: apt-get install swift`;
}

/** OpenStack Swift as an S3-compatible store that checks signatures, with a bucket `bulk`. It ends with the test. */
export async function startSwift(test: { after(fn: () => unknown): unknown }): Promise<S3Location> {
  const folder = tempFolder(test);
  const config = join(folder, 'config');
  mkdirSync(config);
  mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
  writeFileSync(join(config, 'swift.conf'), SWIFT_CONF);
  for (const part of STORAGE) writeFileSync(join(config, `${part}.conf`), storageConf(folder, part));
  writeFileSync(join(config, 'proxy.conf'), proxyConf(folder));
  const server = spawn(PYTHON, ['-c', SERVERS, config, ...STORAGE, 'proxy'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  test.after(async () => {
    server.kill('SIGKILL');
    await ended;
  });
  let output = '';
  server.stderr.on('data', (chunk) => (output += chunk));
  const port = await Promise.race([once(server.stdout, 'data'), ended.then(() => null)]);
  if (port === null) throw new Error(`swift has ended: ${output}`);
  const place: S3Location = {
    endpoint: new URL(`http://127.0.0.1:${Number(port)}`),
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
async function createBucket(place: S3Location, folder: string): Promise<void> {
  const nothing = join(folder, 'nothing');
  writeFileSync(nothing, '');
  await new S3Store(place).put('', nothing, hash('sha256', ''), {});
}

const SWIFT_CONF = `
[swift-hash]
swift_hash_path_prefix = test
swift_hash_path_suffix = test
[storage-policy:0]
name = Policy-0
default = yes
`;

const common = (folder: string): string => `
[DEFAULT]
swift_dir = ${join(folder, 'config')}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
log_level = ERROR
`;

const storageConf = (folder: string, part: string): string => `${common(folder)}
[pipeline:main]
pipeline = ${part}-server
[app:${part}-server]
use = egg:swift#${part}
`;

const proxyConf = (folder: string): string => `${common(folder)}
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
