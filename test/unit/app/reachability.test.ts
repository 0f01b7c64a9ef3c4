import express from 'express';
import { describe, expect, it } from 'vitest';
import { checkReachability } from '../../../server/app/reachability.ts';
import type { MappingState } from '../../../server/routes/port-mapping.ts';
import type { RegistrationState } from '../../../server/routes/rendezvous-client.ts';
import { english } from '../../../server/words/said.ts';
import { serveOnce } from '../../support/harness/http.ts';

async function answerOf(base: string): Promise<string> {
  const { checks } = await checkReachability({ addresses: [base], open: true, pin: undefined }, english);
  const { ok, message } = checks.at(-1) ?? { ok: false, message: 'nothing was checked' };
  return `${ok ? 'ok' : 'no'}: ${message}`;
}

describe('whether partners can reach this computer', () => {
  it('is found out by calling our own address', async () => {
    const app = express();
    app.get('/healthz', (_req, res) => void res.json({}));
    const server = await serveOnce(app);
    expect(await answerOf(`http://127.0.0.1:${server.port}/federation`)).toMatch(/^ok: .* answers/);
    expect(await answerOf(`http://127.0.0.1:${server.port}/elsewhere/federation`)).toMatch(/status 404/);
    await server.close();
    expect(await answerOf(`http://127.0.0.1:${server.port}/federation`)).toMatch(/does not answer/);
  });

  it('tells of a name where one leads to us, and of none where the address is one of numbers', async () => {
    const names = async (host: string): Promise<string[]> =>
      (
        await checkReachability(
          { addresses: [`http://${host}:1/federation`], open: true, pin: undefined },
          english,
        )
      ).checks
        .filter(({ name }) => name === 'name')
        .map(({ message }) => message);
    expect(await names('127.0.0.1')).toEqual([]);
    expect(await names('localhost')).toEqual([
      expect.stringMatching(/^The name localhost leads to (127|::)/),
    ]);
  });

  it.each(['http', 'https'])(
    'S1: %s calls nothing that cannot be this computer, such as a machine’s own information service',
    async (scheme) => {
      for (const host of ['169.254.169.254', '[fd00:ec2::254]', '0.0.0.0', '224.0.0.1'])
        expect(await answerOf(`${scheme}://${host}/federation`)).toMatch(/^no: .* is no address that/);
    },
  );

  it.each<[MappingState | undefined, string | RegExp | undefined]>([
    [
      { kind: 'mapped', protocol: 'upnp', address: '203.0.113.7', port: 7420, until: 0 },
      'ok: Your router lets partners in at 203.0.113.7, port 7420.',
    ],
    [{ kind: 'carrier-nat' }, /^no: Your internet provider has a router of its own .* Use a relay/],
    [{ kind: 'refused' }, /^no: Your router refuses .* or use a relay/],
    [{ kind: 'none' }, /^no: No router here opens a port .* or use a relay/],
    [{ kind: 'searching' }, undefined],
    [undefined, undefined],
  ])('says what the router answered: %o', async (router, expected) => {
    const facts = { addresses: [], open: true, pin: undefined, router };
    const { checks } = await checkReachability(facts, english);
    const [found] = checks.filter(({ name }) => name === 'router');
    const text = found && `${found.ok ? 'ok' : 'no'}: ${found.message}`;
    if (expected === undefined) expect(text).toBeUndefined();
    else expect(text).toMatch(expected);
  });

  it.each<[RegistrationState, RegExp, boolean?]>([
    [{ kind: 'registered', since: 0 }, /^ok: Partners can reach you through relay\.example\./],
    [{ kind: 'registered', since: 0 }, /^no: .* a test through it failed/, false],
    [{ kind: 'refused', problem: 'denied' }, /^no: .* doesn’t accept the key .* paste it again/],
    [{ kind: 'refused', problem: 'replaced' }, /^no: Another computer .* Close Footbridge there/],
    [{ kind: 'refused', problem: 'certificate' }, /^no: Something else answers .* wants you to sign in/],
    [{ kind: 'refused', problem: 'address' }, /^no: Something else answers .* wants you to sign in/],
    [
      { kind: 'unreachable', problem: 'network' },
      /^no: Footbridge isn’t connected .* Check that you’re online/,
    ],
    [{ kind: 'refused', problem: 'proxy-login' }, /^no: Your network asks for a user name and password/],
    [{ kind: 'unreachable', problem: 'proxy' }, /^no: Your network doesn’t let Footbridge out/],
    [{ kind: 'connecting' }, /^no: Footbridge isn’t connected .* Check that you’re online/],
  ])('says how the connection to the relay goes: %o', async (state, expected, joins = true) => {
    const relay = { host: 'relay.example', state, callOurselves: () => Promise.resolve(joins) };
    const facts = { addresses: [], open: true, pin: undefined, relay };
    const { checks } = await checkReachability(facts, english);
    const [found] = checks.filter(({ name }) => name === 'relay');
    expect(`${found?.ok === true ? 'ok' : 'no'}: ${found?.message ?? ''}`).toMatch(expected);
  });
});
