import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Overview, PartnerDetail, PartnerSummary } from '../../server/contract/app/overview.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { manualClock, type ManualClock } from '../support/harness/manual-clock.ts';
import { pairNodes, startNode, type NodeOffice } from '../support/harness/node.ts';
import { toldOffices, type ToldOffices, type ToldSide } from '../support/worlds/told-offices.ts';

const YEAR = 365 * 86_400_000;
const A_WHILE = 20_000;
/** As the offices check each other every five seconds, and both may have to. */
const TWO_LOOKS = 12_000;

describe('a clock that is a year ahead for a while', () => {
  let offices: ToldOffices | undefined;
  afterEach(() => offices?.close());

  const toldAt = async (side: ToldSide): Promise<string> => {
    const path = `/app/partners/${side.partner}`;
    const { state, status, reason } = await side.office.app<PartnerSummary>('GET', path);
    return `${status}, ${state}: ${reason}`;
  };

  const lines = [
    ['alone', []],
    ['while the line is cut', ['cut']],
    ['while the line fails', ['failing']],
  ] as const;
  it.each(sampleOf(lines, 3))(
    'ends no connection for good, %s, on whichever side: both are up to date soon after it is right',
    { tags: 'nightly-orders', timeout: 120_000 },
    async (_, weather) => {
      offices = await toldOffices();
      const { sides } = offices;
      await offices.pass(A_WHILE);
      for (const wrong of sides) {
        offices.clock(wrong, YEAR);
        for (const side of sides) for (const each of weather) offices.weather(side, each);
        await offices.pass(A_WHILE);
        offices.clock(wrong, 0);
        for (const side of sides) offices.weather(side, 'clear');
        await offices.pass(TWO_LOOKS);
        for (const side of sides) expect(await toldAt(side)).toMatch(/^paired, up-to-date: Everything/);
      }
    },
  );

  it(
    'ends no connection where it stays wrong, as the partner’s time is known',
    { timeout: 60_000 },
    async () => {
      offices = await toldOffices();
      const [wrong, other] = offices.sides;
      offices.clock(wrong, YEAR);
      await offices.pass(A_WHILE);
      offices.weather(other, 'cut');
      await offices.pass(A_WHILE);
      offices.weather(other, 'clear');
      await offices.pass(A_WHILE);
      for (const side of offices.sides) expect(await toldAt(side)).toMatch(/^paired, up-to-date: Everything/);
    },
  );

  it('is survived with a new start in between', { timeout: 60_000, tags: 'nightly-waits' }, async () => {
    offices = await toldOffices();
    const [wrong, other] = offices.sides;
    offices.clock(wrong, YEAR);
    offices.weather(other, 'cut');
    await offices.pass(A_WHILE);
    await offices.restart(wrong, true);
    await offices.pass(A_WHILE);
    offices.clock(wrong, 0);
    offices.weather(other, 'clear');
    await offices.pass(TWO_LOOKS);
    for (const side of offices.sides) expect(await toldAt(side)).toMatch(/^paired, up-to-date: Everything/);
  });
});

