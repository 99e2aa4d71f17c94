import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { contractFor, TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { llmsFullText, llmsText } from '../../src/contract/llms.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { OPERATION_TABLE } from '../../src/contract/operations.ts';
import { type DatasetValues, filled, placeElsewhere, placeFromOpenApi } from '../../src/contract/place.ts';
import { coveredBy } from '../../src/dataset/dataset.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SITE = 'https://example.org';
/** A block of Osaka: squares 51357346 and its neighbour to the north. */
const OSAKA = coveredBy(['51357346', '51357356'], ['27125', '27108']) ?? assert.fail('it lies in Tokyo');

const contractOfOsaka = (values: DatasetValues = {}) => contractFor(placeElsewhere(OSAKA, values));

describe('what a dataset covers', () => {
  it('is nothing of its own within the 23 wards', () => {
    assert.equal(coveredBy(['53394611', '53394612'], ['13101']), null);
  });

  it('elsewhere holds its squares with a margin, and its municipalities in order', () => {
    assert.deepEqual(OSAKA, {
      bbox: { south: 34.56, west: 135.39, north: 34.69, east: 135.52 },
      municipalities: ['27108', '27125'],
    });
  });

  it('is of its own where a ward of Tokyo’s box is none of the 23', () => {
    assert.deepEqual(coveredBy(['53394611'], ['12203'])?.municipalities, ['12203']);
  });
});

describe('the contract for a place', () => {
  it('leaves no name of a value in its examples', () => {
    for (const contract of [TOKYO_CONTRACT, contractOfOsaka()]) {
      const texts = [openApiDocument(contract, SITE), llmsFullText(contract.operations, SITE)];
      for (const text of texts) assert.doesNotMatch(JSON.stringify(text), /\$[a-z]+_?[a-z]*(?![\w":])/);
    }
    assert.throws(() => filled('$nothing', {}), /there is no value nothing/);
  });

  it('keeps everything of the table but bounds, codes and examples', () => {
    const without = (value: object) =>
      JSON.parse(
        JSON.stringify(value, (key, member) =>
          ['example', 'examples', 'minimum', 'maximum', 'pattern'].includes(key) ||
          (key === 'description' && /^Code of (one of the 23|a municipality)/.test(member))
            ? undefined
            : member,
        ),
      );
    assert.deepEqual(without(TOKYO_CONTRACT.operations), without(OPERATION_TABLE));
    assert.deepEqual(without(contractOfOsaka().operations), without(OPERATION_TABLE));
  });

  it('has examples of its form and none of Tokyo, or those that it is given', () => {
    const describe = (values?: DatasetValues) => openApiDocument(contractOfOsaka(values), SITE);
    const { paths } = JSON.parse(JSON.stringify(describe())) as { paths: Record<string, unknown> };
    assert.match(JSON.stringify(paths), /"building_id":"27108-bldg-1"/);
    const ours = Object.entries(paths).filter(([path]) => path.startsWith('/api/v1/sunlight/'));
    assert.ok(ours.length > 10);
    for (const [path, about] of ours)
      assert.doesNotMatch(JSON.stringify(about), /13101|139\.7|35\.68|千代田|丸の内|まるのうち|(?<!Asia\/)Tokyo/, path);
    const values = { sunlight: { building_id: '27125-bldg-7' }, kaigo: { facility_id: '2790000001' } };
    assert.match(JSON.stringify(describe(values)), /"building_id":"27125-bldg-7"/);
    assert.match(JSON.stringify(describe(values)), /"example":"2790000001"/);
  });

  it('speaks of no other place, and says of a half that it lacks that it has none, without examples', () => {
    const values = {
      sunlight: { building_id: '27125-bldg-7', town_code: '271250010', ward_code: '27125', lat: '34.6', lon: '135.4' },
      kaigo: null,
      search: { q: '住之江区', q_latin: '住之江区' },
      site: { dataset_id: 'e72f' },
    };
    const contract = contractOfOsaka(values);
    const { operations, problem } = contract;
    const document = openApiDocument(contract, SITE);
    const texts = [document, llmsText(operations, SITE), llmsFullText(operations, SITE), problem];
    const foreign =
      /.{0,60}((?<!\d)131\d\d(?!\d)|13101|(?<!\d)35\.[469]|139\.7|千代田|丸の内|東京|神田|Kanda|(?<!Asia\/)Tokyo)/g;
    for (const text of texts) assert.deepEqual(JSON.stringify(text).match(foreign), null);
    const { paths } = JSON.parse(JSON.stringify(document)) as {
      paths: Record<string, { get: { description: string } }>;
    };
    for (const [path, { get }] of Object.entries(paths)) {
      const isCare = path.startsWith('/api/v1/kaigo/') || path === '/kaigo/municipalities.json';
      assert.equal(/This server has no care data/.test(get.description), isCare, path);
      if (isCare) assert.doesNotMatch(JSON.stringify(get), /"example":/, path);
    }
    assert.match(llmsText(operations, SITE), /`GET \/api\/v1\/kaigo\/near`\. This server has no care data\.$/m);
  });

  it('is made again from its description', () => {
    const { bounds, isTokyo, wardCode } = placeFromOpenApi(openApiDocument(contractOfOsaka(), SITE));
    assert.deepEqual({ bounds, isTokyo }, { bounds: OSAKA.bbox, isTokyo: false });
    assert.match(JSON.stringify(wardCode), /5 digits/);
    assert.equal(placeFromOpenApi(openApiDocument(TOKYO_CONTRACT, SITE)).isTokyo, true);
    assert.equal(placeFromOpenApi({}).isTokyo, true);
  });
});

function osakaDataset(t: TestContext): FakeDataset {
  const dataset = new FakeDataset('osaka', tempFolder(t));
  const { sunlight } = dataset.manifest.halves;
  assert.ok(sunlight !== null);
  sunlight.extent = OSAKA;
  return dataset;
}

describe('a server of such a dataset', () => {
  it('takes its own points and codes, refuses those of Tokyo, and describes itself so', async (t) => {
    const dataset = osakaDataset(t);
    const [town] = dataset.sunlight!.towns();
    dataset.sunlight!.towns = () => [{ ...town!, town_code: '27127001001', ward_code: '27127' }];
    const { url } = await startServer(t, { dataset, mcp: { version: '1', method: '' } });
    const status = async (target: string) => (await fetch(url + target)).status;
    assert.equal(await status('/api/v1/sunlight/near?lat=34.62&lon=135.45'), 200);
    const tokyo = await fetch(`${url}/api/v1/sunlight/near?lat=35.68&lon=139.76`);
    assert.equal(tokyo.status, 400);
    assert.match(((await tokyo.json()) as { detail: string }).detail, /lat must be .*from 34.56 to 34.69/);
    assert.equal(await status('/api/v1/sunlight/bulk/27999'), 404);
    assert.equal(await status('/api/v1/sunlight/bulk/2712'), 400);
    assert.equal(await status('/sunlight/27127/'), 200, 'the page of a ward has the codes of the place, too');
    const described = JSON.stringify(await (await fetch(`${url}/openapi.json`)).json());
    assert.match(described, /"maximum":34\.69/);
    assert.doesNotMatch(described, /131\(0/);
    assert.match(described, /"name":"sunlight","description":"Direct sun on buildings\."/);
    assert.doesNotMatch(described, /(?<!Asia\/)Tokyo/);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    t.after(() => client.close());
    assert.match(client.getInstructions() ?? '', /^Direct sun on buildings and a comparison/);
    const { tools } = await client.listTools();
    assert.doesNotMatch(JSON.stringify(tools) + client.getInstructions(), /Tokyo|Chiyoda|13101/);
  });

  it('suggests what it has to those who ask wrongly', async (t) => {
    const { url } = await startServer(t, { dataset: osakaDataset(t) });
    // The building of the fake stands in Tokyo, whatever the extent says.
    const told = await (await fetch(`${url}/api/v1/sunlight/near?lat=x`)).text();
    assert.match(told, /lat must be .*from 34\.56 to 34\.69, such as 35\.6811912, but is/);
    assert.match(told, /lon is required: .*such as 139\.7671063\./);
  });
});
