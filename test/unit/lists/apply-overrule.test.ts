import { describe, expect, it } from 'vitest';
import * as lists from '../../../server/lists/rows/apply-incoming.ts';
import type { ApplyContext } from '../../../server/lists/rows/apply-incoming.ts';
import type { IncomingRow, Row } from '../../../server/lists/definitions/model.ts';
import { incoming } from '../../support/harness/lists.ts';

const context: ApplyContext = {
  nodeID: '1',
  columns: ['Name'],
  now: '2026-01-01T00:00:00Z',
  newID: () => '5',
};
const overruling = { ...context, overrule: true };

function applyIncoming(
  known: Row | undefined,
  version: IncomingRow,
  how: ApplyContext,
): { outcome: string; row?: Row } {
  const { outcome, puts } = lists.applyIncoming({ known, same: undefined }, version, how);
  return { outcome, ...(puts[0] ? { row: puts[0].after } : {}) };
}

function received(minute: number, name: string): Row {
  const applied = applyIncoming(undefined, incoming('9', minute, { Name: name }), context);
  return applied.row!;
}

describe('a version that overrules', () => {
  it('counts even where ours has a later time', () => {
    const row = received(30, 'ours');
    const older = incoming('9', 10, { Name: 'restored' });
    expect(applyIncoming(row, older, context)).toEqual({ outcome: 'unchanged' });
    expect(applyIncoming(row, older, overruling)).toMatchObject({
      outcome: 'updated',
      row: { values: { Name: ['restored'] } },
    });
  });

  it('changes nothing when it is the same again, deleted or not', () => {
    const row = received(30, 'ours');
    expect(applyIncoming(row, incoming('9', 30, { Name: 'ours' }), overruling)).toEqual({
      outcome: 'unchanged',
    });
    const gone = incoming('9', 30, {}, { deletedAt: '2025-01-01T00:40:00.000Z' });
    const deleted = applyIncoming(row, gone, overruling).row!;
    expect(deleted.deletedAt).toBeDefined();
    expect(applyIncoming(deleted, gone, overruling)).toEqual({ outcome: 'unchanged' });
  });

  it('brings a row back that the partner no longer counts as deleted', () => {
    const gone = incoming('9', 30, {}, { deletedAt: '2025-01-01T00:40:00.000Z' });
    const deleted = applyIncoming(received(30, 'ours'), gone, context).row!;
    const back = incoming('9', 20, { Name: 'back' });
    expect(applyIncoming(deleted, back, context)).toEqual({ outcome: 'unchanged' });
    const { row } = applyIncoming(deleted, back, overruling);
    expect(row).toMatchObject({ values: { Name: ['back'] } });
    expect(row?.deletedAt).toBeUndefined();
  });
});