describe('a clock that is wrong', () => {
  const START = Date.UTC(2029, 4, 2, 9);
  const running: NodeOffice[] = [];
  afterEach(() => Promise.all(running.splice(0).map((office) => office.stop())));

  async function offices(...names: readonly string[]): Promise<{ clock: ManualClock; office: NodeOffice }[]> {
    return Promise.all(
      names.map(async (name) => {
        const clock = manualClock(START);
        const office = await startNode(name, { clock, syncIntervalMs: 5000 });
        running.push(office);
        return { clock, office };
      }),
    );
  }
  /** What an office says of a partner, as soon as it has asked it. */
  async function toldOf(office: NodeOffice, nodeID: string): Promise<{ state: string; also: string[] }> {
    await office.app('POST', `/app/partners/${nodeID}/sync`);
    const { state, also } = await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`);
    return { state, also };
  }
  const differs = (text: RegExp): unknown => expect.arrayContaining([expect.stringMatching(text)]);

  it('is told on both sides with what either says, changes no state, and is not told once it is right', async () => {
    const [one, other] = await offices('Turku', 'Gent');
    const pair = await pairNodes(one!.office, other!.office);
    const sides = [
      [one!.office, pair.atInviter],
      [other!.office, pair.atInvited],
    ] as const;
    for (const [office, nodeID] of sides) expect((await toldOf(office, nodeID)).also).toEqual([]);
    other!.clock.set(START - 20 * 60_000);
    for (const [office, nodeID] of sides) {
      const told = await toldOf(office, nodeID);
      expect(told.state).not.toMatch(/error|needs-you/);
      expect(told.also).toEqual(
        differs(/^The two clocks differ by 20 minutes: this computer says .*, and .* says .*\./),
      );
    }
    other!.clock.set(START);
    for (const [office, nodeID] of sides) expect((await toldOf(office, nodeID)).also).toEqual([]);
  });

  it('gets no new token from the partner: those of before would not be known there after a backup', async () => {
    const [mine, other] = await offices('Turku', 'Gent');
    const { atInviter } = await pairNodes(mine!.office, other!.office);
    const path = `/app/partners/${atInviter}`;
    const end = async (): Promise<string | undefined> =>
      (await mine!.office.app<PartnerDetail>('GET', path)).expiresAt;
    const before = await end();
    mine!.clock.set(START + YEAR);
    for (let pull = 0; pull < 4; pull++) {
      for (const { clock } of [mine!, other!]) clock.advance(1000);
      await mine!.office.app('POST', `${path}/sync`);
    }
    expect(await end()).toBe(before);
  });

  it('ends no connection that was made while it was a year behind, once it is right again', async () => {
    const [mine, other] = await offices('Turku', 'Gent');
    mine!.clock.set(START - YEAR);
    const { atInviter, atInvited } = await pairNodes(mine!.office, other!.office);
    mine!.clock.set(START);
    for (const { clock } of [mine!, other!]) clock.advance(1000);
    for (const [{ office }, nodeID] of [
      [mine!, atInviter],
      [other!, atInvited],
    ] as const) {
      await office.app('POST', `/app/partners/${nodeID}/sync`);
      const { status, state } = await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`);
      expect([status, state]).toEqual(['paired', 'up-to-date']);
    }
  });

  it('of the partner gets us no new token either, once it is right again', async () => {
    const [mine, other] = await offices('Turku', 'Gent');
    const { atInviter } = await pairNodes(mine!.office, other!.office);
    const path = `/app/partners/${atInviter}`;
    const end = async (): Promise<string | undefined> =>
      (await mine!.office.app<PartnerDetail>('GET', path)).expiresAt;
    const before = await end();
    await mine!.office.app('POST', `${path}/sync`);
    other!.clock.set(START + YEAR);
    await mine!.office.app('POST', `${path}/sync`);
    other!.clock.set(START + 1000);
    for (const { clock } of [mine!, other!]) clock.advance(1000);
    await mine!.office.app('POST', `${path}/sync`);
    expect(await end()).toBe(before);
  });

  it(
    'is named where it makes a partner’s own key count as over: nobody calls that a stranger',
    { timeout: 400_000 },
    async () => {
      const [mine, other] = await offices('Turku', 'Gent');
      const { atInviter, atInvited } = await pairNodes(mine!.office, other!.office);
      await mine!.office.app('POST', `/app/partners/${atInviter}/sync`);
      // So long that it is believed, and that much is seen to pass, while the partner is off.
      const WEEKS = 61 * 86_400_000;
      mine!.clock.set(START + YEAR);
      mine!.clock.advance(WEEKS);
      other!.clock.advance(WEEKS);
      // More often than wrong keys are taken from one address.
      for (let call = 0; call < 30; call++)
        await other!.office.app('POST', `/app/partners/${atInvited}/sync`).catch(() => undefined);
      mine!.clock.advance(11_000);
      const named = { kind: 'clock', nodeID: atInviter, partner: 'the other office' };
      const inbox = async (): Promise<Overview['inbox']> =>
        (await mine!.office.app<Overview>('GET', '/app/overview')).inbox;
      await expect.poll(inbox, { timeout: 10_000 }).toMatchObject([named]);
      expect((await inbox())[0]?.message).toMatch(
        /^the other office’s key has expired by this computer’s clock/,
      );
      mine!.clock.set(START + WEEKS + 20_000);
      await expect
        .poll(
          async () => {
            for (const { clock } of [mine!, other!]) clock.advance(1000);
            return (await toldOf(other!.office, atInvited).catch(() => undefined))?.state;
          },
          { timeout: 10_000 },
        )
        .toMatch(/up-to-date|syncing/);
    },
  );

  it('is ours where all partners differ from it alike, and theirs alone where only one does', async () => {
    const [mine, one, other] = await offices('Turku', 'Gent', 'Faro');
    const first = await pairNodes(mine!.office, one!.office);
    const second = await pairNodes(mine!.office, other!.office);
    mine!.clock.set(START + 3 * 3_600_000);
    await toldOf(mine!.office, second.atInviter);
    const ours = differs(/^This computer’s clock differs by 3 hours from those of all your partners/);
    expect((await toldOf(mine!.office, first.atInviter)).also).toEqual(ours);
    mine!.clock.set(START);
    one!.clock.set(START + 3 * 3_600_000);
    expect((await toldOf(mine!.office, second.atInviter)).also).toEqual([]);
    expect((await toldOf(mine!.office, first.atInviter)).also).toEqual(
      differs(/^The two clocks differ by 3 hours/),
    );
  });
});

