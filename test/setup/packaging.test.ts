import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Command } from 'commander';
import { ROOT, run } from '../support/run.ts';
import { serverSettings } from '../support/settings.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { kubernetesSchema } from './support/kubernetes-schema.ts';

test('systemd finds nothing wrong with the units', async (t) => {
  const there = await run('systemd-analyze', ['--version']).catch(() => null);
  if (there === null) {
    t.skip('systemd-analyze is not installed');
    return;
  }
  const unit = readFileSync(join(ROOT, 'packaging/hidamari.service'), 'utf8');
  const verify = async (text: string) => {
    const path = join(tempFolder(t), 'hidamari.service');
    writeFileSync(path, text);
    return run('systemd-analyze', ['verify', '--man=no', path]);
  };
  // The program that it starts is not installed here: Node.js stands in for it.
  const sound = unit.replace('/usr/local/bin/hidamari', process.execPath);
  const { code, stderr } = await verify(sound);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /hidamari\.service/);
  const folder = tempFolder(t);
  for (const name of ['hidamari-refresh.service', 'hidamari-refresh.timer'])
    writeFileSync(
      join(folder, name),
      readFileSync(join(ROOT, 'packaging', name), 'utf8').replace('/usr/local/bin/hidamari', process.execPath),
    );
  const refresh = await run('systemd-analyze', [
    'verify',
    '--man=no',
    join(folder, 'hidamari-refresh.timer'),
    join(folder, 'hidamari-refresh.service'),
  ]);
  assert.equal(refresh.code, 0, refresh.stderr);
  assert.doesNotMatch(refresh.stderr, /hidamari-refresh/);
  // From 0 (nothing is open) to 10.
  for (const name of ['hidamari.service', 'hidamari-refresh.service']) {
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', join(ROOT, 'packaging', name)]);
    const [, exposure = 'none'] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    assert.ok(Number(exposure) <= 3, `${name}: exposure ${exposure}`);
  }
  const misspelt = await verify(sound.replace('StateDirectory', 'StateDirectry'));
  assert.match(misspelt.stderr, /StateDirectry/);
});

test('the compose file names commands, flags and settings that there are', async () => {
  const text = readFileSync(join(ROOT, 'packaging/compose.yaml'), 'utf8');
  const commands = [...text.matchAll(/^ {4}command: \[(.+)\]$/gm)].map(([, list = '']) =>
    list.split(', ').map((word) => word.replace(/^'(.*)'$/, '$1')),
  );
  const ours = commands.filter(([name]) => name !== 'redis-server');
  assert.deepEqual(
    ours.map(([name]) => name),
    ['start', 'work', 'build'],
  );
  for (const [name = '', ...args] of ours) {
    const command = new Command(name);
    (await import(`../../src/cli/${name}.ts`)).define(command);
    const flags = command.options.map(({ long }) => long);
    for (const flag of args.filter((arg) => arg.startsWith('--'))) assert.ok(flags.includes(flag), `${name} ${flag}`);
  }
  const variables = (await serverSettings()).map(({ variable }) => variable);
  for (const [, name = ''] of text.matchAll(/^ {6}(HIDAMARI_\w+):/gm)) assert.ok(variables.includes(name), name);
});

/** What the tests read of a manifest. */
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: object;
}
interface Template {
  metadata: { labels: object };
}
interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string }[];
  volumeMounts?: { name: string }[];
}

/** Every list under a key, however deep. */
function listsOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && Array.isArray(inner) ? inner : listsOf(inner, key),
  );
}

/** Labels that have all of the wanted ones. */
const haveAll = (labels: object, wanted: object): boolean =>
  Object.entries(wanted).every(([name, value]) => (labels as Record<string, unknown>)[name] === value);

/** What is wrong with a manifest by itself: its members, and names in it that lead to nothing. */
function faultsOf(manifest: Manifest): string[] {
  const check = new Ajv2020({ allErrors: true }).compile(kubernetesSchema(manifest.kind) ?? false);
  check(manifest);
  const faults = (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty ?? ''].join(' ').trim(),
  );
  const ports = (listsOf(manifest, 'ports') as { name?: string }[]).map(({ name }) => name);
  const isService = manifest.kind === 'Service';
  for (const [, port = ''] of isService ? [] : JSON.stringify(manifest).matchAll(/"port":"([^"]+)"/g))
    if (!ports.includes(port)) faults.push(`a probe names the port ${port}`);
  const { selector, template } = manifest.spec as {
    selector?: { matchLabels?: object };
    template?: { metadata?: { labels?: object } };
  };
  if (manifest.kind === 'Deployment' && !haveAll(template?.metadata?.labels ?? {}, selector?.matchLabels ?? {}))
    faults.push('the selector does not select the pods of the template');
  return faults;
}

