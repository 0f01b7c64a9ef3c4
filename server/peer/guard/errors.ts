import type { Goodbye } from '../../contract/wire/footbridge.ts';
import { english, said, type Words } from '../../words/said.ts';

/** Kinds are for the pull engine, words for the user. A partner's texts are truncated and quoted. */
export type PartnerErrorKind =
  | 'address' // we don't connect to it; the user must correct or allow it
  | 'unreachable' // no answer: network, name, time; tried again
  | 'busy' // the partner asks us to wait
  | 'paused' // no reading for a while; the connection stays
  | 'ended' // the partner says so: pair again
  | 'refused' // a true answer that says no
  | 'faulty'; // breaks the protocol; earlier answers are kept

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

/** Why an address is refused (S1–S5). */
export type AddressProblem =
  'malformed' | 'scheme' | 'loopback' | 'private' | 'forbidden' | 'own' | 'not-pinned';

/** The user can allow `private` for one partner. */
export class AddressRefusedError extends PartnerError {
  readonly problem: AddressProblem;
  constructor(problem: AddressProblem, words: Words) {
    super('address', words);
    this.name = 'AddressRefused';
    this.problem = problem;
  }
}

/** No usable connection: unknown name, refused, cut, slow, or untrusted. */
export class PartnerUnreachableError extends PartnerError {
  readonly why: 'name' | 'refused' | 'timeout' | 'certificate' | 'cut' | 'network' | 'elsewhere';
  constructor(why: PartnerUnreachableError['why'], words: Words, options?: ErrorOptions) {
    super('unreachable', words, options);
    this.name = 'PartnerUnreachable';
    this.why = why;
  }
}

/** The partner asks us to wait: 429, its own 503, or a starting server. */
export class PartnerBusyError extends PartnerError {
  readonly retryAfter: number | undefined;
  constructor(words: Words, retryAfter?: number) {
    super('busy', words);
    this.name = 'PartnerBusy';
    this.retryAfter = retryAfter;
  }
}

/** A status of something else there, such as a proxy; retried. */
export class NoResponseError extends PartnerUnreachableError {
  readonly status: number;
  /** Milliseconds, if sent. */
  readonly retryAfter: number | undefined;
  constructor(status: number, retryAfter?: number, words: Words = onlyStatus(status)) {
    super('elsewhere', words);
    this.name = 'NotAnswered';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

const onlyStatus = (status: number): Words => said('peer.bad-status', { status });

/** HTML, or a redirect to it: a network's login, a proxy, another device. */
export class HTMLResponseError extends NoResponseError {
  constructor(status: number, words: Words = said('peer.something-else')) {
    super(status, undefined, words);
    this.name = 'PageInstead';
  }
}

/** A running Corteza server without federation at this path. */
export class FederationDisabledError extends HTMLResponseError {
  constructor() {
    super(404, said('peer.no-federation'));
    this.name = 'FederationOff';
  }
}

/** Another kind of program at the partner's address. */
export class ForeignProgramError extends PartnerUnreachableError {
  constructor() {
    super('elsewhere', said('peer.another-program'));
    this.name = 'AnotherProgram';
  }
}

/** Another Footbridge answers: it says that our token is another's. */
export class WrongInstallationError extends PartnerError {
  constructor() {
    super('address', said('peer.another-footbridge'));
    this.name = 'AnotherFootbridge';
  }
}

/** Rejected this time; `sync/schedule/failure-state.ts` decides whether the connection has ended. */
export class TokenRejectedError extends PartnerError {
  readonly said: string;
  /** The partner's, if sent, in milliseconds since the epoch. */
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

/** The partner closed its side, as it can't fetch from us; our token may be valid. */
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

/** The partner says that the connection has ended. Only pairing again helps. */
export class PartnerEndedError extends PartnerError {
  readonly said: string;
  /** A request to delete received rows, or the reason. */
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
/** A live server has no record of us. */
export const ENTRY_GONE_CODE = 'live.entry-gone';
/** A live server's record feed is broken; another way may work. */
export const RECORDS_BROKEN = 'live.records-broken';

/** A partner's user reads “the disk”; ours must see whose. */
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
  /** Live servers refuse with status 200. */
  readonly status: number;
  readonly code: string | undefined;
  readonly said: string;
  /** The partner's, if sent, in milliseconds since the epoch. */
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

/** The answer violates the protocol or our limits; `reason` is in English. */
export class ProtocolViolationError extends PartnerError {
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super('faulty', said('peer.cannot-be-right', { reason }), options);
    this.name = 'PartnerFaulty';
    this.reason = reason;
  }
}

/** A prefetch's large answer: request it again in its turn. */
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
