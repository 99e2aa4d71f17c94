import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BuildingKeys, sameSolid } from '../../src/city/building-keys.ts';
import { type Candidate, findDuplicates } from '../../src/pipeline/duplicates.ts';
import type { FindingsByReason } from '../../src/pipeline/report.ts';

const KEYS = new BuildingKeys();

const RING = [35, 139, 35, 139.001, 35.001, 139.001, 35.001, 139];

function candidate(buildingId: string | null, more: Partial<Candidate> = {}): Candidate {
  return {
    buildingId,
    body: null,
    footprints: [{ rings: [Float64Array.from(RING, (x) => x + Number(/\d*$/.exec(buildingId ?? '')![0]))] }],
    baseM: 0,
    topM: 10,
    lod: 1,
    createdOn: null,
    measuredHeightM: 10,
    source: buildingId ?? 'without ID',
    ...more,
  };
}

/** Runs the search over parts of candidates; gives the places that stay and the findings. */
async function kept(parts: Candidate[][]): Promise<{ places: string[]; findings: FindingsByReason }> {
  const findings: FindingsByReason = {};
  const keys = parts.map((part) => ({
    ids: BigUint64Array.from(part, ({ buildingId }) => KEYS.ofId(buildingId)),
    solids: BigUint64Array.from(part, ({ footprints, baseM, topM }) => KEYS.ofSolid(footprints, baseM, topM)),
  }));
  const { dropped } = await findDuplicates(keys, async (part, row) => parts[part]![row]!, findings);
  const places = parts.flatMap((part, p) =>
    part.filter((_, row) => !dropped.get(p)?.has(row)).map(({ source }) => source),
  );
  return { places, findings };
}