test('the manifests for Kubernetes name commands, flags, variables, volumes and Services that there are', async (t) => {
  // It comes with a tool of ours; nothing of ours depends on it.
  const parser = 'js-yaml';
  const yaml: { loadAll(text: string): unknown } | null = await import(parser).catch(() => null);
  if (yaml === null) {
    t.skip('js-yaml is not installed');
    return;
  }
  const { groups } = (
    yaml.loadAll(readFileSync(join(ROOT, 'packaging/alerts.yaml'), 'utf8')) as [{ groups: object[] }]
  )[0];
  assert.ok(listsOf(groups, 'rules').length >= 17);
  const folder = join(ROOT, 'packaging/kubernetes');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const all = texts.flatMap((text) => yaml.loadAll(text) as Manifest[]);
  const services = all.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
  assert.deepEqual(services.sort(), ['hidamari', 'hidamari-admin', 'hidamari-redis']);
  const variables = [
    ...(await serverSettings()).map(({ variable }) => variable),
    'HIDAMARI_CONTACT',
    'HIDAMARI_STORE_KEY',
  ];
  for (const text of texts) {
    for (const [name] of text.matchAll(/\bHIDAMARI_\w+/g))
      assert.ok(name === 'HIDAMARI_' || variables.includes(name), name);
    for (const [, host = ''] of text.matchAll(/"(?:redis:\/\/)?([\w-]+):\d+/g))
      assert.ok(services.includes(host), host);
  }
  const used: string[] = [];
  for (const { kind, spec } of all.filter((one) => /Job|Deployment/.test(one.kind))) {
    const volumes = (listsOf(spec, 'volumes') as { name: string }[]).map(({ name }) => name);
    for (const { image, args = [], volumeMounts = [] } of listsOf(spec, 'containers') as Container[]) {
      for (const { name } of volumeMounts) assert.ok(volumes.includes(name), `${kind}: ${name}`);
      if (image !== 'hidamari') continue;
      const [name = '', ...rest] = args;
      used.push(name);
      const command = new Command(name);
      (await import(`../../src/cli/${name}.ts`)).define(command);
      const flags = command.options.map(({ long }) => long);
      for (const flag of rest.filter((arg) => arg.startsWith('--'))) assert.ok(flags.includes(flag), `${name} ${flag}`);
    }
  }
  assert.deepEqual(used.sort(), ['build', 'build', 'refresh', 'serve', 'work', 'work']);

  for (const one of all) assert.deepEqual(faultsOf(one), [], `${one.kind} ${one.metadata.name}`);
  const pods = all.flatMap(({ kind, spec }) =>
    kind === 'Deployment' ? [(spec as { template: Template }).template] : [],
  );
  for (const { metadata, spec } of all.filter(({ kind }) => kind === 'Service')) {
    const { selector, ports } = spec as { selector: object; ports: { targetPort: string }[] };
    const pod = pods.find((one) => haveAll(one.metadata.labels, selector));
    const names = (listsOf(pod, 'ports') as { name: string }[]).map(({ name }) => name);
    for (const { targetPort } of ports) assert.ok(names.includes(targetPort), `${metadata.name}: ${targetPort}`);
  }
  const claims = all.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
  for (const [, claim = ''] of JSON.stringify(all).matchAll(/"claimName":"([^"]+)"/g))
    assert.ok(claims.includes(claim));

  // What a cluster refuses, the test does too.
  const server = JSON.stringify(
    all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'hidamari'),
  );
  for (const [from, to, fault] of [
    ['"volumeMounts"', '"volumeMount"', /containers\/0 must NOT have additional properties volumeMount$/],
    ['"value":"9464"', '"value":9464', /env\/4\/value must be string/],
    ['"selector"', '"selectors"', /must have required property 'selector'/],
    ['"mountPath":"/tmp"', '"mountPath":"tmp"', /mountPath must match pattern/],
    ['"memory":"2Gi"', '"memory":"2GB"', /memory must match pattern/],
    ['"name":"http"', '"name":"web"', /a probe names the port http/],
    ['"apps/v1"', '"v1"', /apiVersion must be equal to constant/],
    ['"matchLabels":{"app":"hidamari"', '"matchLabels":{"app":"x"', /does not select the pods/],
  ] as const) {
    assert.ok(server.includes(from), from);
    assert.match(faultsOf(JSON.parse(server.replace(from, to))).join('\n'), new RegExp(fault, 'm'), to);
  }
});
