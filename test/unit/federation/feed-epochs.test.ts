import { expect, it } from 'vitest';
import { createFeedEpochs } from '../../../server/federation/sharing/feed-epochs.ts';
import type { Exposure, Node } from '../../../server/federation/model.ts';
import { memoryStore } from './memory-store.ts';

it('partners that ask for a list at the same moment are given one name of it, and keep it', async () => {
  const system = await memoryStore(new Map()).store.partition('system');
  const epochs = createFeedEpochs(system);
  const list = { moduleID: '7', composeModuleID: '5', fields: [], fieldIDs: [] } as unknown as Exposure;
  const name = (lastSeq: number): Promise<string> => epochs.get(list, { nodeID: '1' } as Node, lastSeq);
  const first = await Promise.all([name(40), name(41), name(41)]);
  expect(new Set(first).size).toBe(1);
  expect(await name(90)).toBe(first[0]);
  const afterJump = await Promise.all([name(40 + 2 ** 20), name(40 + 2 ** 20)]);
  expect(new Set(afterJump).size).toBe(1);
  expect(afterJump[0]).not.toBe(first[0]);
});

it('what a column leaves as that is not shared any more is no part of the name', async () => {
  const epochs = createFeedEpochs(await memoryStore(new Map()).store.partition('system'));
  const list = { moduleID: '7', composeModuleID: '5', fields: [], fieldIDs: ['8'] } as unknown as Exposure;
  const name = (titlePins?: Exposure['titlePins']): Promise<string> =>
    epochs.get(titlePins ? { ...list, titlePins } : list, { nodeID: '1' } as Node, 40);
  expect(await name({ '9': '0' })).toBe(await name());
  expect(await name({ '9': '0', '8': '6' })).toBe(await name({ '8': '6' }));
  expect(await name({ '8': '6' })).not.toBe(await name());
});

it('a state is that of what is told, and one that a version before told says nothing against its reader', async () => {
  const epochs = createFeedEpochs(await memoryStore(new Map()).store.partition('system'));
  const list = { moduleID: '7', composeModuleID: '5', fields: [], fieldIDs: [] } as unknown as Exposure;
  // Two runs wrote this list, the second one from 30 on.
  const rows = {
    lastSeq: () => Promise.resolve(40),
    runAt: (seq: number) => Promise.resolve(seq < 30 ? 'one' : 'two'),
    isOfRun: (run: string, seq: number) => Promise.resolve(run === 'two' || (run === 'one' && seq < 30)),
  };
  const [early, late] = [await epochs.state(list, rows, 20), await epochs.state(list, rows, 40)];
  expect(early).not.toBe(late);
  expect(await epochs.state(list, rows, 29)).toBe(early);
  expect(await epochs.isKnown(list, rows, early, 20)).toBe(true);
  expect(await epochs.isKnown(list, rows, early, 35)).toBe(false);
  expect(await epochs.isKnown(list, rows, `${late}x`, 20)).toBe(false);
  // Its name has no part for what is told: the epoch of that time is another one, and sends it to the beginning.
  expect(await epochs.isKnown(list, rows, `${'0'.repeat(24)}.one`, 9e15)).toBe(true);
});
