import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Reachability } from '../contract/app/pages.ts';
import { createDispatcher } from '../peer/transport/dispatcher.ts';
import { createReceiveBufferBudget } from '../peer/guard/receive-buffer-budget.ts';
import { sendRequest } from '../peer/dialects/wire.ts';
import { mayBeOwnAddress, OWN_ADDRESS, fetchPresentedCertificate } from './presented-certificate.ts';
import type { MappingState } from '../routes/port-mapping.ts';
import type { RegistrationState } from '../routes/rendezvous-client.ts';
import { said, type Said } from '../words/said.ts';
import type { Say } from '../words/said.ts';

const ANSWER_MS = 5_000;
const ANSWER_BYTES = 64 * 1024;

export interface ReachabilityFacts {
  readonly addresses: readonly string[];
  readonly open: boolean;
  /** The fingerprint for partners to pin; undefined without encryption or if an authority vouches for it. */
  readonly pin: string | undefined;
  readonly router?: MappingState | undefined;
  readonly relay?: RelayFacts | undefined;
}

export interface RelayFacts {
  readonly host: string;
  readonly state: RegistrationState;
  /** Calls us through the relay, as a partner does; false if another one or none answers. */
  readonly callOurselves: (signal: AbortSignal) => Promise<boolean>;
}

interface Answer {
  readonly ok: boolean;
  readonly message: Said;
}

/**
 * Reports what works, as far as can be checked from here: network access, the router's port, a call through our relay,
 * and our first address: its name, and a call if it can lead to this computer.
 */
export async function checkReachability(facts: ReachabilityFacts, say: Say): Promise<Reachability> {
  const base = facts.addresses[0];
  const checks: Reachability['checks'] = [
    {
      name: 'network',
      ok: facts.open,
      message: say(facts.open ? said('reach.open') : said('reach.only-here')),
    },
  ];
  const router = describeRouter(facts.router);
  if (router) checks.push({ name: 'router', ok: router.ok, message: say(router.message) });
  const relay = await describeRelay(facts.relay);
  if (relay) checks.push({ name: 'relay', ok: relay.ok, message: say(relay.message) });
  if (base === undefined) return { open: facts.open, checks };

  const host = new URL(base).hostname.replace(/^\[|\]$/g, '');
  const resolved = await lookup(host).then(
    ({ address }) => address,
    () => undefined,
  );
  if (isIP(host) === 0)
    checks.push({
      name: 'name',
      ok: resolved !== undefined,
      message: say(
        resolved === undefined
          ? said('reach.unknown-name', { host })
          : said('reach.known-as', { host, address: resolved }),
      ),
    });
  if (resolved !== undefined && !mayBeOwnAddress(resolved)) {
    const message = say(said('reach.no-own-address', { address: resolved }));
    return { open: facts.open, checks: [...checks, { name: 'answer', ok: false, message }] };
  }
  const answer = base.startsWith('https:')
    ? await checkOwnCertificate(new URL(base), facts.pin)
    : await callOwnHealthCheck(base);
  checks.push({ name: 'answer', ok: answer.ok, message: say(answer.message) });
  return { open: facts.open, checks };
}

/** Describes the port mapping; undefined while the router is searched for or wasn't asked. */
function describeRouter(state: MappingState | undefined): Answer | undefined {
  switch (state?.kind) {
    case 'mapped':
      return {
        ok: true,
        message: said('reach.port-open', { address: state.address, port: String(state.port) }),
      };
    case 'carrier-nat':
      return { ok: false, message: said('reach.carrier-nat') };
    case 'refused':
      return { ok: false, message: said('reach.port-refused') };
    case 'none':
      return { ok: false, message: said('reach.no-port') };
    case 'searching':
    case undefined:
      return undefined;
  }
}

/**
 * Calls ourselves through our relay if it has registered us, as it may pass no calls on; else says why it hasn't.
 * Undefined without a relay.
 */
async function describeRelay(relay: ReachabilityFacts['relay']): Promise<Answer | undefined> {
  if (!relay) return undefined;
  const { host, state } = relay;
  switch (state.kind) {
    case 'registered':
      return (await relay.callOurselves(AbortSignal.timeout(ANSWER_MS)))
        ? { ok: true, message: said('reach.relay-open', { relay: host }) }
        : { ok: false, message: said('reach.relay-silent', { relay: host }) };
    case 'refused':
      if (state.problem === 'denied') return { ok: false, message: said('reach.relay-key', { relay: host }) };
      if (state.problem === 'replaced')
        return { ok: false, message: said('reach.relay-copy', { relay: host }) };
      if (state.problem === 'proxy-login') return { ok: false, message: said('peer.proxy-login') };
      return { ok: false, message: said('reach.relay-other', { relay: host }) };
    case 'unreachable':
      if (state.problem === 'proxy') return { ok: false, message: said('peer.proxy-refuses') };
      return { ok: false, message: said('reach.relay-away', { relay: host }) };
    case 'connecting':
      return { ok: false, message: said('reach.relay-away', { relay: host }) };
  }
}

/** Calls the health check at our own address, and returns what answered. Never rejects for a failed call. */
async function callOwnHealthCheck(base: string): Promise<Answer> {
  const address = base.replace(/\/federation$/, '/healthz');
  // This call resolves the name again, which may lead elsewhere.
  const rules = { ...OWN_ADDRESS, ownPorts: () => [], connectTime: ANSWER_MS };
  const dispatcher = createDispatcher(rules);
  try {
    const { status } = await sendRequest(dispatcher, {
      method: 'GET',
      url: address,
      deadline: ANSWER_MS,
      gap: ANSWER_MS,
      answerBytes: ANSWER_BYTES,
      budget: createReceiveBufferBudget(),
    });
    if (status === 200) return { ok: true, message: said('reach.answers', { host: new URL(base).host }) };
    return {
      ok: false,
      message: said('reach.something-else', { host: new URL(base).host, status }),
    };
  } catch {
    return { ok: false, message: noAnswer(new URL(base).host) };
  } finally {
    await dispatcher.destroy();
  }
}

/** Reports whether callers of our own address can verify its certificate: it is trusted, or the one they pin. */
async function checkOwnCertificate(address: URL, pin: string | undefined): Promise<Answer> {
  const found = await fetchPresentedCertificate(address, ANSWER_MS);
  if (!found) return { ok: false, message: noAnswer(address.host) };
  if (found.trusted || found.fingerprint === pin)
    return { ok: true, message: said('reach.answers-encrypted', { host: address.host }) };
  return {
    ok: false,
    message: said('reach.bad-certificate', { host: address.host }),
  };
}

const noAnswer = (host: string): Said => said('reach.silent', { host });