describe('a clock that is a year ahead for a while, during pairing', () => {
  const START = Date.UTC(2031, 1, 3, 9);
  const running: NodeOffice[] = [];
  afterEach(() => Promise.all(running.splice(0).map((office) => office.stop())));

  async function office(name: string, publicUrl?: string): Promise<[NodeOffice, ManualClock]> {
    const clock = manualClock(START);
    const started = await startNode(name, {
      clock,
      syncIntervalMs: 5000,
      ...(publicUrl === undefined ? {} : { publicUrl }),
    });
    running.push(started);
    return [started, clock];
  }
  const statusAt = async (at: NodeOffice, nodeID: string): Promise<string> =>
    (await at.app<PartnerDetail>('GET', `/app/partners/${nodeID}`)).status;

  it('voids no invite: the clock is named, and the same invite does afterwards', async () => {
    const [inviter, clock] = await office('Turku');
    const [invited] = await office('Gent');
    const { nodeID: atInviter, uri } = await inviter.app<{ nodeID: string; uri: string }>(
      'POST',
      '/app/invites',
      { name: 'Gent' },
    );
    clock.set(START + YEAR);
    const accept = (): Promise<{ nodeID: string }> =>
      invited.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await expect(accept()).rejects.toThrow('clock and this computer’s are 365 days apart');
    clock.set(START);
    const { partners } = await invited.app<{ partners: PartnerSummary[] }>('GET', '/app/overview');
    const known = partners[0]?.nodeID;
    const atInvited = known ?? (await accept()).nodeID;
    if (known !== undefined) await invited.app('POST', `/federation/nodes/${known}/pair`);
    await inviter.app('POST', `/federation/nodes/${atInviter}/handshake-confirm`);
    expect(await statusAt(invited, atInvited)).toBe('paired');
  });

  it.each(['Turku', 'Gent'])('at %s: turns nobody down, and a yes need not be given twice', async (wrong) => {
    const [inviter, clockA] = await office('Turku');
    // Whoever cannot be called fetches the yes, and must not be told that there is none.
    const unreached = wrong === 'Turku' ? 'http://127.0.0.1:1' : undefined;
    const [invited, clockB] = await office('Gent', unreached);
    const clock = wrong === 'Turku' ? clockA : clockB;
    const { nodeID: atInviter, uri } = await inviter.app<{ nodeID: string; uri: string }>(
      'POST',
      '/app/invites',
      { name: 'Gent' },
    );
    const { nodeID: atInvited } = await invited.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri,
      ownNetwork: true,
    });
    if (wrong === 'Gent') clock.set(START + YEAR);
    await inviter.app('POST', `/federation/nodes/${atInviter}/handshake-confirm`);
    // A token that our own clock alone says has ended is good all the same.
    expect(await statusAt(invited, atInvited)).toBe(wrong === 'Gent' ? 'paired' : 'pair_requested');
    clock.set(START + YEAR);
    async function passes(): Promise<void> {
      for (const each of [clockA, clockB]) each.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (let seconds = 0; seconds < 20; seconds++) await passes();
    clock.set(START + 21_000);
    await expect
      .poll(
        async () => {
          await passes();
          return [await statusAt(inviter, atInviter), await statusAt(invited, atInvited)];
        },
        { timeout: 20_000 },
      )
      .toEqual(['paired', 'paired']);
  });
});

