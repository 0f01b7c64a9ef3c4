import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { certificateIn, newCertificate } from '../../../../server/http/listeners/certificate.ts';
import { openPgDatabase } from '../../../../server/store/sql/pg-database.ts';
import { DatabaseAway, type Database } from '../../../../server/store/sql/database.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import { inRolledBackTransaction } from '../../../../server/store/sql/rolled-back-transaction.ts';
import { NO_POSTGRES, postgresServer } from '../../../support/harness/postgres-server.ts';

const server = await postgresServer();
const COUNT = 'SELECT epoch FROM footbridge_hub WHERE id = 1 FOR SHARE';

/** A message of PostgreSQL's protocol. */
const message = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};

describe('connections to a PostgreSQL server', () => {
  const opened: Database[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server?.stop();
  });
  const open = (address: string): Database => {
    const database = openPgDatabase(address);
    opened.push(database);
    return database;
  };

  it('are enough for as many as hold a snapshot, and need another one to go on', async ({ skip }) => {
    if (!server) return skip(NO_POSTGRES);
    const database = open(await server.newDatabase());
    await makeTables(database);
    const all = Array.from({ length: 25 }, async () => {
      const snapshot = await database.snapshot();
      await database.transaction((ask) => ask(COUNT));
      await snapshot.read('SELECT 1 AS there');
      await snapshot.end();
    });
    await expect(Promise.all(all)).resolves.toHaveLength(25);
  });

  it('carry a change that takes long, whatever short ones come without end', async ({ skip }) => {
    if (!server) return skip(NO_POSTGRES);
    const database = open(await server.newDatabase());
    await makeTables(database);
    const note = (thinksMs: number): Promise<unknown> =>
      database.transaction(async (ask) => {
        const [last] = await ask('SELECT count(*) AS no FROM footbridge_note');
        await new Promise((resolve) => setTimeout(resolve, thinksMs));
        await ask('INSERT INTO footbridge_note (no, note) VALUES ($1, $2)', [Number(last?.no) + 1, 'note']);
      });
    let isDone = false;
    let short = 0;
    const comeAgain = async (): Promise<void> => {
      for (; !isDone; short++) await note(0);
    };
    const others = [comeAgain(), comeAgain()];
    await note(200).finally(() => (isDone = true));
    await Promise.all(others);
    expect(await database.read('SELECT count(*)::int AS no FROM footbridge_note')).toEqual([
      { no: short + 1 },
    ]);
  }, 60_000);

  it('give way to who takes over from a process that stopped in the middle of a change', async ({ skip }) => {
    if (!server) return skip(NO_POSTGRES);
    const address = await server.newDatabase();
    const [stopped, next] = [open(address), open(address)];
    await makeTables(stopped);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let hasLooked = (): void => undefined;
    const looked = new Promise<void>((resolve) => (hasLooked = resolve));
    const change = stopped.transaction(async (ask) => {
      await ask(COUNT);
      hasLooked();
      await held;
      await ask("UPDATE footbridge_lease SET holder = 'stopped'");
    });
    change.catch(() => undefined);
    await looked;
    await next.transaction((ask) => ask('UPDATE footbridge_hub SET epoch = epoch + 1'));
    goOn();
    await expect(change).rejects.toBeInstanceOf(DatabaseAway);
    expect(await next.read('SELECT holder FROM footbridge_lease')).toEqual([{ holder: '' }]);
  }, 60_000);

  it('wait for a trial that thinks for long, and not for one of a process that stopped', async ({ skip }) => {
    if (!server) return skip(NO_POSTGRES);
    const address = await server.newDatabase();
    const [trying, next] = [open(address), open(address)];
    await makeTables(trying);
    await inRolledBackTransaction(trying, async (trial) => {
      const [silent] = await trial.read('SHOW idle_in_transaction_session_timeout');
      expect(silent).toEqual({ idle_in_transaction_session_timeout: '8s' });
      await trial.transaction((ask) => ask("UPDATE footbridge_lease SET holder = 'tried'"));
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      expect(await trial.read('SELECT holder FROM footbridge_lease')).toEqual([{ holder: 'tried' }]);
    });
    expect(await next.read('SELECT holder FROM footbridge_lease')).toEqual([{ holder: '' }]);
  }, 60_000);

  it('tell which file is missing that the address names, and that a certificate is not to be trusted', async () => {
    const { cert, key } = certificateIn(newCertificate(systemClock));
    const encrypting = createServer((client) => {
      client.once('data', () => {
        client.write('S');
        const encrypted = new TLSSocket(client, { isServer: true, cert, key });
        encrypted.on('error', () => undefined);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => encrypting.once('listening', resolve));
    const { port } = encrypting.address() as AddressInfo;
    const problemWith = (rest: string): Promise<unknown> =>
      open(`postgres://office@127.0.0.1:${port}/office?sslmode=verify-full${rest}`)
        .read(COUNT)
        .catch((error: unknown) => error);

    for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
      expect(await problemWith(`&${name}=/nowhere/one.pem`)).toMatchObject({
        // One that is exchanged is missing for a moment.
        name: 'DatabaseAway',
        message: expect.stringMatching(/^The file \/nowhere\/one\.pem cannot be read/) as unknown,
      });
    expect(await problemWith(`&sslrootcert=${encodeURIComponent(tmpdir())}`)).toMatchObject({
      message: expect.stringContaining('of sslrootcert, sslcert or sslkey cannot be read') as unknown,
    });
    expect(await problemWith('')).toMatchObject({
      code: 'permission',
      message: expect.stringMatching(/certificate.*Check sslrootcert/) as unknown,
    });
    encrypting.close();
  });

  it('tell that its disk is full, as of a folder’s', async () => {
    const READY = message('Z', Buffer.from('I'));
    const full = createServer((client) => {
      client.on('error', () => undefined);
      client.once('data', () => {
        client.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]));
        const error = message('E', Buffer.from('SERROR\0C53100\0Mcould not extend file\0\0'));
        client.on('data', () => client.write(Buffer.concat([error, READY])));
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => full.once('listening', resolve));
    const { port } = full.address() as AddressInfo;
    const database = open(`postgres://office@127.0.0.1:${port}/office?sslmode=disable`);
    await expect(database.transaction((ask) => ask(COUNT))).rejects.toMatchObject({ code: 'full' });
    full.close();
  });

  it('that are ended in the moment in which they are made end nothing but what is asked', async () => {
    const ending = createServer((client) => {
      client.on('error', () => undefined);
      client.once('data', () =>
        client.end(
          Buffer.concat([
            message('R', Buffer.alloc(4)),
            message('Z', Buffer.from('I')),
            message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0')),
          ]),
        ),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => ending.once('listening', resolve));
    const { port } = ending.address() as AddressInfo;
    const database = open(`postgres://office@127.0.0.1:${port}/office?sslmode=disable`);
    const change = database.transaction((ask) => ask(COUNT));
    await expect(change).rejects.toBeInstanceOf(DatabaseAway);
    ending.close();
  });
});
