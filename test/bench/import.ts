import { FIRST_LOOK_BYTES } from '../../server/base/vocabulary.ts';
import { bounded, type Measured } from './measured.ts';
import { userTokenOf } from '../support/harness/program.ts';
import { openBenchOffice, type BenchOffice } from './offices.ts';

const NAMES = ['Größmann', 'Łukasz', 'Ada', 'Bo', 'Cyril'];
const HEADING = 'ID,Name,City,Amount,Since,Email';
const lineOf = (at: number): string =>
  `K-${at},${NAMES[at % NAMES.length] ?? ''} ${at},"Town, ${at % 977}",${(at % 10_000) / 100},2024-0${1 + (at % 9)}-1${at % 9},p${at}@example.org`;

/** A CSV file of so many lines: the time to its first lines, and how the node fares while it goes in. */
export async function measureImport(lines: number): Promise<Measured[]> {
  const file = Buffer.from(
    `${HEADING}\n${Array.from({ length: lines }, (_, at) => lineOf(at)).join('\n')}\n`,
  );
  const size = `a CSV file of ${lines.toLocaleString('en')} lines (${(file.length / 1e6).toFixed(0)} MB)`;
  const office = await openBenchOffice('Import');
  // Made by a process of its own, which is no part of what is measured.
  const token = userTokenOf(office.served);
  const send = (path: string, bytes = file): Promise<void> => upload(office, token, path, bytes);
  // The window sends no more of a text file before it shows the first lines.
  const beginning = file.subarray(0, FIRST_LOOK_BYTES);
  try {
    await office.turns();
    const first = await timed(() => send('/app/import/preview?first=1', beginning));
    const whole = await timed(() => send('/app/import/preview'));
    const put = await timed(() => send('/app/import?list=Big&key=ID'));
    const { turnMs, turnP99Ms, peakMiB } = await office.end();
    return [
      bounded(`first lines of ${size}`, first, 1000),
      { ...bounded(`preview of ${size}`, whole, Infinity), toReach: '–' },
      { ...bounded(`import of ${size}, with a key`, put, Infinity), toReach: '–' },
      bounded(`peak memory of the node with ${size}`, peakMiB, 477, 'MiB'),
      ...(turnP99Ms === undefined || turnMs === undefined
        ? []
        : [
            bounded(`turn of the main thread meanwhile, 99 %, processor time`, turnP99Ms, 15),
            bounded(`longest turn of the main thread meanwhile, processor time`, turnMs, 100),
          ]),
    ];
  } finally {
    await office.remove();
  }
}

async function upload(office: BenchOffice, token: string, path: string, file: Buffer): Promise<void> {
  const answer = await fetch(new URL(path, office.served.window), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: new Uint8Array(file),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function timed(body: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await body();
  return performance.now() - start;
}
