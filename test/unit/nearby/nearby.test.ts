import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PacketHandlers, Multicast } from '../../../server/nearby/multicast.ts';
import { Nearby } from '../../../server/nearby/nearby.ts';
import {
  asksForOffices,
  readOffices,
  announcementRecord,
  SERVICE,
  announcedName,
  type NearbyOffice,
} from '../../../server/nearby/announcements.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';

/** A network that everything sent on it comes back from, to all who have it open. */
interface Network {
  readonly open: (heard: PacketHandlers) => Multicast;
  /** What anybody on it may send. */
  send(kind: 'question' | 'answer', packet: unknown, from?: string, bytes?: number): void;
  readonly sent: { readonly tells: { readonly name: string; readonly ttl: number }[]; asks: number };
  readonly listening: number;
}

const HERE = '192.168.1.20';
/** As a packet is once it was on the wire. */
const read = (office: NearbyOffice, ttl: number): unknown => {
  const { data, ...record } = announcementRecord(office, ttl);
  return { answers: [{ ...record, data: data.map((text) => Buffer.from(text)) }] };
};

function network(): Network {
  const ears = new Set<PacketHandlers>();
  const sent: Network['sent'] = { tells: [], asks: 0 };
  const send: Network['send'] = (kind, packet, from = HERE, bytes = 300) => {
    for (const heard of [...ears]) if (heard.acceptPacket(bytes, from)) heard[kind](packet, from);
  };
  return {
    sent,
    send,
    get listening() {
      return ears.size;
    },
    open(heard) {
      ears.add(heard);
      return {
        query() {
          sent.asks++;
          send('question', { questions: [{ name: SERVICE, type: 'PTR' }] });
        },
        announce(office, ttl) {
          sent.tells.push({ name: office.name, ttl });
          send('answer', read(office, ttl));
        },
        withdraw(office) {
          this.announce(office, 0);
          ears.delete(heard);
        },
        close: () => void ears.delete(heard),
      };
    },
  };
}

const office = (net: Network, clock: ManualClock, name: string, isOn: () => boolean = () => true): Nearby =>
  new Nearby({ clock, isOn, office: () => name, open: net.open });
const names = (nearby: Nearby): string[] => nearby.refresh().offices.map(({ name }) => name);

