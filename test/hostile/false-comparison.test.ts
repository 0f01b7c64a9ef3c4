import { expect, it } from 'vitest';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, matched, type Matched } from '../support/partners/matched.ts';

/** A partner that says of its one block what it likes, and shows of the rows that it names none. */
async function saying(counted: number, named: number): Promise<Matched> {
  const origin = madeUpOrigin();
  fill(origin, 0, 30);
  const digest = 'f'.repeat(32);
  const set = Array.from({ length: named }, (_, at) => ({ recordID: String(900_000_000 + at), digest }));
  const matching = await matched(
    origin,
    { dialect: 'shape1', footbridge: true },
    {
      lies: (app) =>
        app.post('/footbridge/modules/:id/digest', ({ body }, res) => {
          const { block } = body as { block?: number };
          res.json({ response: block === undefined ? { blocks: [{ count: counted, digest }] } : { set } });
        }),
    },
  );
  await matching.office.sync.syncNow(matching.nodeID);
  return matching;
}

it('a partner that names far more rows in a comparison than it counted has its answer thrown away', async () => {
  const { office, nodeID, sharedModuleID } = await saying(31, 5000);
  await expect(office.sync.compare(nodeID, sharedModuleID)).rejects.toThrow('far more rows than it counted');
});

it('a partner that counts and names more rows than can be named is asked for no more of them than that', async () => {
  const { office, nodeID, sharedModuleID, partner } = await saying(20_000, 20_000);
  const found = await office.sync.compare(nodeID, sharedModuleID);
  expect(found).toMatchObject({ identical: false, more: true });
  expect(partner.heard.filter(({ url }) => url.endsWith('/rows')).length).toBeLessThanOrEqual(25);
});
