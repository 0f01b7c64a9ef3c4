import { describe, expect, it } from 'vitest';
import { formatRoute } from '../../../server/base/routes.ts';
import { RouteNotes } from '../../../server/node/routes/route-notes.ts';
import {
  formatRelayAddress,
  newRegistrationSecret,
  officeIDOf,
} from '../../../server/routes/relay-address.ts';
import { english, type Words } from '../../../server/words/said.ts';
import { pairedNode } from '../../support/data/paired-node.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const ALLOWED = { by: '1', at: '2026-11-27T15:30:00.000Z' };
const relayed = (host: string): string => {
  const officeID = officeIDOf(newRegistrationSecret());
  const address = { host, port: 7422, path: '', pin: '3f9c'.repeat(16), officeID };
  return formatRoute({ kind: 'relay', address: formatRelayAddress(address, true) });
};

function notes(): {
  readonly routes: RouteNotes;
  readonly texts: string[];
  readonly clock: ReturnType<typeof manualClock>;
} {
  const texts: string[] = [];
  const clock = manualClock('2026-11-28T09:00:00Z');
  const routes = new RouteNotes({
    clock,
    log: { warn: () => undefined },
    note: (_nodeID, message: Words) => Promise.resolve(void texts.push(english(message))),
    openedBy: () => ({ reverse: ALLOWED, mapPort: ALLOWED, partnerRelays: ALLOWED }),
  });
  return { routes, texts, clock };
}

describe('routes around the router, in the activity', () => {
  const kiel = pairedNode({ nodeID: '41', name: 'Kiel' });
  const lyon = pairedNode({ nodeID: '42', name: 'Lyon' });

  it('are entered once for each partner, with when our user allowed them', () => {
    const { routes, texts } = notes();
    for (const node of [kiel, lyon, kiel]) {
      routes.recordReverse(node);
      routes.recordMapping(node, 7420);
    }
    expect(texts).toHaveLength(4);
    expect(texts[0]).toMatch(/^A connection to Kiel is kept open.* Allowed in your office: .*27/);
    expect(texts[1]).toMatch(
      /^Kiel can reach this computer through port 7420 of your router\. Allowed in your office: .*27/,
    );
  });

  it('name each relay, and nothing for a direct route', () => {
    const { routes, texts } = notes();
    const routesUsed = ['main', 'reverse', 'direct:192.168.1.20:7420', undefined, relayed('relay.example')];
    for (const used of [...routesUsed, relayed('relay.example'), relayed('other.example')])
      routes.recordCall(kiel, used);
    expect(texts).toEqual([
      expect.stringMatching(
        /^You reach Kiel through the relay relay\.example\. Allowed in your office: .*27/,
      ),
      expect.stringMatching(
        /^You reach Kiel through the relay other\.example\. Allowed in your office: .*27/,
      ),
    ]);
  });

  it('fill no activity where a partner names one relay after the other', () => {
    const { routes, texts, clock } = notes();
    for (let number = 0; number < 500; number++) routes.recordCall(kiel, relayed(`relay-${number}.example`));
    expect(texts).toHaveLength(6);
    routes.recordCall(lyon, relayed('relay.example'));
    expect(texts.at(-1)).toContain('Lyon');
    clock.advance(3_600_000);
    routes.recordCall(kiel, relayed('relay-499.example'));
    expect(texts.at(-1)).toContain('relay-499.example');
  });
});
