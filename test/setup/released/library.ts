import assert from 'node:assert/strict';
import { createReadStream, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import ts from 'typescript';
import { listFiles } from '../../../src/formats/files.ts';
import { DIRECTIONS } from '../../../src/geo/compass.ts';
import { rangeServer } from '../../support/range-server.ts';
import { run } from '../../support/run.ts';
import { writeFiles } from '../../support/small-city.ts';
import type { Installed } from './installed.ts';

/** What each example prints. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  Reader: /^\d+ buildings, 0 left out\n(\d{5}-bldg-\d+ \d+\.\d m, \d+ prisms\n){3}$/,
  Sun: /^(\d{5}-bldg-\d+ \d+ \d+\.\d\d h on the first floor\n){3,}noon 30\.\d\n$/,
  Fees: /^(\d{4}-\d\d-\d\d [345] \d{5,6} \d{5,6}\n){3}private, shared, unit, unit_shared\n$/,
  Client: /^[0-9a-f-]+ [1-9]\d*\n(\d{4,}\n){1,3}$/,
};

/** What programs import from the package. */
export function checkLibrary(of: () => Installed): void {
  let made: Promise<string> | undefined;
  /** The dataset as files, in a folder. */
  const exported = (): Promise<string> => {
    made ??= exportStatic(of());
    return made;
  };

  it('the examples of docs/library.md compile against its types, and run', async (test) => {
    const { folder, own } = of();
    const docs = readFileSync(join(own, 'docs/library.md'), 'utf8');
    const examples = [...docs.matchAll(/^## (\w+)\n\n```ts\n(.*?)^```/gms)];
    assert.deepEqual(
      examples.map(([, title]) => title),
      Object.keys(PRINTED),
    );
    const here = join(folder, 'examples');
    mkdirSync(here);
    const names = examples.map(([, title = '']) => `${title.toLowerCase()}.ts`);
    await writeFiles(here, {
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(examples.map(([, , code = ''], i) => [names[i], code])),
    });
    assert.equal(compile(here, names, own), '');

    const files = await rangeServer(await exported());
    test.after(() => files.close());
    const inputs = join(folder, 'inputs/citygml');
    const cities = (await listFiles(inputs)).filter((name) => name.endsWith('.gml')).map((name) => join(inputs, name));
    const [largest = ''] = cities.sort((a, b) => statSync(b).size - statSync(a).size);
    for (const [, title = ''] of examples) {
      const script = join(here, `${title.toLowerCase()}.js`);
      const env = { HIDAMARI_FILES: files.url };
      const args = title === 'Client' ? ['35.7', '139.8625'] : [largest];
      const ran = await run(process.execPath, [script, ...args], { cwd: here, env });
      assert.equal(ran.code, 0, ran.stderr);
      assert.match(ran.stdout, PRINTED[title] ?? /none/, title);
    }
  });

  it('the sun of a city of its own is that of the dataset', async () => {
    const { folder, own } = of();
    const library = (name: string) => import(join(own, `src/library/${name}.js`));
    const { readBuildings } = (await library('reader')) as typeof import('../../../src/library/reader.ts');
    const { City } = (await library('sun')) as typeof import('../../../src/library/sun.ts');
    const { StaticClient } = (await library('client')) as typeof import('../../../src/library/client.ts');
    const city = new City(35.69, 139.76);
    const numbers = new Map<string, number>();
    const inputs = join(folder, 'inputs/citygml');
    for (const name of (await listFiles(inputs)).filter((one) => one.endsWith('.gml')))
      await readBuildings(name, createReadStream(join(inputs, name)), {
        building(building) {
          const number = city.add(building);
          if (number !== null && building.buildingId !== null) numbers.set(building.buildingId, number);
        },
        issue: () => {},
      });
    const files = await exported();
    const read = async (path: string, range?: { start: number; end: number }) => {
      const bytes = readFileSync(join(files, path));
      return range === undefined ? bytes : bytes.subarray(range.start, range.end);
    };
    const client = await StaticClient.open(read);
    let compared = 0;
    for (const [id, number] of [...numbers].filter((_, i) => i % 20 === 0)) {
      const answer = await client.full(id);
      if (answer === null) continue;
      const { faces } = JSON.parse(answer).data as { faces: AnsweredFace[] };
      for (const { face, sunMinutes } of city.sunOn(number).faces) {
        const answered = faces.find((one) => one.face === DIRECTIONS[face])?.floors.first.months;
        for (const [month, hours] of (answered ?? []).entries()) {
          assert.ok(Math.abs(hours.direct_sun_hours - (sunMinutes[month] ?? 0) / 60) < 0.02, `${id} ${face} ${month}`);
          compared++;
        }
      }
    }
    assert.ok(compared > 500, `${compared} months`);
  });

  it('nothing but what exports names can be imported', async () => {
    const { folder, own } = of();
    const script = "await import('hidamari/src/cli/main.js')";
    const { code, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    assert.deepEqual([code, /ERR_PACKAGE_PATH_NOT_EXPORTED/.test(stderr)], [1, true], stderr);
    assert.ok(readdirSync(join(own, 'src/library')).includes('sun.d.ts'));
  });
}

/**
 * Compiles scripts; gives what is wrong in them and in the types of the package. The types of other packages are not checked: those of
 * typebox take most of a minute.
 */
function compile(folder: string, names: readonly string[], own: string): string {
  const options = { strict: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, types: ['node'] };
  const roots = names.map((name) => join(folder, name));
  const program = ts.createProgram(roots, options, ts.createCompilerHost(options));
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => [...roots, own].some((path) => realpathSync(fileName).startsWith(path)));
  const wrong = [
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file)),
  ];
  // Without a file it checks all of them.
  for (const root of roots) program.emit(program.getSourceFile(root));
  return ts.formatDiagnostics(wrong, {
    getCanonicalFileName: String,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  });
}

async function exportStatic({ folder, program, data }: Installed): Promise<string> {
  const out = join(folder, 'static');
  const args = ['export', data, '--static', out, '--site-url', 'https://sun.example.org', '--no-bulk', '--no-gzip'];
  const { code, stderr } = await run(process.execPath, [program, ...args], { cwd: folder });
  assert.equal(code, 0, stderr);
  return out;
}

interface AnsweredFace {
  face: string;
  floors: { first: { months: { direct_sun_hours: number }[] } };
}
