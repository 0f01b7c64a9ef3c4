/** What a run is to do; everything, where nothing is said. */
export interface RunRequest {
  /** Only rows of these offers (ids at the partner), as the long poll named them. */
  readonly only?: ReadonlySet<string>;
  /** Leave the structure as it is. */
  readonly rowsOnly?: boolean;
  /** The user asks: lists that rest after a failure are not passed over, failed rows are tried again. */
  readonly forced?: boolean;
  /** Rows to fetch again, by our id of the offer: their ids at the partner. */
  readonly again?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What of a request has to be done again when it failed; that the user asked for it, and for which rows, is over. */
function coverage({ only, rowsOnly }: RunRequest): RunRequest {
  return { ...(only ? { only } : {}), ...(rowsOnly === true ? { rowsOnly } : {}) };
}

/** Two requests in one: nothing that either asked for is left out. */
export function merged(a: RunRequest, b: RunRequest): RunRequest {
  const forced = a.forced === true || b.forced === true;
  const rowsOnly = a.rowsOnly === true && b.rowsOnly === true;
  const only = a.only && b.only ? new Set([...a.only, ...b.only]) : undefined;
  const again = a.again && b.again ? joined(a.again, b.again) : (a.again ?? b.again);
  return {
    ...(forced ? { forced } : {}),
    ...(rowsOnly ? { rowsOnly } : {}),
    ...(only ? { only } : {}),
    ...(again ? { again } : {}),
  };
}

function joined(
  a: NonNullable<RunRequest['again']>,
  b: NonNullable<RunRequest['again']>,
): NonNullable<RunRequest['again']> {
  const offers = [...new Set([...a.keys(), ...b.keys()])];
  return new Map(offers.map((offer) => [offer, new Set([...(a.get(offer) ?? []), ...(b.get(offer) ?? [])])]));
}

/** What has to be pulled before all that the partner told is taken in; failed and broken off pulls leave it. */
export class PendingWork {
  #request: RunRequest | undefined = {};

  get isNothing(): boolean {
    return this.#request === undefined;
  }

  add(request: RunRequest): void {
    const more = coverage(request);
    this.#request = this.#request ? merged(this.#request, more) : more;
  }

  everything(): void {
    this.#request = {};
  }

  /** What is asked for, and all that is owed with it; from then on nothing is. */
  takeMerged(asked: RunRequest): RunRequest {
    const all = this.#request ? merged(coverage(this.#request), asked) : asked;
    this.#request = undefined;
    return all;
  }
}
