import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CLI, hidamari, ROOT, run } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const COMMANDS = [
  'start',
  'build',
  'serve',
  'publish-bulk',
  'keys',
  'verify',
  'inspect',
  'explain',
  'fees',
  'status',
  'doctor',
];
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('hidamari', () => {
  it('--version and --help print and end with 0; help names every command', async () => {
    const printed = await hidamari(['--version']);
    assert.deepEqual(printed, { code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await hidamari(['--help']);
    assert.equal(help.code, 0);
    for (const command of COMMANDS) assert.match(help.stdout, new RegExp(`^  ${command}\\b`, 'm'));
  });

  it('without arguments prints help on standard error and ends with 2', async () => {
    const { code, stdout, stderr } = await hidamari([]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^Usage: hidamari/);
  });

  for (const command of COMMANDS) {
    it(`${command} --help ends with 0 and explains every option`, async () => {
      const { code, stdout } = await hidamari([command, '--help']);
      assert.equal(code, 0);
      const options = stdout.split(/^Options:$/m)[1]!.match(/^ {2}-.*$/gm)!;
      for (const line of options) assert.match(line, /\S {2,}\S|^.{30,}$/, line);
    });
  }

  const wrong: [string[], RegExp][] = [
    [['biuld'], /unknown command 'biuld'.*Did you mean build\?/],
    [['build', '--out', 'x', '--citygmll', 'y'], /unknown option '--citygmll'.*Did you mean --citygml\?/],
    [['build'], /required option '--out <dir>' not specified/],
    [['build', '--nope'], /unknown option '--nope'/],
    [['keys', 'add', '--nope'], /unknown option '--nope'/],
    [['keys', 'nope'], /unknown command 'nope'; hidamari keys --help lists them/],
    [['build', '--out', 'x'], /nothing to build/],
    [['build', '--out', 'x', '--citygml', 'y', '--workers', 'many'], /--workers <n>.*whole number/],
    [['serve', '--port', '99999'], /--port <port>.*whole number from 0 to 65535/],
    [['serve', 'there'], /too many arguments/],
    [['verify'], /missing required argument 'dir'/],
  ];
  for (const [args, message] of wrong) {
    it(`${args.join(' ')}: one line and exit code 2`, async () => {
      const { code, stdout, stderr } = await hidamari(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^hidamari: [^\n]+\n$/);
      assert.match(stderr, message);
    });
  }

  it('a failure is one line and exit code 1; HIDAMARI_DEBUG adds where it happened', async (t) => {
    const missing = join(tempFolder(t), 'nothing');
    const { code, stdout, stderr } = await hidamari(['verify', missing]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^hidamari: [^\n]*nothing[^\n]*\n$/);
    const debug = await hidamari(['verify', missing], { env: { HIDAMARI_DEBUG: '1' } });
    assert.match(debug.stderr, /\n {4}at /);
  });

  it('a package that is not installed is named, with what to do', async () => {
    const hook =
      "registerHooks({ resolve: (name, context, next) => next(name === 'pino' ? 'not-there' : name, context) })";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module'; ${hook}`)}`;
    const { code, stderr } = await hidamari(['serve'], { env: { NODE_OPTIONS } });
    assert.deepEqual([code, stderr], [1, 'hidamari: the package not-there is not installed: run npm install\n']);
  });

  it('start says in one line that the port is taken, and builds nothing before', async (t) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const { port } = server.address() as { port: number };
    const env = {
      HIDAMARI_DATA: join(tempFolder(t), 'data'),
      HIDAMARI_PORT: String(port),
      HIDAMARI_LOG_LEVEL: 'silent',
    };
    const { code, stderr } = await hidamari(['start'], { env });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^hidamari: port ${port} on 127.0.0.1 is taken[^\\n]*\\n$`));
  });

  it('start builds no sample where the datasets are in a store', async (t) => {
    const copies = join(tempFolder(t), 'copies');
    const env = {
      HIDAMARI_S3_ENDPOINT: 'http://127.0.0.1:1',
      HIDAMARI_S3_ACCESS_KEY: 'a',
      HIDAMARI_S3_SECRET_KEY: 'b',
    };
    // A bucket of one letter is refused before it is asked for.
    const { code, stderr } = await hidamari(['start', '--data', 's3://b/x', '--copies', copies], { env });
    assert.equal(code, 1);
    assert.match(stderr, /^hidamari: .*copies: there is no complete dataset to serve; s3:\/\/b\/x into /);
  });

  it('can be run as a program, and a closed pipe is no failure', async () => {
    assert.equal(statSync(CLI).mode & 0o111, 0o111);
    const { code, stderr } = await run('sh', ['-c', `"${process.execPath}" "${CLI}" build --help | true`]);
    assert.deepEqual([code, stderr], [0, '']);
  });
});
