/** Empty: everything. */
export interface RunRequest {
  /** Offers (the partner's ids) announced by the long poll; rows only. */
  readonly only?: ReadonlySet<string>;
  /** Skips definitions. */
  readonly rowsOnly?: boolean;
  /** The user asked: ignores back-off, and retries failed rows. */
  readonly forced?: boolean;
  /** Rows to refetch (the partner's ids), by local offer id. */
  readonly again?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the request's lists and kind only, without `forced` and rows to refetch. */
function scopeOf({ only, rowsOnly }: RunRequest): RunRequest {
  return { ...(only ? { only } : {}), ...(rowsOnly === true ? { rowsOnly } : {}) };
}

/**
 * Returns one request that covers both: `forced` if either is, `rowsOnly` and `only` if both are limited so, with the
 * rows to refetch of both.
 */
export function mergeRequests(a: RunRequest, b: RunRequest): RunRequest {
  const forced = a.forced === true || b.forced === true;
  const rowsOnly = a.rowsOnly === true && b.rowsOnly === true;
  const only = a.only && b.only ? new Set([...a.only, ...b.only]) : undefined;
  const again = a.again && b.again ? mergeRefetches(a.again, b.again) : (a.again ?? b.again);
  return {
    ...(forced ? { forced } : {}),
    ...(rowsOnly ? { rowsOnly } : {}),
    ...(only ? { only } : {}),
    ...(again ? { again } : {}),
  };
}

/** Returns the rows to refetch of both requests, by offer. */
function mergeRefetches(
  a: NonNullable<RunRequest['again']>,
  b: NonNullable<RunRequest['again']>,
): NonNullable<RunRequest['again']> {
  const offers = [...new Set([...a.keys(), ...b.keys()])];
  return new Map(offers.map((offer) => [offer, new Set([...(a.get(offer) ?? []), ...(b.get(offer) ?? [])])]));
}

/** Pulls still needed to have applied everything announced: all at first, and failed ones. */
export class PendingWork {
  #request: RunRequest | undefined = {};

  get isEmpty(): boolean {
    return this.#request === undefined;
  }

  /** Adds the request's lists, without its force and its rows to refetch. */
  add(request: RunRequest): void {
    const more = scopeOf(request);
    this.#request = this.#request ? mergeRequests(this.#request, more) : more;
  }

  /** Makes a pull of everything pending, whatever was. */
  addEverything(): void {
    this.#request = {};
  }

  /** Returns the request merged with all pending work, which is cleared; after a failure {@link add} it again. */
  takeMerged(asked: RunRequest): RunRequest {
    const all = this.#request ? mergeRequests(scopeOf(this.#request), asked) : asked;
    this.#request = undefined;
    return all;
  }
}
