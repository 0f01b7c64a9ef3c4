import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import type { ActivityPage } from '../../server/contract/app/pages.ts';
import { startLyingPartner } from '../support/partners/lying-partner.ts';
import type { Spoken } from '../support/harness/calls.ts';
import { pairNodes, shareAndReceive, type Pair } from '../support/harness/node.ts';
import { appCalls, serveBuilt, type Served } from '../support/harness/program.ts';

/** Seconds between two looks; a state is told within this, the time for one answer, and what a busy machine takes. */
const INTERVAL = ['--sync-interval', '1s'];
const NOTICED = { timeout: 40_000, interval: 200 };

const WORDS = [
  'Kolonialwaren',
  'Ångström',
  'livraison',
  'Żółć',
  'quarterly',
  'Überweisung',
  'mañana',
  '出荷',
];
const person = (number: number): Record<string, string> => ({
  Name: `${WORDS[number % WORDS.length] ?? ''} ${(number * 7919).toString(36)}`,
  City: `${WORDS[(number * 3 + 1) % WORDS.length] ?? ''}-${(number * 104_729).toString(16)}`,
});

describe('both sides say how it stands, within one interval', () => {
  let origin: Served;
  let destination: Served;
  let here: Spoken;
  let there: Spoken;
  let pair: Pair;
  let list = '';
  let received = '';
  let sharedModuleID = '';
  const rows: string[] = [];

  const told = async (office: Spoken, nodeID: string): Promise<string> => {
    const { state, reason, also } = await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`);
    return [state, reason, ...also].join(' | ');
  };
  /** What the origin says of the destination, and the other way round. */
  const atOrigin = (): Promise<string> => told(here, pair.atInviter);
  const atDestination = (): Promise<string> => told(there, pair.atInvited);

  const GOOD_HERE = /^up-to-date \| .* has everything that you share with them\./;
  const GOOD_THERE = /^up-to-date \| Everything has arrived\./;
  async function allIsWell(): Promise<void> {
    await expect.poll(atOrigin, NOTICED).toMatch(GOOD_HERE);
    await expect.poll(atDestination, NOTICED).toMatch(GOOD_THERE);
  }

  async function addRow(number: number): Promise<void> {
    const values = Object.fromEntries(Object.entries(person(number)).map(([name, text]) => [name, [text]]));
    const row = await here.app<{ recordID: string }>('POST', `/app/lists/${list}/rows`, { values });
    rows.push(row.recordID);
  }

  beforeAll(async () => {
    [origin, destination] = await Promise.all([
      serveBuilt({ args: INTERVAL }),
      serveBuilt({ args: INTERVAL }),
    ]);
    [here, there] = [{ app: appCalls(origin) }, { app: appCalls(destination) }];
    pair = await pairNodes(here, there);
    ({ moduleID: list } = await here.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Kunden',
      fields: ['Name', 'City'].map((label) => ({ label, name: label, kind: 'String', isMulti: false })),
    }));
    for (let number = 0; number < 40; number++) await addRow(number);
    const from = { office: here, partner: pair.atInviter, list };
    const to = { office: there, partner: pair.atInvited };
    ({ list: received, sharedModuleID } = await shareAndReceive(from, ['Name', 'City'], to));
  });
  afterAll(async () => {
    destination.process.kill('SIGCONT');
    origin.process.kill('SIGCONT');
    await Promise.all([origin.remove(), destination.remove()]);
  });

  it('is up to date on both once all has arrived, and again after a change', async () => {
    await allIsWell();
    await addRow(40);
    await allIsWell();
    const { rows: there41 } = await there.app<{ rows: unknown[] }>(
      'GET',
      `/app/lists/${received}/rows?offset=0&limit=100`,
    );
    expect(there41).toHaveLength(41);
  });

  it('a frozen destination: the origin says that it does not answer, since when it asked, and what waits', async () => {
    destination.process.kill('SIGSTOP');
    await addRow(41);
    await expect.poll(atOrigin, NOTICED).toMatch(/^offline .*last checked at .*: 1 change waits for them/);
    destination.process.kill('SIGCONT');
    await allIsWell();
  });

  it('a frozen origin: the destination says since when nothing was heard', async () => {
    origin.process.kill('SIGSTOP');
    await expect.poll(atDestination, NOTICED).toMatch(/^offline .*No answer from .* since /);
    origin.process.kill('SIGCONT');
    await allIsWell();
  });

  it(
    'an answer that is garbage: an error at the one, and no word from it at the other',
    { tags: 'nightly-orders' },
    async () => {
      const liar = await startLyingPartner((app) =>
        app.use(
          (_request, response) => void response.type('html').send('<html>Welcome to your router</html>'),
        ),
      );
      onTestFinished(() => liar.close());
      const { baseURL } = await there.app<{ baseURL: string }>('GET', `/app/partners/${pair.atInvited}`);
      await there.app('PATCH', `/app/partners/${pair.atInvited}`, { baseURL: liar.base });
      await expect.poll(atDestination, NOTICED).toMatch(/^(error|offline) \| (?!Looking)/);
      await expect
        .poll(atOrigin, NOTICED)
        .toMatch(/^offline .* answers, but hasn’t asked for your changes since /);
      await there.app('PATCH', `/app/partners/${pair.atInvited}`, { baseURL });
      await allIsWell();
    },
  );

  it('rows that wait for a yes are told on both sides, and so is that they were kept', async () => {
    for (const recordID of rows.splice(0, 30))
      await here.app('DELETE', `/app/lists/${list}/rows/${recordID}`);
    await expect.poll(atDestination, NOTICED).toMatch(/^needs-you .*removed or emptied \d+ rows/);
    await expect.poll(atOrigin, NOTICED).toMatch(/^offline .*wait for approval at /);
    await there.app('POST', `/app/partners/${pair.atInvited}/offers/${sharedModuleID}/brake`, { go: false });
    await expect.poll(atDestination, NOTICED).toMatch(/^needs-you .*You kept \d+ rows/);
    await expect.poll(atOrigin, NOTICED).toMatch(/^offline .*out of sync at /);
  });

  it('once they are to stay so, nobody is asked or waited for any more, and both still say it', async () => {
    await there.app('POST', `/app/partners/${pair.atInvited}/offers/${sharedModuleID}/settle`);
    await expect.poll(atDestination, NOTICED).toMatch(/^up-to-date .*You keep \d+ rows/);
    await expect.poll(atOrigin, NOTICED).toMatch(/^up-to-date .*keeps its own version of /);
    await there.app('POST', `/app/partners/${pair.atInvited}/sync`);
    expect(await atDestination()).toMatch(/^up-to-date /);
  });

  it('what was decided about them is told among what happened', async () => {
    const { entries } = await there.app<ActivityPage>(
      'GET',
      `/app/partners/${pair.atInvited}/activity?page=1&perPage=20`,
    );
    const told = entries.map(({ message }) => message);
    expect(told).toContainEqual(expect.stringMatching(/^Decided here: \d+ rows keep your version\.$/));
    expect(told).toContainEqual(expect.stringMatching(/^Decided here: \d+ kept rows stay different/));
  });

  it('a killed destination: the origin says so, and what it had', { tags: 'nightly-orders' }, async () => {
    await destination.kill();
    await expect.poll(atOrigin, NOTICED).toMatch(/^offline .*last checked at /);
  });
});
