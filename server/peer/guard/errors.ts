import type { Goodbye } from '../../contract/wire/footbridge.ts';
import { english, said, type Words } from '../../words/said.ts';

/**
 * Errors between us and a partner: the kind is for the pull engine, the words are for the user. A partner's texts are
 * truncated and quoted.
 */
export type PartnerErrorKind =
  | 'address' // the address is not one that we connect to; the user must correct or allow it
  | 'unreachable' // no answer: network, name, time; tried again
  | 'busy' // the partner asks us to wait
  | 'paused' // the partner lets us read nothing for a while; the connection stays
  | 'ended' // the partner says that the connection is over: pair again
  | 'refused' // a true answer that says no
  | 'faulty'; // an answer that breaks the protocol; what was fetched so far is kept, this answer is not

export class PartnerError extends Error {
  readonly kind: PartnerErrorKind;
  readonly words: Words;
  constructor(kind: PartnerErrorKind, words: Words, options?: ErrorOptions) {
    super(english(words), options);
    this.name = 'PartnerError';
    this.kind = kind;
    this.words = words;
  }
}

/** Why an address is refused before or while connecting (S1–S5). */
export type AddressProblem =
  'malformed' | 'scheme' | 'loopback' | 'private' | 'forbidden' | 'own' | 'not-pinned';

/** The user can allow `private` for this one partner. */
export class AddressRefusedError extends PartnerError {
  readonly problem: AddressProblem;
  constructor(problem: AddressProblem, words: Words) {
    super('address', words);
    this.name = 'AddressRefused';
    this.problem = problem;
  }
}

/** No usable connection: unknown name, refused, cut, too slow, or an untrusted certificate. */
export class PartnerUnreachableError extends PartnerError {
  readonly why: 'name' | 'refused' | 'timeout' | 'certificate' | 'cut' | 'network' | 'elsewhere';
  constructor(why: PartnerUnreachableError['why'], words: Words, options?: ErrorOptions) {
    super('unreachable', words, options);
    this.name = 'PartnerUnreachable';
    this.why = why;
  }
}

/** The partner asks for a pause: 429, its own 503, or a server still starting. */
export class PartnerBusyError extends PartnerError {
  readonly retryAfter: number | undefined;
  constructor(words: Words, retryAfter?: number) {
    super('busy', words);
    this.name = 'PartnerBusy';
    this.retryAfter = retryAfter;
  }
}

