import { expect, it } from 'vitest';
import { createFeedEpochs } from '../../../server/federation/sharing/feed-epochs.ts';
import type { Exposure, Node } from '../../../server/federation/model.ts';
import { memoryStore } from './memory-store.ts';

it('partners that ask for a list at the same moment are given one name of it, and keep it', async () => {
  const system = await memoryStore(new Map()).store.partition('system');
  const epochs = createFeedEpochs(system);
  const list = { moduleID: '7', composeModuleID: '5', fields: [], fieldIDs: [] } as unknown as Exposure;
  const name = (lastSeq: number): Promise<string> => epochs.of(list, { nodeID: '1' } as Node, lastSeq);
  const first = await Promise.all([name(40), name(41), name(41)]);
  expect(new Set(first).size).toBe(1);
  expect(await name(90)).toBe(first[0]);
  const afterJump = await Promise.all([name(40 + 2 ** 20), name(40 + 2 ** 20)]);
  expect(new Set(afterJump).size).toBe(1);
  expect(afterJump[0]).not.toBe(first[0]);
});
