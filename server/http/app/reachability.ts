import { lookup } from 'node:dns/promises';
import type { Reachability } from '../../contract/app-pages.ts';
import { presentedCertificate } from '../presented-certificate.ts';

const ANSWER_MS = 5_000;

export interface ReachabilityFacts {
  /** Federation bases that are given to partners. */
  readonly addresses: readonly string[];
  /** The listener takes calls from the network. */
  readonly open: boolean;
  /** Fingerprint that partners are told to pin; undefined when an authority vouches for what they see, or nothing is encrypted. */
  readonly pin: string | undefined;
}

/**
 * Can partners reach this computer? As far as that can be told from here: the listener is open, the address
 * that invites carry has a name that resolves, and it answers when called.
 */
export async function checkReachability(facts: ReachabilityFacts): Promise<Reachability> {
  const base = facts.addresses[0];
  const checks: Reachability['checks'] = [
    {
      name: 'network',
      ok: facts.open,
      message: facts.open
        ? 'Partners on the network may reach this computer.'
        : 'Only this computer can reach Footbridge. Allow partners on the network in the settings; without it you can still accept invites.',
    },
  ];
  if (base === undefined) return { open: facts.open, checks };

  const host = new URL(base).hostname.replace(/^\[|\]$/g, '');
  const resolved = await lookup(host).then(
    ({ address }) => address,
    () => undefined,
  );
  checks.push({
    name: 'name',
    ok: resolved !== undefined,
    message:
      resolved === undefined
        ? `The name ${host} is not known on this network. Correct the address in the settings.`
        : `${host} is known as ${resolved}.`,
  });
  checks.push(
    base.startsWith('https:') ? await seeCertificate(new URL(base), facts.pin) : await callOneself(base),
  );
  return { open: facts.open, checks };
}

async function callOneself(base: string): Promise<Reachability['checks'][number]> {
  const name = 'answer';
  const address = base.replace(/\/federation$/, '/healthz');
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' });
    await answer.body?.cancel();
    if (answer.ok) return { name, ok: true, message: `${new URL(base).host} answers.` };
    return {
      name,
      ok: false,
      message: `Something else answers at ${new URL(base).host} (status ${answer.status}). Check the address and port.`,
    };
  } catch {
    return { name, ok: false, message: silent(new URL(base).host) };
  }
}

/** Whether callers of our own address get an answer, with a certificate that they can check. */
async function seeCertificate(
  address: URL,
  pin: string | undefined,
): Promise<Reachability['checks'][number]> {
  const name = 'answer';
  const found = await presentedCertificate(address, ANSWER_MS);
  if (!found) return { name, ok: false, message: silent(address.host) };
  if (found.trusted || found.fingerprint === pin)
    return { name, ok: true, message: `${address.host} answers, and the connection is encrypted.` };
  return {
    name,
    ok: false,
    message: `${address.host} answers with a certificate that partners cannot check. Is it another program, or a proxy that lacks a certificate from an authority?`,
  };
}

const silent = (host: string): string =>
  `${host} does not answer. A firewall may be in the way; allow Footbridge in it. Some routers do not let a computer call itself from outside; then ask a partner to try.`;