/** A status from something else at the partner's address, such as a proxy; retried. */
export class NoResponseError extends PartnerUnreachableError {
  readonly status: number;
  /** Milliseconds to wait, if it said so. */
  readonly retryAfter: number | undefined;
  constructor(status: number, retryAfter?: number, words: Words = onlyStatus(status)) {
    super('elsewhere', words);
    this.name = 'NotAnswered';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

const onlyStatus = (status: number): Words => said('peer.bad-status', { status });

/** An HTML page, or a redirect to one: a network's login, a proxy, another device. */
export class HTMLResponseError extends NoResponseError {
  constructor(status: number, words: Words = said('peer.something-else')) {
    super(status, undefined, words);
    this.name = 'PageInstead';
  }
}

/** A Corteza server's page for an unknown path: it runs, but serves no federation there. */
export class FederationDisabledError extends HTMLResponseError {
  constructor() {
    super(404, said('peer.no-federation'));
    this.name = 'FederationOff';
  }
}

/** Another kind of program answers at the partner's address. */
export class ForeignProgramError extends PartnerUnreachableError {
  constructor() {
    super('elsewhere', said('peer.another-program'));
    this.name = 'AnotherProgram';
  }
}

/** Another Footbridge than we paired with answers: it says that our token is another's. */
export class WrongInstallationError extends PartnerError {
  constructor() {
    super('address', said('peer.another-footbridge'));
    this.name = 'AnotherFootbridge';
  }
}

/** Our token wasn't accepted this time; `sync/schedule/failure-state.ts` decides whether the connection has ended. */
export class TokenRejectedError extends PartnerError {
  readonly said: string;
  /** The partner's time, if sent, in milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly code: string | undefined;
  constructor(answer: string, at?: number, code?: string) {
    super('refused', said('peer.not-accepted'));
    this.name = 'TokenRefused';
    this.said = answer;
    this.at = at;
    this.code = code;
  }
}

/** The partner keeps its side closed, as it can't fetch from us; our token may still be valid. */
export class PartnerClosedError extends PartnerError {
  constructor() {
    super('refused', said('peer.closed-its-side'));
    this.name = 'PartnerClosed';
  }
}

export class PartnerPausedError extends PartnerError {
  constructor() {
    super('paused', said('peer.paused'));
    this.name = 'PartnerPaused';
  }
}

/** The partner itself says that the connection has ended. Only pairing again helps. */
export class PartnerEndedError extends PartnerError {
  readonly said: string;
  /** A request to delete what we received, or the reason. */
  readonly farewell: Goodbye;
  constructor(answer: string, farewell: Goodbye = {}) {
    super('ended', said('peer.no-longer-accepted'));
    this.name = 'PartnerEnded';
    this.said = answer;
    this.farewell = farewell;
  }
}

/** Returns whether a refusal's code is a Footbridge's, such as `invite.wrong`; live servers' have no dot. */
export const isFootbridgeCode = (code: string | undefined): boolean => code?.includes('.') === true;
/** The refusal code of a live server that has no record of us. */
export const ENTRY_GONE_CODE = 'live.entry-gone';
/** The refusal code of a live server with a broken record feed; another way may work. */
export const RECORDS_BROKEN = 'live.records-broken';

/** A partner's own user reads “the disk”; ours must see whose. */
const FOR_OURS: Readonly<Record<string, Words>> = {
  'invite.wrong': said('peer.invite-unknown'),
  'invite.used': said('peer.invite-used'),
  'invite.expired': said('peer.invite-expired'),
  'invite.withdrawn': said('peer.invite-withdrawn'),
  'pairing.same-installation': said('pairing.same-installation'),
  'pairing.not-shown': said('peer.not-shown'),
  'store.full': said('peer.disk-full'),
  'store.permission': said('peer.cannot-write'),
  'store.io': said('peer.disk-error'),
  'live.link-replaced': said('peer.link-replaced'),
  [ENTRY_GONE_CODE]: said('peer.entry-gone'),
  [RECORDS_BROKEN]: said('peer.records-broken'),
};

/** The partner understood and refused. */
export class RequestRefusedError extends PartnerError {
  /** The HTTP status; live servers refuse with status 200. */
  readonly status: number;
  readonly code: string | undefined;
  readonly said: string;
  /** The partner's time, if sent, in milliseconds since the epoch. */
  readonly at: number | undefined;
  constructor(status: number, answer: string, code?: string, at?: number) {
    super('refused', FOR_OURS[code ?? ''] ?? said('peer.refused', { answer }));
    this.name = 'PartnerRefused';
    this.status = status;
    this.said = answer;
    this.code = code;
    this.at = at;
  }
}

/** The partner deleted a list it still offers. */
export class ListDeletedError extends PartnerError {
  constructor() {
    super('refused', said('peer.list-deleted'));
    this.name = 'ListDeleted';
  }
}

/** The answer violates the protocol or our limits; `reason`, in English, says how. */
export class ProtocolViolationError extends PartnerError {
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super('faulty', said('peer.cannot-be-right', { reason }), options);
    this.name = 'PartnerFaulty';
    this.reason = reason;
  }
}

/** Refuses a prefetch's large answer: request it again in its turn. */
export class NextPageTooLargeError extends ProtocolViolationError {
  constructor() {
    super('a page is too large to be asked for ahead.');
  }
}

/** Returns whether an error is an answer with one of these statuses, from anything at the partner's address. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return (
    (error instanceof RequestRefusedError || error instanceof NoResponseError) &&
    statuses.includes(error.status)
  );
}

/** Returns foreign text for a message, without quotation marks: one printable line, cut after `limit` characters. */
export function quoted(text: string, limit = 200): string {
  const flat = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return flat.length > limit ? `${flat.slice(0, limit)}…` : flat;
}
