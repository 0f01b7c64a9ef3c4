import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lab, LabProgram } from './lab.ts';

export type ReverseProxyKind = 'nginx' | 'haproxy';

/**
 * Starts a reverse proxy on 443 with the lines that docs/relay.md gives and a certificate of a private authority. Before
 * HAProxy all computers of the lab trust the authority from now on; for nginx offices need the returned pin.
 */
export async function startReverseProxy(
  lab: Lab,
  kind: ReverseProxyKind,
  { place, host, folder }: { readonly place: string; readonly host: string; readonly folder: string },
): Promise<{ readonly program: LabProgram; readonly pin: string | undefined }> {
  const pin = makeCertificate(folder, host);
  if (kind === 'haproxy') lab.setVariables({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
  const lines = await documentedLines(kind);
  const config = join(folder, kind);
  const pem = join(folder, 'host.pem');
  await writeFile(
    config,
    kind === 'nginx'
      ? `error_log stderr; pid ${join(folder, 'nginx.pid')};
events {}
http {
  access_log off;
  server {
    listen 443 ssl; listen [::]:443 ssl;
    ssl_certificate ${pem}; ssl_certificate_key ${pem};
    location / { return 404; }
    ${lines}
  }
}`
      : `defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
${lines.replace(/crt \S+/, `crt ${pem}`)}
backend website
  http-request deny deny_status 404
`,
  );
  const command =
    kind === 'nginx'
      ? ['/usr/sbin/nginx', '-c', config, '-g', 'daemon off;']
      : ['/usr/sbin/haproxy', '-W', '-db', '-f', config];
  const program = await lab.startServer(place, [host, 443], command);
  return { program, pin: kind === 'nginx' ? pin : undefined };
}

/** Has a reverse proxy read its configuration again. */
export const reload = ({ child }: LabProgram): boolean =>
  child.kill(child.spawnargs.some((arg) => arg.endsWith('/nginx')) ? 'SIGHUP' : 'SIGUSR2');

/** Returns the block in docs/relay.md for this software. */
async function documentedLines(kind: ReverseProxyKind): Promise<string> {
  const page = await readFile('docs/relay.md', 'utf8');
  const lines = new RegExp(`\n\`\`\`${kind}\n([^]*?)\n\`\`\`\n`).exec(page)?.[1];
  if (lines === undefined) throw new Error(`docs/relay.md has no lines for ${kind}`);
  return lines;
}

/** Makes a private authority and a certificate by it for this address; returns the certificate's pin. */
function makeCertificate(folder: string, host: string): string {
  const script = `cd ${folder}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=Private authority" -keyout ca.key -out ca.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=relay" -keyout host.key -out host.csr
echo "subjectAltName=IP:${host}" > host.ext
openssl x509 -req -in host.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile host.ext -out host.crt
cat host.crt ca.pem host.key > host.pem
openssl x509 -in host.crt -noout -fingerprint -sha256`;
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`no certificate: ${stderr}`);
  return (stdout.trim().split('=').at(-1) ?? '').replaceAll(':', '').toLowerCase();
}