describe('duplicates', () => {
  it('are found under the same ID in two files, and named with the one that is kept', async () => {
    const parts = [
      [candidate('13101-bldg-1')],
      [candidate('13101-bldg-2'), candidate('13101-bldg-1', { source: 'again' })],
    ];
    const { places, findings } = await kept(parts);
    assert.deepEqual(places, ['13101-bldg-1', '13101-bldg-2']);
    assert.deepEqual(findings, { duplicate_id: { count: 1, examples: ['again; kept: 13101-bldg-1'] } });
  });

  it('are not bodies that stand beside each other, one of which may state none', async () => {
    const beside = (body: string | null, shift: number): Candidate => {
      const rings = [Float64Array.from(RING, (x) => x + shift)];
      return candidate('13101-bldg-1', { body, footprints: [{ rings }], source: `body ${body} at ${shift}` });
    };
    const standing = [beside(null, 0), beside('1/', 0.002), beside('1/2', 0.004)];
    const { places, findings } = await kept([standing]);
    assert.deepEqual(places, ['body null at 0'], 'it stands for all three');
    assert.deepEqual([findings.joined_body?.count, findings.duplicate_id], [2, undefined]);
    const again = await kept([standing, [beside(null, 0.1), beside('1/', 0.2)]]);
    assert.equal(again.findings.duplicate_id?.count, 2);
  });

  it('are found as the same solid under two IDs, wherever its ring starts and whichever way it runs', async () => {
    const turned = [...RING.slice(4), ...RING.slice(0, 4)];
    const backwards = [0, 6, 4, 2].flatMap((i) => [RING[i]!, RING[i + 1]!]);
    for (const ring of [RING, turned, backwards]) {
      const solid = { footprints: [{ rings: [Float64Array.from(ring)] }] };
      const first = candidate('13101-bldg-1', { footprints: [{ rings: [Float64Array.from(RING)] }] });
      const { places, findings } = await kept([[first], [candidate('13102-bldg-9', solid)]]);
      assert.deepEqual(places, ['13101-bldg-1']);
      assert.equal(findings.duplicate_solid!.count, 1);
    }
  });

  it('are not what differs in height or in one corner', async () => {
    const solid = (more: Partial<Candidate>) => candidate('13101-bldg-1', { buildingId: null, ...more });
    const corner = [{ rings: [Float64Array.from(RING, (x, i) => (i === 3 ? x + 1 + 1e-9 : x + 1))] }];
    const { places } = await kept([
      [solid({}), solid({ topM: 11 }), solid({ baseM: 1 }), solid({ footprints: corner })],
    ]);
    assert.equal(places.length, 4);
  });

  it('keep the one with an ID, then the newest, then LOD1, then the one with a measured height', async () => {
    const likes: [Partial<Candidate>, Partial<Candidate>][] = [
      [
        { buildingId: '13101-bldg-1', createdOn: null },
        { buildingId: null, createdOn: '2024-01-01' },
      ],
      [{ createdOn: '2024-01-01', lod: 0 }, { createdOn: '2020-01-01' }],
      [{ lod: 1, measuredHeightM: null }, { lod: 2 }],
      [{ lod: 2 }, { lod: 0 }],
      [{ measuredHeightM: 10 }, { measuredHeightM: null }],
    ];
    for (const [better, worse] of likes) {
      const two = [
        candidate('13101-bldg-1', { ...better, source: 'better' }),
        candidate('13101-bldg-1', { ...worse, source: 'worse' }),
      ];
      assert.deepEqual((await kept([two])).places, ['better']);
      assert.deepEqual((await kept([two.reverse()])).places, ['better']);
    }
  });

  it('never take a body from a building of several: the copy elsewhere goes', async () => {
    const body = (name: string, shift: number, more: Partial<Candidate>): Candidate =>
      candidate('13101-bldg-1', {
        body: name,
        footprints: [{ rings: [Float64Array.from(RING, (x) => x + shift)] }],
        source: name,
        ...more,
      });
    const several = [body('1/1', 0, { createdOn: '2020-01-01' }), body('1/2', 0.002, { createdOn: '2020-01-01' })];
    const newer = body('', 0, { buildingId: '13102-bldg-9', body: null, createdOn: '2023-01-01', source: 'newer' });
    const unnamed = body('', 0.002, { buildingId: null, body: null, source: 'unnamed' });
    const { places, findings } = await kept([several, [newer, unnamed]]);
    assert.deepEqual(places, ['1/1'], 'it stands for both bodies');
    assert.equal(findings.duplicate_solid?.count, 2);
    // Under another ID the whole building stood twice.
    const again = several.map((one) => ({ ...one, buildingId: '13102-bldg-9', source: `again ${one.source}` }));
    const twice = await kept([several, again]);
    assert.deepEqual(twice.places, ['1/1'], 'a copy of all bodies goes');
    assert.deepEqual(twice.findings.duplicate_solid, { count: 1, examples: ['again 1/1; kept: 1/1'] });
    const half = await kept([several, [again[0]!, body('1/3', 0.004, { buildingId: '13102-bldg-9' })]]);
    assert.deepEqual(half.places, ['1/1', 'again 1/1'], 'a building with a body of its own stays');
  });

  it('leave one of each ID and each solid, whatever is given how often', async () => {
    const one = fc.record({
      id: fc.integer({ min: 0, max: 5 }),
      shape: fc.integer({ min: 0, max: 5 }),
      named: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(one, { maxLength: 6 }), { maxLength: 4 }), async (wanted) => {
        const parts = wanted.map((part, p) =>
          part.map(({ id, shape, named }, row) =>
            candidate(named ? `13101-bldg-${id}` : null, {
              topM: 10 + shape,
              footprints: candidate(null).footprints,
              source: `${p}.${row}`,
            }),
          ),
        );
        const all = new Map(parts.flat().map((each) => [each.source, each]));
        const left = (await kept(parts)).places.map((place) => all.get(place)!);
        const ids = left.map(({ buildingId }) => buildingId).filter((id) => id !== null);
        assert.equal(new Set(ids).size, ids.length);
        for (const a of left) for (const b of left) assert.ok(a === b || !sameSolid(a, b));
        const named = new Set([...all.values()].map(({ buildingId }) => buildingId).filter((id) => id !== null));
        // A name may go with a solid that another has too, but no solid goes altogether.
        assert.ok(ids.every((id) => named.has(id)));
      }),
    );
  });
});
