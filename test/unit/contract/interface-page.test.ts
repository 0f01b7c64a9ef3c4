import { MAX_FILE_BYTES } from '../../../server/base/vocabulary.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATUS_TEXTS, statusesOf } from '../../../server/contract/openapi/document.ts';
import { BODY_BYTES, HANDSHAKE_BYTES } from '../../../server/contract/openapi/operation.ts';
import { OPERATIONS } from '../../../server/contract/openapi/operations.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';

const page = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8');
/** Cells of every table row. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

/** Any operation may answer these; the table names them once, above. */
const COMMON = [400, 401, 403, 404, 413, 415, 429, 431, 503, 507];

describe('docs/interface.md', () => {
  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'says who may %s, and what else it can be answered',
    (_, operation) => {
      const { method, path, who } = operation;
      const special = statusesOf(operation).filter((status) => !COMMON.includes(status));
      expect(rows).toContainEqual([method.toUpperCase(), `\`${path}\``, who, special.join(', ')]);
    },
  );

  it('names no operation that is not there', () => {
    const named = rows.filter(([method = '']) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(method));
    expect(named).toHaveLength(OPERATIONS.length);
  });

  it.each(Object.keys(STATUS_TEXTS))('says what %s means', (status) => {
    expect(rows.some(([first]) => first === status)).toBe(true);
  });

  it('gives the limits that hold', () => {
    const limits = rows.map((cells) => cells.join(' ')).join('\n');
    for (const text of [
      `${BODY_BYTES / 1024} KiB;`,
      `${HANDSHAKE_BYTES / 1024} KiB for the handshake`,
      `${MAX_FILE_BYTES / 1024 / 1024} MiB for a file of rows`,
      `${PEER_LIMITS.answerBytes / 1024 / 1024} MiB after decompression`,
      `matched ${PEER_LIMITS.columns}`,
      `one value ${PEER_LIMITS.valueLength / 1024 / 1024} MiB`,
    ])
      expect(limits).toContain(text);
  });
});
