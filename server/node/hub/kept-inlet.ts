import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import type { Fence } from '../../store/sql/commit.ts';
import type { Database } from '../../store/sql/database.ts';
import { Inlet, type Serving } from './inlet.ts';
import { ownAddressTowards, writeInletPlace, type InletPlace } from './inlet-place.ts';

const LOOKED_EVERY_MS = 1_500;

/** The node that serves, and where it listens now; undefined while it moves. */
export interface ServingAt extends Serving {
  place(): Pick<InletPlace, 'federation' | 'window' | 'isEncrypted'> | undefined;
}

interface KeptInletDeps {
  readonly database: Database;
  readonly fence: Fence;
  /** Known to all processes of the office. */
  readonly among: Buffer;
  readonly serving: ServingAt;
  /** As it was given on the command line. */
  readonly at: { readonly host: string; readonly port: number } | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The inlet of a process that serves, with what is written of it in the database. What is in the way when it begins, a port
 * that another program has or a database that is away for a moment, may be gone soon; and the node may move to another address.
 */
export class KeptInlet {
  readonly #deps: KeptInletDeps;
  readonly #process = randomUUID();
  #inlet: Inlet | undefined;
  #host: string | undefined;
  #written = '';
  #problem = '';
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(deps: KeptInletDeps) {
    this.#deps = deps;
    void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#inlet?.close();
  }

  async #look(): Promise<void> {
    try {
      await this.#openOnce();
      await this.#write();
      this.#problem = '';
    } catch (error) {
      this.#tell(error);
    }
    if (this.#isClosed) this.#inlet?.close();
    else this.#cancel = this.#deps.clock.after(LOOKED_EVERY_MS, () => void this.#look());
  }

  async #openOnce(): Promise<void> {
    if (this.#inlet) return;
    const { database, among: key, serving, at, log } = this.#deps;
    this.#host = at?.host ?? (await ownAddressTowards(database));
    if (this.#host === undefined) throw new Error('Give --inlet an address of this computer.');
    this.#inlet = await Inlet.open({ host: this.#host, port: at?.port ?? 0 }, { key, serving, log });
  }

  async #write(): Promise<void> {
    const place = this.#deps.serving.place();
    if (!this.#inlet || this.#host === undefined || !place || this.#isClosed) return;
    const all = { host: this.#host, port: this.#inlet.port, process: this.#process, ...place };
    const text = JSON.stringify(all);
    if (text === this.#written) return;
    await writeInletPlace(this.#deps.database, this.#deps.fence, all);
    this.#written = text;
  }

  /** Once, as long as it is the same. */
  #tell(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== this.#problem && !this.#isClosed)
      this.#deps.log.error(
        { err: error },
        'what comes to other processes of this office cannot be brought here',
      );
    this.#problem = problem;
  }
}
