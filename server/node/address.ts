import type { Logger } from 'pino';
import type { OwnAddress } from '../federation/ports.ts';
import { isLoopbackHost, LOOPBACK } from '../base/loopback.ts';
import { readCertificateFiles, type Certificate } from '../http/listeners/certificate.ts';
import type { Listener } from '../http/listeners/listen.ts';
import { hostsOf } from '../http/listeners/own-address.ts';
import { fetchPresentedCertificate, type Presented } from '../app/presented-certificate.ts';
import type { Clock } from '../base/clock.ts';
import { formatRoute, MAX_ROUTES, type AnnouncedRoutes } from '../base/routes.ts';
import { isCallable } from '../peer/transport/address.ts';
import { english, said, type Words } from '../words/said.ts';
import type { NodeStorage } from './storage/storage.ts';

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const LOOK_MS = 3_000;
/** Announced addresses of this computer. */
const MAX_DIRECT = 6;
const FILES_LOOKED_AT_EVERY = 3_600_000;

interface NodeAddressDeps {
  readonly storage: Pick<NodeStorage, 'certificate'>;
  readonly files: CertificateFiles | undefined;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Where partners reach this node, and how it identifies itself (docs/architecture.md: The two listeners). */
export class NodeAddress {
  readonly #deps: NodeAddressDeps;
  #listener: Listener | undefined;
  #certificate: Certificate | undefined;
  #routeCertificate: Certificate | undefined;
  #routeTexts: () => readonly string[] = () => [];
  #presented: { readonly url: string; readonly found: Presented | undefined } | undefined;
  #notice: { readonly at: string; readonly message: Words } | undefined;
  #cancel: (() => void) | undefined;

  constructor(deps: NodeAddressDeps) {
    this.#deps = deps;
  }

  /**
   * Loads and remembers the certificate of a listener on `host` (none for loopback), and follows renewals of the user's
   * files. Reports a damaged one of our own that was replaced. Throws `CertificateError` for unusable configured files.
   */
  async loadCertificate(host: string): Promise<Certificate | undefined> {
    this.#certificate = undefined;
    if (isLoopbackHost(host)) return undefined;
    this.#certificate = await (this.#deps.files
      ? readCertificateFiles(this.#deps.files.cert, this.#deps.files.key)
      : this.#deps.storage.certificate());
    if (this.#deps.files) this.#followFiles(this.#deps.files);
    if (this.#certificate.replaced) {
      this.#notice = { at: new Date(this.#deps.clock.now()).toISOString(), message: REPLACED };
      this.#deps.log.warn(english(REPLACED));
    }
    return this.#certificate;
  }

  /** Sets the open listener, whose address is announced and which gets renewed certificates. */
  setListener(opened: Listener): void {
    this.#listener = opened;
  }

  /** Returns the address to announce, with public URL, certificate to pin and further routes. */
  ownAddress(publicUrl: string): OwnAddress {
    const { host = LOOPBACK, port = 0 } = this.#listener ?? {};
    const address = partnerAddress({
      host: hostsOf(host)[0] ?? LOOPBACK,
      port,
      publicUrl,
      certificate: this.#certificate,
      presented: this.#presented?.url === publicUrl ? this.#presented.found : undefined,
    });
    const routes = this.#announcedRoutes(host, port, publicUrl);
    return { ...address, ...(routes ? { routes } : {}) };
  }

  /** The certificate for routed streams, after {@link openRoutes} or if the listener's is self-signed. */
  get routeCertificate(): Certificate | undefined {
    return this.#routeCertificate ?? (this.#certificate?.selfSigned === true ? this.#certificate : undefined);
  }

  /** The federation listener's port, if callers from elsewhere see our own certificate there. */
  get directPort(): number | undefined {
    return this.#certificate?.selfSigned === true ? this.#listener?.port : undefined;
  }

  /**
   * Announces further routes from now on, as `texts` returns them at each call. Loads their certificate if there are
   * any.
   */
  async openRoutes(texts: () => readonly string[]): Promise<void> {
    this.#routeTexts = texts;
    if (texts().length > 0) this.#routeCertificate ??= await this.#deps.storage.certificate();
  }

  /**
   * Returns the routes beside the main address, with the certificate to pin; undefined without routes or a certificate
   * for them. The listener's other addresses count if it shows that certificate.
   */
  #announcedRoutes(host: string, port: number, publicUrl: string): AnnouncedRoutes | undefined {
    const certificate = this.routeCertificate;
    if (!certificate) return undefined;
    const isShown = this.#certificate?.fingerprint === certificate.fingerprint;
    const hosts = isShown ? hostsOf(host).filter(isCallable) : [];
    const direct = hosts
      .slice(publicUrl === '' ? 1 : 0, MAX_DIRECT)
      .map((each) => formatRoute({ kind: 'direct', host: each.replace(/^\[|\]$/g, ''), port }));
    const texts = [...direct, ...this.#routeTexts()].slice(0, MAX_ROUTES);
    return texts.length === 0 ? undefined : { pin: certificate.fingerprint, texts };
  }

  /** Notes in memory which certificate callers see at the public address, if any, for later invites; only with TLS. */
  async refreshPresentedCertificate(publicUrl: string): Promise<void> {
    if (!this.#certificate || !publicUrl.startsWith('https:')) return;
    this.#presented = { url: publicUrl, found: await fetchPresentedCertificate(new URL(publicUrl), LOOK_MS) };
  }

  /** Says that the node's own damaged certificate was replaced, if so. */
  get notice(): { readonly at: string; readonly message: Words } | undefined {
    return this.#notice;
  }

  /** Stops reading the certificate files. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Reads the files hourly until {@link close}, and gives a new certificate to the listener. Failures are logged. */
  #followFiles({ cert, key }: CertificateFiles): void {
    this.#cancel?.();
    this.#cancel = this.#deps.clock.after(FILES_LOOKED_AT_EVERY, () => {
      readCertificateFiles(cert, key)
        .then((found) => {
          if (found.fingerprint === this.#certificate?.fingerprint) return;
          this.#certificate = found;
          this.#listener?.renew(found);
          this.#deps.log.info('the certificate was renewed');
        })
        .catch((error: unknown) =>
          this.#deps.log.error({ err: error }, 'the renewed certificate cannot be used'),
        )
        .finally(() => {
          if (this.#cancel) this.#followFiles({ cert, key });
        });
    });
  }
}

const REPLACED = said('certificate.replaced');

export interface AddressFacts {
  /** For partners; an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string | undefined;
  /** Without: no TLS, as only this computer can connect. */
  readonly certificate?: Pick<Certificate, 'fingerprint' | 'selfSigned'> | undefined;
  /** Seen at the public address, if known. */
  readonly presented?: Presented | undefined;
}

/**
 * Returns the address at which partners reach this node, and the certificate to pin: our own if self-signed and seen by
 * callers. Unknown counts as seen.
 */
export function partnerAddress(facts: AddressFacts): OwnAddress {
  const { host, port, publicUrl, certificate, presented } = facts;
  const listener = `${certificate ? 'https' : 'http'}://${host}:${port}/federation`;
  const pin = certificate?.selfSigned === true ? { certificate: certificate.fingerprint } : {};
  if (publicUrl === undefined || publicUrl === '') return { listener, ...pin };
  const isOurs = presented === undefined || presented.fingerprint === certificate?.fingerprint;
  return { listener, publicUrl, ...(publicUrl.startsWith('https:') && isOurs ? pin : {}) };
}
