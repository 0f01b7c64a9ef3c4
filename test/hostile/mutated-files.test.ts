import { expect, it } from 'vitest';
import { z } from 'zod';
import { seeded } from '../support/data/seeded.ts';
import { startNode } from '../support/harness/node.ts';
import { watchTurns } from '../support/reading/longest-turn.ts';
import { mutatedFile } from '../support/reading/mutated-files.ts';

const FILES = 40;
const error = z.object({ error: z.object({ message: z.string().min(1) }) });

/** The short form of `npm run fuzz:files`. */
it('answers every mutated workbook and CSV file, in words where it is refused, and lets others work meanwhile', async () => {
  const luck = seeded(39);
  const files = Array.from({ length: FILES }, () => mutatedFile(luck));
  const office = await startNode('North');
  try {
    const turns = process.platform === 'linux' ? watchTurns() : undefined;
    let came = 0;
    for (const [at, { what, bytes }] of files.entries()) {
      const send = (path: string): Promise<Response> =>
        office.fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'text/csv' },
          body: Buffer.from(bytes),
        });
      const preview = await send('/app/import/preview');
      const answer: unknown = await preview.json();
      expect(preview.status, `${what} ${at}: ${JSON.stringify(answer).slice(0, 300)}`).toBeLessThan(500);
      if (!preview.ok) error.parse(answer);
      else {
        came++;
        const imported = await send(`/app/import?list=File${at}`);
        expect(imported.status, `${what} ${at}`).toBeLessThan(500);
      }
    }
    expect(came).toBeGreaterThan(FILES / 4);
    if (turns) expect(turns.end(), 'milliseconds of the longest turn').toBeLessThan(100);
  } finally {
    await office.stop();
  }
}, 400_000);
