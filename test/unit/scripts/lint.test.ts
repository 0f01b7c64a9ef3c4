import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';

/** Messages of the project's own rules for these files, though the lint run leaves them out. */
async function messagesOf(files: string[]): Promise<string[]> {
  const results = await new ESLint({ ignore: false }).lintFiles(files);
  return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId ?? 'unreadable'));
}

describe('the lint rules for who imports whom', () => {
  test('refuse two files that import each other', async () => {
    const circle = ['test/fixtures/circle/hen.ts', 'test/fixtures/circle/egg.ts'];
    expect(await messagesOf(circle)).toEqual(['import-x/no-cycle', 'import-x/no-cycle']);
  }, 60_000);
});
