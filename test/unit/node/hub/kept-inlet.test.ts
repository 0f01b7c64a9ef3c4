import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { KeptInlet, type ServingAt } from '../../../../server/node/hub/kept-inlet.ts';
import { DatabaseAway, type Database } from '../../../../server/store/sql/database.ts';

const HERE = '127.0.0.1';

it('what comes to others is taken, and written where, once what was in the way is gone, and anew where the node moves', async () => {
  const other = createServer().listen(0, HERE);
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const written: unknown[] = [];
  let isAway = true;
  const database: Database = {
    read: () => Promise.resolve([]),
    transaction: (work) => {
      if (isAway) return Promise.reject(new DatabaseAway());
      return work((_statement, values = []) => {
        written.push(...values);
        return Promise.resolve([]);
      });
    },
    snapshot: () => Promise.reject(new Error('not asked for')),
    close: () => Promise.resolve(),
  };
  let host = '0.0.0.0';
  const serving: ServingAt = {
    take: (_to, socket) => socket.destroy(),
    link: (base) => base,
    place: () => ({ federation: { host, port: 7420 }, window: 7421, isEncrypted: true }),
  };
  const inlet = new KeptInlet({
    ...{ database, serving, clock: systemClock, log: pino({ level: 'silent' }) },
    ...{ fence: { check: () => Promise.resolve() }, among: randomBytes(32), at: { host: HERE, port } },
  });
  const places = (): unknown[] =>
    written.flatMap((value) =>
      typeof value === 'string' && value.startsWith('{') ? [JSON.parse(value) as unknown] : [],
    );
  await new Promise((resolve) => other.close(resolve));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(places()).toEqual([]);
  isAway = false;
  await vi.waitFor(() => expect(places()).toHaveLength(1), 5_000);
  expect(places()[0]).toMatchObject({ host: HERE, port, federation: { host: '0.0.0.0', port: 7420 } });
  host = HERE;
  await vi.waitFor(() => expect(places()).toHaveLength(2), 5_000);
  expect(places()[1]).toMatchObject({ host: HERE, port, federation: { host: HERE, port: 7420 } });
  inlet.close();
});
