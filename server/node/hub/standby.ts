import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import type { ErrorBody } from '../../contract/common.ts';
import type { Health } from '../../contract/openapi/node.ts';
import type { Certificate } from '../../http/listeners/certificate.ts';
import { listenOnFirstFree, type Listener, type ListenAddress } from '../../http/listeners/listen.ts';
import { NodeAddress, type CertificateFiles } from '../address.ts';

export interface StandbyOptions {
  /** The federation listener's after a takeover. */
  readonly place: ListenAddress;
  /** The user's own, instead of the office's. */
  readonly files: CertificateFiles | undefined;
  readonly officeCertificate: Certificate;
  readonly clock: Clock;
  readonly log: Logger;
}

/** About as long as a takeover. */
const RETRY_AFTER_SECONDS = 5;
const HEALTH = /^(?:\/api)?\/healthz(?:\?|$)/;

/** Answers 503 at the federation port, with its certificate, while another process serves. */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #address: NodeAddress;
  #opened: Promise<Listener> | undefined;

  constructor(options: StandbyOptions) {
    this.#options = options;
    const certificate = (): Promise<Certificate> => Promise.resolve(options.officeCertificate);
    this.#address = new NodeAddress({ ...options, storage: { certificate } });
  }

  /**
   * Opens the port, once. Returns why it can't, else undefined; that is no error, as processes may share the port, and
   * later calls return it too.
   */
  async open(): Promise<string | undefined> {
    this.#opened ??= this.#listen();
    return this.#opened.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }

  /** Closes the port, even one just being opened. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const listener = await opened?.catch(() => undefined);
    // A running opening would still follow the files.
    this.#address.close();
    await listener?.close(0);
  }

  /** Loads the certificate and opens the port. Throws `ListenError` or `CertificateError`. */
  async #listen(): Promise<Listener> {
    const { place } = this.#options;
    const tls = await this.#address.loadCertificate(place.host);
    const listener = await listenOnFirstFree(answerStandby, { ...place, ...(tls ? { tls } : {}) });
    this.#address.setListener(listener);
    return listener;
  }
}

/**
 * Answers 503 to everything, to health checks as standby, and closes the connection: the next request should reach
 * the process that serves.
 */
function answerStandby({ url = '' }: IncomingMessage, res: ServerResponse): void {
  const body: Health | ErrorBody = HEALTH.test(url) ? { status: 'standby' } : ON_STANDBY;
  res.writeHead(503, {
    ...{ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    ...{ 'Retry-After': String(RETRY_AFTER_SECONDS), Connection: 'close' },
  });
  res.end(JSON.stringify(body));
}

const ON_STANDBY: ErrorBody = {
  error: {
    code: 'node.standby',
    message: `This process is on standby: another one serves the office. Try again in ${String(RETRY_AFTER_SECONDS)} seconds, or call the address of the load balancer.`,
  },
};
