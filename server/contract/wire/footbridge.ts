import { z } from 'zod';
import { GROUP_ROWS, rowGroup } from '../../base/row-group.ts';
import { id, timestamp } from '../common.ts';

/**
 * Between Footbridges, under `footbridge/` at the federation base. Only `hello` and `pairing` need no node
 * token.
 */

/**
 * GET footbridge/hello?token=&challenge=, public: identifies a Footbridge, but not its owner. With both it
 * proves that it issued the token, even if no longer accepted.
 */
export const helloQuery = z.object({
  token: z
    .string()
    .regex(/^[\w-]{1,1000}\.[\w-]{1,1000}$/)
    .optional()
    .describe('a token (JWT), or an invite as one (`docs/pairing.md`), without its last dot and signature'),
  challenge: z
    .string()
    .regex(/^[0-9a-f]{32,64}$/)
    .optional()
    .describe('random'),
});
export const hello = z.object({
  footbridge: z.literal(1),
  proof: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe(
      'HMAC-SHA256 of `challenge`, under a key derived from the whole token by HKDF-SHA256 without salt, 32 bytes, label `footbridge: proof that answers a greeting`',
    ),
});

/**
 * Proves a claimed installation. Required if its id is made of a key: `k` and the first 32 digits of the
 * SHA-256 of `publicKey`.
 */
export const installationProof = z.object({
  publicKey: z
    .string()
    .regex(/^[\w-]{43}$/)
    .describe('Ed25519, base64url'),
  signature: z
    .string()
    .regex(/^[\w-]{86}$/)
    .describe('base64url'),
});

/** Bounded as in `server/base/routes.ts`; unknown kinds are kept unchanged. */
export const announcedRoutes = z
  .object({
    pin: z
      .string()
      .regex(/^([0-9a-f]{64})?$/)
      .describe('SHA-256 fingerprint of the certificate that every route ends at'),
    texts: z
      .array(
        z
          .string()
          .max(500)
          .regex(/^[\x21-\x7e]+$/),
      )
      .max(12)
      .readonly()
      .describe('`direct:HOST:PORT`, `mapped:HOST:PORT` or `relay:ADDRESS`, the preferred one first'),
  })
  // Without routes, verification words and signatures don't cover the pin.
  .refine(({ pin, texts }) => texts.length > 0 || pin === '', { message: 'A pin needs routes.' });

/** Node B, in a Footbridge's handshake body. Others ignore it. */
export const handshakeGreeting = z.object({
  baseURL: z.string().max(2000).describe('federation base of node B'),
  installation: z.string().min(1).max(100),
  proof: installationProof.optional(),
  office: z.string().max(200),
  certificate: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 fingerprint of node B’s own certificate, to be pinned by node A'),
  routes: announcedRoutes
    .optional()
    .describe('further routes to node B; sent, even if empty, where the invite has the parameter `r`'),
});

/** Node A's proof, in a Footbridge's handshake-complete body. */
export const completeGreeting = z.object({ proof: installationProof.optional() });

/**
 * GET footbridge/wait?since=&timeout=&hold=: a long poll, until something is newer than `since`. With `hold`
 * the answer begins with a space per `timeout` without news.
 */
export const waitQuery = z.object({
  since: z.string().max(2000).optional(),
  timeout: z.coerce.number().int().min(0).max(55).default(25),
  hold: z.coerce
    .number()
    .int()
    .min(0)
    .max(900)
    .optional()
    .describe('seconds after which the answer ends without news; `timeout` where absent'),
  run: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .optional()
    .describe('a random name that the calling program has given itself at its start'),
});
export const waitAnswer = z.object({
  cursor: z.string().describe('opaque; send it as the next `since`'),
  structure: z.boolean().describe('what is shared changed'),
  modules: z.array(id).describe('exposures with changed rows'),
  twice: z
    .literal(true)
    .optional()
    .describe('two programs call with the credentials of this partner, in turn: its data folder was copied'),
});