describe('a clock that is a year behind when two offices are connected', () => {
  const START = Date.UTC(2030, 8, 16, 9);
  const running: NodeOffice[] = [];
  afterEach(() => Promise.all(running.splice(0).map((office) => office.stop())));

  it.each(sampleOf(['Turku', 'Gent'] as const, 2))(
    'at %s: ends nothing and says so nowhere, also once it was put right and both were started anew',
    { timeout: 60_000 },
    async (wrong) => {
      const clocks = { Turku: manualClock(START), Gent: manualClock(START) };
      const folder = await temporaryFolder();
      onTestFinished(() => folder.remove());
      const start = async (name: 'Turku' | 'Gent', port = 0): Promise<NodeOffice> => {
        const dataDir = join(folder.path, name);
        const office = await startNode(name, { clock: clocks[name], syncIntervalMs: 5000, dataDir, port });
        running.push(office);
        return office;
      };
      if (wrong === 'Turku') clocks.Turku.set(START - YEAR);
      else clocks.Gent.set(START - YEAR);
      let offices = [await start('Turku'), await start('Gent')] as const;
      const { atInviter, atInvited } = await pairNodes(...offices);
      const ends = async (): Promise<string[]> => {
        const told: string[] = [];
        for (const [at, nodeID] of [
          [offices[0], atInviter],
          [offices[1], atInvited],
        ] as const) {
          await at.app('POST', `/app/partners/${nodeID}/sync`).catch(() => undefined);
          const { status } = await at.app<PartnerDetail>('GET', `/app/partners/${nodeID}`);
          if (status !== 'paired') told.push(status);
          const { inbox } = await at.app<Overview>('GET', '/app/overview');
          told.push(...inbox.map(({ message }) => message).filter((message) => message.includes('ended')));
        }
        return told;
      };
      const pass = (): void => {
        for (const clock of Object.values(clocks)) clock.advance(6000);
      };
      expect(await ends()).toEqual([]);
      // The one with the wrong clock is off for a moment, in which the other asks it.
      const at = wrong === 'Turku' ? 0 : 1;
      const { port } = offices[at];
      await offices[at].stop();
      const asking = offices[1 - at]!;
      const nodeID = at === 0 ? atInvited : atInviter;
      await expect(asking.app('POST', `/app/partners/${nodeID}/sync`)).rejects.toThrow();
      expect((await asking.app<PartnerDetail>('GET', `/app/partners/${nodeID}`)).status).toBe('paired');
      const back = await start(wrong, port);
      offices = at === 0 ? [back, offices[1]] : [offices[0], back];
      pass();
      expect(await ends()).toEqual([]);
      clocks.Turku.set(START);
      clocks.Gent.set(START);
      for (let round = 0; round < 3; round++) {
        pass();
        expect(await ends()).toEqual([]);
      }
      for (const office of offices) await office.stop();
      offices = [await start('Turku', offices[0].port), await start('Gent', offices[1].port)];
      for (let round = 0; round < 3; round++) {
        pass();
        expect(await ends()).toEqual([]);
      }
    },
  );
});