describe('offices on the same network', () => {
  it('find each other by their names while both look, and no longer', () => {
    const [net, clock] = [network(), manualClock()];
    const [kerr, sorel] = [office(net, clock, 'Kerr & Blom'), office(net, clock, 'Maison Sorel')];
    expect(names(kerr)).toEqual([]);
    expect(names(sorel)).toEqual(['Kerr & Blom']);
    expect(names(kerr)).toEqual(['Maison Sorel']);
    // The page at Sorel is closed: nobody looks there any more, and the name is taken back.
    for (let seconds = 0; seconds < 12; seconds += 2) {
      clock.advance(2000);
      kerr.refresh();
    }
    expect(net.sent.tells).toContainEqual({ name: 'Maison Sorel', ttl: 0 });
    expect(names(kerr)).toEqual([]);
    kerr.close();
    expect(net.listening).toBe(0);
  });

  it('are told nothing and asked nothing by an office that did not switch it on, or switched it off', () => {
    const [net, clock] = [network(), manualClock()];
    let isOn = false;
    const quiet = office(net, clock, 'Quiet Office', () => isOn);
    expect(quiet.refresh()).toEqual({ looking: false, offices: [] });
    expect([net.listening, net.sent]).toEqual([0, { tells: [], asks: 0 }]);
    isOn = true;
    expect(quiet.refresh().looking).toBe(true);
    // Nobody looks any more: whoever asks is told that it is gone, and no name.
    isOn = false;
    const before = net.sent.tells.length;
    net.send('question', { questions: [{ name: SERVICE, type: 'PTR' }] });
    expect([net.listening, net.sent.tells.slice(before).map(({ ttl }) => ttl)]).toEqual([0, [0]]);
    isOn = true;
    expect(quiet.refresh().looking).toBe(true);
    isOn = false;
    expect(quiet.refresh().looking).toBe(false);
    expect([net.listening, net.sent.tells.at(-1)?.ttl]).toEqual([0, 0]);
  });

  it('know no more than forty of however many are told, listen to no flood, and to nobody from elsewhere', () => {
    const [net, clock] = [network(), manualClock()];
    const kerr = office(net, clock, 'Kerr & Blom');
    kerr.refresh();
    const key = (at: number): string => at.toString(16).padStart(16, '0');
    net.send('answer', read({ key: key(9999), name: 'From the internet' }, 15), '203.0.113.7');
    net.send('answer', read({ key: key(9998), name: 'From nowhere' }, 15), 'not an address');
    for (let at = 0; at < 5000; at++)
      net.send('answer', read({ key: key(at), name: `Made up ${at}` }, 15), `192.168.2.${at % 200}`);
    expect(names(kerr)).toHaveLength(40);
    expect(names(kerr).filter((name) => name.startsWith('From'))).toEqual([]);
    const before = net.sent.tells.length;
    for (let at = 0; at < 5000; at++) net.send('question', { questions: [{ name: SERVICE }] });
    expect(net.sent.tells.length - before).toBeLessThan(250);
  });

  it('stay as they were told first, and are crowded out by nobody', () => {
    const [net, clock] = [network(), manualClock()];
    const kerr = office(net, clock, 'Kerr & Blom');
    kerr.refresh();
    const key = (at: number): string => at.toString(16).padStart(16, '0');
    const [honest, stranger] = ['192.168.1.30', '192.168.1.66'];
    net.send('answer', read({ key: key(1), name: 'Maison Sorel' }, 15), honest);
    net.send('answer', read({ key: key(1), name: 'Renamed' }, 15), stranger);
    net.send('answer', read({ key: key(1), name: 'Gone' }, 0), stranger);
    net.send('answer', read({ key: key(2), name: 'Too large' }, 15), honest, 1400);
    for (let at = 10; at < 300; at++)
      net.send('answer', read({ key: key(at), name: `Made up ${at}` }, 15), stranger);
    net.send('answer', read({ key: key(3), name: 'Rua Velha' }, 15), '192.168.1.31');
    const found = names(kerr);
    expect(found).toEqual(expect.arrayContaining(['Maison Sorel', 'Rua Velha']));
    expect(found.filter((name) => name.startsWith('Made up'))).toHaveLength(5);
    expect(found).toHaveLength(7);
    net.send('answer', read({ key: key(1), name: 'Maison Sorel' }, 0), honest);
    expect(names(kerr)).not.toContain('Maison Sorel');
  });

  it('stay while the page is open, and new ones are found, whatever five addresses send', () => {
    const [net, clock] = [network(), manualClock()];
    const kerr = office(net, clock, 'Kerr & Blom');
    const key = (at: number): string => at.toString(16).padStart(16, '0');
    kerr.refresh();
    net.send('answer', read({ key: key(1), name: 'Maison Sorel' }, 15), '192.168.1.30');
    for (let look = 0; look < 15; look++) {
      clock.advance(2000);
      kerr.refresh();
      for (let at = 0; at < 225; at++)
        net.send(
          'answer',
          read({ key: key(9000 + at), name: `Made up ${at}` }, 15),
          `192.168.1.${60 + (at % 5)}`,
        );
      net.send('answer', read({ key: key(1), name: 'Maison Sorel' }, 15), '192.168.1.30');
      if (look === 9) net.send('answer', read({ key: key(2), name: 'Rua Velha' }, 15), '192.168.1.31');
    }
    expect(names(kerr)).toEqual(expect.arrayContaining(['Maison Sorel', 'Rua Velha']));
    net.send('answer', read({ key: key(1), name: 'Maison Sorel' }, 0), '192.168.1.30');
    expect(names(kerr)).not.toContain('Maison Sorel');
    kerr.close();
    expect(names(kerr)).toEqual([]);
  });

  it('are found behind the many that a few addresses made up', () => {
    const [net, clock] = [network(), manualClock()];
    const kerr = office(net, clock, 'Kerr & Blom');
    kerr.refresh();
    const key = (at: number): string => at.toString(16).padStart(16, '0');
    net.send('answer', read({ key: key(1), name: 'Maison Sorel' }, 15), '192.168.1.30');
    for (let at = 10; at < 130; at++)
      net.send('answer', read({ key: key(at), name: `Made up ${at}` }, 15), `192.168.1.${60 + (at % 12)}`);
    net.send('answer', read({ key: key(2), name: 'Rua Velha' }, 15), '192.168.1.31');
    net.send('answer', read({ key: key(3), name: 'Lindner KG' }, 15), '192.168.1.32');
    expect(names(kerr)).toHaveLength(40);
    expect(names(kerr)).toEqual(expect.arrayContaining(['Maison Sorel', 'Rua Velha', 'Lindner KG']));
  });

  it('have names of one line that say what is seen, cut where a letter ends', () => {
    const key = 'a'.repeat(16);
    const told = (name: string): string[] => readOffices(read({ key, name }, 15)).map((each) => each.name);
    expect(told('Rua Velha\nTêxteis \u202Egnp.exe\u0000')).toEqual(['Rua Velha Têxteis gnp.exe']);
    expect(told('\u200B \u2800')).toEqual([]);
    expect(told('ü'.repeat(300))[0]).toBe('ü'.repeat(100));
    expect(Buffer.byteLength(announcedName('👩‍🌾'.repeat(100)))).toBeLessThanOrEqual(240);
  });

  it('are not there where a packet is anything else', () => {
    const key = 'a'.repeat(16);
    expect(readOffices({ answers: [{ type: 'TXT', name: `${key}.${SERVICE}`, data: 'name=text' }] })).toEqual(
      [],
    );
    expect(readOffices({ answers: [{ type: 'TXT', name: `${key}.x.${SERVICE}`, data: [] }] })).toEqual([]);
    expect(asksForOffices({ questions: [{ name: '_ipp._tcp.local' }] })).toBe(false);
    fc.assert(
      fc.property(fc.anything(), (packet) => {
        expect(readOffices(packet)).toEqual([]);
        expect(asksForOffices(packet)).toBe(false);
      }),
    );
  });

  it('say so where the network has no way for it', () => {
    const clock = manualClock();
    let fail = (): void => undefined;
    const open = (heard: PacketHandlers): Multicast => {
      fail = () => heard.failed();
      const silent = (): void => undefined;
      return { query: silent, announce: silent, withdraw: silent, close: silent };
    };
    const kerr = new Nearby({ clock, isOn: () => true, office: () => 'Kerr & Blom', open });
    expect(kerr.refresh().looking).toBe(true);
    fail();
    expect(kerr.refresh()).toEqual({ looking: false, offices: [] });
  });
});