const readSoFar = {
  epoch: z.string().max(200).optional(),
  state: z.string().max(200).optional(),
  after: z.number().int().nonnegative().optional().describe('all changes up to here are taken in'),
};
/** POST footbridge/standing: the caller's progress with each offered list, after a pull that changed it. */
export const standingRequest = z.object({
  lists: z
    .array(
      z.object({
        moduleID: id.describe('the exposure'),
        wanted: z.enum(['yes', 'undecided', 'no']).describe('whether it is matched with a list there'),
        ...readSoFar,
        others: z
          .array(z.object(readSoFar))
          .max(100)
          .optional()
          .describe('the same of further lists that this one goes into there'),
        held: z.number().int().nonnegative().describe('rows whose loss waits for a yes'),
        lost: z
          .number()
          .int()
          .nonnegative()
          .default(0)
          .describe('rows that it still has and that are gone or older at the origin, whose data went back'),
        apart: z
          .number()
          .int()
          .nonnegative()
          .describe('rows that did not fit, differ, or were kept and may still be taken over'),
        changed: z
          .number()
          .int()
          .nonnegative()
          .optional()
          .describe('rows that its user changed, removed, restored or kept there on purpose'),
        parked: z
          .number()
          .int()
          .nonnegative()
          .optional()
          .describe('columns that are not taken in since they changed, until its user matches them again'),
      }),
    )
    .max(2000),
});

/** Enough pages in flight to keep both sides busy. */
export const MAX_MARKS = 8;

/** GET footbridge/modules/{exposure}/changes?after=&until=&epoch=&columns=&limit=&marks= */
export const changesQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  until: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('the last place that is wanted: the `after` of a page that is asked for as well'),
  marks: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_MARKS)
    .default(0)
    .describe('how many of the pages behind this one are to be named'),
  epoch: z.string().max(200).optional(),
  state: z.string().max(200).optional().describe('as of the answer before; with `epoch`'),
  columns: z.string().max(200).optional().describe('the digest of the columns as the caller knows them'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(GROUP_ROWS)
    .default(500)
    .describe('rows of the page at most; with `groups` a page that is no row group has 500 at most'),
  groups: z
    .literal('1')
    .optional()
    .transform((groups) => groups !== undefined)
    .describe('the rows may come as one row group (docs/interface.md: Row groups)'),
});
/**
 * Without values if deleted, or if `via` names the caller, who has it. Deletions of versions never sent to
 * the caller lack `via` and `origin`.
 */
export const changedRow = z.object({
  recordID: id,
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.optional(),
  via: z.array(z.string()).optional().describe('installations that it passed through, ours last'),
  origin: z
    .object({
      id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{16,64}$/)
        .describe('made by the first installation of `via`: the same for this row wherever it comes from'),
      at: timestamp.describe('that installation’s own time of this version'),
    })
    .optional()
    .describe('docs/rings.md'),
  values: z.array(z.object({ name: z.string(), value: z.string() })),
});
/**
 * Rows by last change after `after`. `next` and `marks` are opaque; 0 is the beginning. 409 `feed.epoch`:
 * changed fields or a restored store; start from 0 without `epoch`. 409 `feed.went-back`: an older copy of
 * the list; start from 0 and compare. 409 `feed.definition`: outdated `columns`; read the definition first.
 */
export const changesAnswer = z.object({
  epoch: z.string(),
  state: z.string().optional().describe('names the state of the list; send it back with `next`'),
  next: z.number().int().describe('the next `after`; no number to count with'),
  more: z.boolean(),
  marks: z
    .array(z.number().int())
    .max(MAX_MARKS)
    .optional()
    .describe(
      'where, behind `next`, following pages of the same `limit` end; each is an `after` and an `until`, so that several can be asked for at once',
    ),
  unsettled: z
    .literal(true)
    .optional()
    .describe('rows that were told already are about to change: wait for the notice of it'),
  total: z.number().int().describe('changes still to come, about'),
  set: z.array(changedRow),
});
/** The same page as one row group, for `groups=1` if all rows are plain. */
export const groupedChangesAnswer = changesAnswer
  .omit({ set: true })
  .extend({ grouped: z.literal(true), set: z.array(rowGroup).length(1) });

