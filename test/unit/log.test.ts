import { describe, expect, it } from 'vitest';
import { createLog } from '../../server/log.ts';

describe('A6: the log', () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const secret = 'Canary'.padEnd(32, '7');

  it('leaves secrets out, by name and inside of texts', () => {
    log.info(
      { token: secret, node: { authToken: secret }, headers: { authorization: `Bearer ${secret}` } },
      'x',
    );
    log.warn(`could not reach https://123456789:${secret}@office.example/federation?name=A`);
    log.error({ err: new Error(`refused eyJhbGciOiJIUzI1NiJ9.${secret}.${secret}`) }, 'failed');
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(secret);
    expect(lines[1]).toContain('office.example');
  });
});
