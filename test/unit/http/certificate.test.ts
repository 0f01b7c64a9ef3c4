import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  readCertificateFiles,
  CertificateError,
  ownCertificate,
} from '../../../server/http/listeners/certificate.ts';
import { systemClock } from '../../../server/base/clock.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footbridge-certificate-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('the node’s own certificate', () => {
  it('is made once and stays the same, as partners pin it', async () => {
    const first = await ownCertificate(dir, systemClock);
    const again = await ownCertificate(dir, systemClock);
    expect(again).toEqual(first);
    expect(first.replaced).toBeUndefined();
    expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it('outlives the pairings, is self-signed, and tells nothing about the office', async () => {
    const { cert, selfSigned } = await ownCertificate(dir, systemClock);
    const parsed = new X509Certificate(cert);
    expect(selfSigned).toBe(true);
    expect(parsed.subject).toBe('CN=Footbridge');
    expect(Date.parse(parsed.validTo) - Date.now()).toBeGreaterThan(10 * 365 * 86_400_000);
    expect(Date.parse(parsed.validFrom)).toBeLessThan(Date.now());
    expect(parsed.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(parsed.ca).toBe(false);
  });

  it('differs from node to node', async () => {
    const other = await mkdtemp(join(tmpdir(), 'footbridge-certificate-'));
    const [mine, theirs] = [await ownCertificate(dir, systemClock), await ownCertificate(other, systemClock)];
    await rm(other, { recursive: true });
    expect(mine.fingerprint).not.toBe(theirs.fingerprint);
    expect(new X509Certificate(mine.cert).serialNumber).not.toBe(
      new X509Certificate(theirs.cert).serialNumber,
    );
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only', async () => {
    await ownCertificate(dir, systemClock);
    expect((await stat(join(dir, 'keys', 'tls.pem'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, 'keys'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(dir, 'keys'))).toEqual(['tls.pem']);
  });

  it('R3: a damaged one is put aside, and its replacement says so', async () => {
    const first = await ownCertificate(dir, systemClock);
    const file = join(dir, 'keys', 'tls.pem');
    const whole = await readFile(file, 'utf8');
    for (const damaged of ['', '\0'.repeat(400), whole.slice(0, 300), whole.replace(/[A-Z]{4}/, 'AAAA')]) {
      await writeFile(file, damaged);
      const next = await ownCertificate(dir, systemClock);
      expect(next.replaced).toBe(true);
      expect(next.fingerprint).not.toBe(first.fingerprint);
    }
    expect(
      (await readdir(join(dir, 'keys'))).filter((name) => name.includes('damaged')).length,
    ).toBeGreaterThan(0);
  });
});

describe('certificate files of the user’s own', () => {
  it('are taken when they belong together, from one file or two', async () => {
    const own = await ownCertificate(dir, systemClock);
    const file = join(dir, 'keys', 'tls.pem');
    expect(await readCertificateFiles(file, file)).toMatchObject({ fingerprint: own.fingerprint });
  });

  it('are refused plainly when they are missing, no certificate, or strangers to each other', async () => {
    const other = await mkdtemp(join(tmpdir(), 'footbridge-certificate-'));
    await ownCertificate(dir, systemClock);
    await ownCertificate(other, systemClock);
    const [mine, theirs] = [join(dir, 'keys', 'tls.pem'), join(other, 'keys', 'tls.pem')];
    await writeFile(join(dir, 'text.pem'), 'hello');
    await expect(readCertificateFiles(join(dir, 'none.pem'), mine)).rejects.toThrow(/cannot be read/);
    await expect(readCertificateFiles(join(dir, 'text.pem'), mine)).rejects.toThrow(
      /are not a certificate and its key/,
    );
    await expect(readCertificateFiles(mine, theirs)).rejects.toBeInstanceOf(CertificateError);
    await rm(other, { recursive: true });
  });
});