/**
 * POST footbridge/modules/{exposure}/digest: compares rows, which fall into `blocks` by id. Answers each
 * block's count and digest over `fields` (`server/federation/sharing/digest.ts`). With `block`: its rows' ids
 * and digests. Omits deleted rows and those not to be forwarded.
 */
export const digestRequest = z.object({
  fields: z.array(z.string().min(1).max(200)).max(500).describe('each column once'),
  blocks: z.number().int().min(1).max(4096),
  block: z.number().int().min(0).max(4095).optional(),
});
const digestText = z.string().regex(/^[0-9a-f]{32}$/);
export const digestAnswer = z.object({
  blocks: z.array(z.object({ count: z.number().int().nonnegative(), digest: digestText })).max(4096),
});
export const digestBlock = z.object({
  set: z.array(z.object({ recordID: id, digest: digestText })).max(1_000_000),
});

/**
 * POST footbridge/modules/{exposure}/rows: current rows, deleted ones without values. Omits unknown rows and
 * those not to be forwarded.
 */
export const rowsRequest = z.object({
  recordIDs: z.array(id).min(1).max(500),
  parts: z
    .boolean()
    .optional()
    .describe('true: fewer may be answered, where they are large; without it too many are refused'),
});
export const rowsAnswer = z.object({
  taken: z
    .number()
    .int()
    .positive()
    .describe(
      'so many of the ids, from the first one on, are dealt with; the others are to be asked for again',
    ),
  set: z.array(changedRow),
});

/**
 * POST footbridge/routes: replaces the caller's routes, signed by its installation (docs/pairing.md: Address
 * updates); an older `revision` gets 409.
 */
export const routesRequest = z.object({
  revision: z.number().int().positive(),
  routes: announcedRoutes,
  proof: installationProof,
});

export const routesAnswer = z.object({
  carried: z
    .string()
    .regex(/^[\w-]{43}$/)
    .describe(
      'the ID under which the caller can be called through us, while it keeps a reverse connection to us',
    )
    .optional(),
  newer: z
    .number()
    .int()
    .positive()
    .describe('the revision of newer routes that are known: the announced ones were not stored')
    .optional(),
});

/** POST footbridge/token: a new token; the old one stays valid until this one is used. */
export const tokenAnswer = z.object({ token: z.string(), expiresAt: timestamp });

/**
 * POST footbridge/pairing, without a token: node B, which can't be called, fetches the result from node A.
 */
export const pairingRequest = z.object({
  nodeID: id.describe('the pair’s id at node A'),
  proof: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe(
      'HMAC-SHA256 of `pairing <nodeID>`, under a key derived from B’s token by HKDF-SHA256 without salt, 32 bytes, label `footbridge: proof that collects the answer to a pairing`',
    ),
});
export const pairingAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting') }),
  z.object({ state: z.literal('ready'), token: z.string(), proof: installationProof.optional() }),
  z.object({ state: z.literal('ended') }),
]);

/** 401: the connection ended with a request to delete received rows. */
export const REMOVAL_ASKED = 'auth.removal-asked';

/** 401: ended because the verification words differed. */
export const WORDS_DIFFER = 'auth.words-differ';

/** 401: the token's connection was ended here. */
export const CONNECTION_ENDED = 'auth.ended';

/** 401: the wrong Footbridge was called. */
export const TOKEN_OF_ANOTHER = 'auth.another';

/** 403: the partner no longer accepts our token; meanwhile the connection counts as ended. */
export const CONNECTION_CLOSED = 'node.closed';

/** 403: the partner's reading is paused: the connection stays, and resumes by itself. */
export const SHARING_PAUSED = 'node.paused';

/**
 * POST footbridge/goodbye: the partner ends the connection. `removeRequest`: we are to delete its rows;
 * `wordsDiffer`: the verification words differed.
 */
export const goodbyeRequest = z.object({
  removeRequest: z.boolean().optional(),
  wordsDiffer: z.boolean().optional(),
});
export type Goodbye = z.infer<typeof goodbyeRequest>;
