import type { Logger } from 'pino';
import type { OwnAddress } from '../federation/ports.ts';
import { isLoopbackHost, LOOPBACK } from '../base/loopback.ts';
import { certificateFiles, ownCertificate, type Certificate } from '../http/listeners/certificate.ts';
import type { Listener } from '../http/listeners/listen.ts';
import { hostsOf } from '../http/listeners/own-address.ts';
import { partnerAddress } from '../http/listeners/partner-address.ts';
import { presentedCertificate, type Presented } from '../app/presented-certificate.ts';
import type { Clock } from '../base/clock.ts';
import { english, said, type Words } from '../words/said.ts';

/** Certificate files of the user's own, as PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Where partners reach this node, and how it proves itself to them (docs/architecture.md: The two listeners;
 * docs/pairing.md: The invite).
 */
export interface NodeAddress {
  /**
   * What a listener on `host` is to show; undefined for this computer's own loopback, where nobody listens in.
   * @throws CertificateError for configured files that cannot be used
   */
  certificateFor(host: string): Promise<Certificate | undefined>;
  /** Told where the federation listener is, whenever it opens. */
  opened(listener: Listener): void;
  /** As partners are told as of now. */
  own(publicUrl: string): OwnAddress;
  /** Looks which certificate callers of the public address see; invites made later go by it. */
  look(publicUrl: string): Promise<void>;
  /** Plain words for the user when the node's own certificate was damaged and made anew. */
  readonly notice: { readonly at: string; readonly message: Words } | undefined;
  close(): void;
}

const LOOK_MS = 3_000;
const FILES_LOOKED_AT_EVERY = 3_600_000;

export function createNodeAddress(deps: {
  readonly dataDir: string;
  readonly files: CertificateFiles | undefined;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}): NodeAddress {
  const { dataDir, files, clock, log } = deps;
  let listener: Listener | undefined;
  let certificate: Certificate | undefined;
  let presented: { readonly url: string; readonly found: Presented | undefined } | undefined;
  let notice: NodeAddress['notice'];
  let cancel: (() => void) | undefined;

  /** Authorities' certificates are renewed every few months, by programs that know nothing of us. */
  function followFiles({ cert, key }: CertificateFiles): void {
    cancel?.();
    cancel = clock.after(FILES_LOOKED_AT_EVERY, () => {
      certificateFiles(cert, key)
        .then((found) => {
          if (found.fingerprint === certificate?.fingerprint) return;
          certificate = found;
          listener?.renew(found);
          log.info('the certificate was renewed');
        })
        .catch((error: unknown) => log.error({ err: error }, 'the renewed certificate cannot be used'))
        .finally(() => {
          if (cancel) followFiles({ cert, key });
        });
    });
  }

  return {
    async certificateFor(host) {
      certificate = undefined;
      if (isLoopbackHost(host)) return undefined;
      certificate = await (files ? certificateFiles(files.cert, files.key) : ownCertificate(dataDir, clock));
      if (files) followFiles(files);
      if (certificate.replaced) {
        notice = { at: new Date(clock.now()).toISOString(), message: REPLACED };
        log.warn(english(REPLACED));
      }
      return certificate;
    },
    opened(opened) {
      listener = opened;
    },
    own(publicUrl) {
      const { host = LOOPBACK, port = 0 } = listener ?? {};
      return partnerAddress({
        host: hostsOf(host)[0] ?? LOOPBACK,
        port,
        publicUrl,
        certificate,
        presented: presented?.url === publicUrl ? presented.found : undefined,
      });
    },
    async look(publicUrl) {
      if (!certificate || !publicUrl.startsWith('https:')) return;
      presented = { url: publicUrl, found: await presentedCertificate(new URL(publicUrl), LOOK_MS) };
    },
    get notice() {
      return notice;
    },
    close() {
      cancel?.();
      cancel = undefined;
    },
  };
}

const REPLACED = said('certificate.replaced');
