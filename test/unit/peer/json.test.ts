import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolViolationError } from '../../../server/peer/guard/errors.ts';
import { locateRows, parseRows } from '../../../server/peer/transport/json.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The rows of an answer, piece by piece; undefined where there is no array of rows. */
function rowsIn(text: string, limits = PEER_LIMITS): unknown[][] | undefined {
  const body = bytes(text);
  return locateRows(body, limits)?.pieces.map((piece) => [...parseRows(body, piece)]);
}

const isSet = (data: unknown): data is unknown[] => Array.isArray(data);

describe('the rows of an answer', () => {
  it.each([
    ['{"response":{"filter":{"set":[9]},"set":[{"a":[1,2]},{"b":"],["}]}}', [[{ a: [1, 2] }, { b: '],[' }]]],
    ['{"set":[1,[2],{"set":[3]}],"more":[4]}', [[1, [2], { set: [3] }]]],
    ['{"response":{"set":[ \n ]}}', []],
    ['{"response":{"set":null}}', undefined],
    ['{"other":{"set":[1]},"response":{}}', undefined],
    ['{"response":[{"set":[1]}]}', undefined],
    ['[{"set":[1]}]', undefined],
    ['{"response":{"s\\u0065t":[1]}}', undefined],
    ['\ufeff{"response" : { "set" :\t[ 1 , 2 ] } }', [[1, 2]]],
  ])('are found in %j', (text, expected) => {
    expect(rowsIn(text)).toEqual(expected);
  });

  it('are those that JSON.parse finds, however the answer looks (fast-check)', () => {
    const set = fc.array(fc.jsonValue(), { maxLength: 5 });
    const answer = fc.oneof(
      fc.record({ response: fc.record({ filter: fc.jsonValue(), set }) }),
      fc.record({ filter: fc.jsonValue(), set }),
    );
    fc.assert(
      fc.property(answer, fc.constantFrom(0, 2), (data, indent) => {
        const own: unknown = 'response' in data ? data.response.set : data.set;
        if (!isSet(own)) throw new Error('no set was made');
        expect(rowsIn(JSON.stringify(data, null, indent))?.flat()).toEqual(JSON.parse(JSON.stringify(own)));
      }),
    );
  });

  it('come in pieces of 500, or of half a MiB', () => {
    const many = `{"set":[${'1,'.repeat(1200)}1]}`;
    expect(rowsIn(many)?.map((piece) => piece.length)).toEqual([500, 500, 201]);
    const large = JSON.stringify({ set: Array.from({ length: 5 }, () => 'x'.repeat(300_000)) });
    expect(rowsIn(large)?.map((piece) => piece.length)).toEqual([2, 2, 1]);
  });

  it.each([
    ['twice in one answer', '{"set":[1],"set":[2]}'],
    ['without an end', '{"set":[1,{"a":2}'],
    ['with a comma too many', `{"set":[${'1,'.repeat(500)}]}`],
    ['with a comma at the end', '{"set":[1,]}'],
    ['that are no JSON', '{"set":[{]}'],
  ])('%s are a fault', (_, text) => {
    expect(() => rowsIn(text)).toThrow(ProtocolViolationError);
  });

  it('H2: one of them has so many parts and bytes at most', () => {
    const limits = { ...PEER_LIMITS, rowParts: 10, rowBytes: 100 };
    expect(rowsIn(`{"set":[${'[1,2,3,4,5],'.repeat(9)}0]}`, limits)).toHaveLength(1);
    expect(() => rowsIn(`{"set":[0,[${'1,'.repeat(10)}1]]}`, limits)).toThrow('a row has too many parts');
    expect(() => rowsIn(`{"set":[0,"${'x'.repeat(100)}"]}`, limits)).toThrow('a row is too large');
  });
});
