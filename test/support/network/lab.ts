import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/**
 * How an office reaches the internet: `public` without a router; behind a router with port-restricted cone NAT
 * (`cone`), symmetric NAT (`symmetric`) or UPnP, NAT-PMP and PCP (`upnp`); `carrier` and `upnp-carrier` behind a
 * carrier's symmetric NAT as well. `ipv6` and `ipv6-firewall` have no IPv4: without a router, and behind one that
 * lets no call in.
 */
export type RouterKind =
  'public' | 'cone' | 'symmetric' | 'carrier' | 'upnp' | 'upnp-carrier' | 'ipv6' | 'ipv6-firewall';
/** What the office's firewall lets out: everything, no UDP, only TCP to ports 80 and 443, or what its proxy sends. */
export type Firewall = 'open' | 'no-udp' | 'web-only' | 'proxy-only';

export interface OfficeOptions {
  readonly router: RouterKind;
  readonly firewall?: Firewall;
  /** Third number of its private network 192.168.x.0/24. Two offices may have the same. */
  readonly subnet?: number;
  /** The HTTP proxy at its router, and the variable by which the computer names it. */
  readonly proxy?: ProxyOptions;
}

export interface ProxyOptions {
  readonly software: 'tinyproxy' | 'squid';
  readonly variable: 'HTTPS_PROXY' | 'https_proxy' | 'ALL_PROXY';
  /** `user:password` that the proxy asks for. */
  readonly login?: string;
}

const INTERNET = '11.200.0';
const INTERNET_6 = '2a0a:200';
const MINIUPNPD = '/usr/sbin/miniupnpd';
let labs = 0;

/** Returns why networks cannot be built here, or undefined where they can. */
export function whyNoNetworks(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are a part of Linux';
  for (const command of ['ip', 'nft']) {
    if (spawnSync('sh', ['-c', `PATH=$PATH:/sbin:/usr/sbin command -v ${command}`]).status !== 0)
      return `the command ${command} is missing (Debian, Ubuntu: apt-get install iproute2 nftables)`;
  }
  const name = `fbtry${process.pid}`;
  const tried = run(`ip netns add ${name} && ip netns exec ${name} nft list ruleset && ip netns del ${name}`);
  return tried === undefined
    ? undefined
    : `network namespaces cannot be made: ${tried}. Run as root, or within\n` +
        "  unshare --user --map-root-user --net --mount sh -c 'mount -t tmpfs tmpfs /run && npx vitest run --project network'";
}

/** Returns whether a server's program is here, after its installation where that needs no question. */
export function obtain(name: string): boolean {
  if (['/usr/sbin', '/usr/bin'].some((folder) => existsSync(join(folder, name)))) return true;
  const script = `import { install } from './scripts/browser.mjs'; process.exit(install('${name}') ? 0 : 1);`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script]).status === 0;
}

/** Whether routers of kind `upnp` can be built. */
export const hasUpnp = (): boolean => existsSync(MINIUPNPD);

/** A program on a computer of a lab that prints one line of JSON for each thing that happens. */
export class LabProgram {
  readonly child: ChildProcess;
  private readonly events: Readonly<Record<string, unknown>>[] = [];
  private complaints = '';
  private taken = 0;
  /** Not `exitCode`: the last lines may arrive after the exit. */
  private hasClosed = false;

  constructor(child: ChildProcess) {
    this.child = child;
    child.once('close', () => (this.hasClosed = true));
    child.stderr?.on('data', (part: Buffer) => (this.complaints += part.toString()));
    if (child.stdout)
      createInterface(child.stdout).on('line', (line) => {
        if (line.startsWith('{')) this.events.push(z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
      });
  }

  /** Returns the next event of which `accept` is true; what came before it is passed over. */
  async next(
    accept: (event: Readonly<Record<string, unknown>>) => boolean = () => true,
  ): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const event = this.events[this.taken];
      if (event) {
        this.taken += 1;
        if (accept(event)) return event;
      } else if (this.hasClosed) {
        throw new Error(`The program ended. ${this.complaints}`);
      } else {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** Networks of a test's own: an internet, servers on it, and offices behind routers. Nothing leaves them. */
export class Lab {
  private readonly prefix = `fb${process.pid}n${++labs}`;
  private readonly children: ChildProcess[] = [];
  private readonly spaces: string[] = [];
  private readonly folder: string;
  /** The first numbers of the network behind each router. */
  private readonly networks = new Map<string, string>();
  private readonly onInternet = new Set<string>();
  /** Environment variables of one computer, or of all by an empty name. */
  private readonly variables = new Map<string, Record<string, string>>();
  /** Addresses on the internet. */
  private readonly addresses = new Map<string, string>();
  private hosts = 10;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Lab> {
    const lab = new Lab(await mkdtemp(join(tmpdir(), 'footbridge-lab-')));
    lab.addSpace('inet', true);
    lab.sh(
      `${lab.ip('inet')} link add br0 type bridge`,
      `${lab.ip('inet')} link set br0 up`,
      `${lab.ip('inet')} addr add ${INTERNET}.1/24 dev br0`,
      `${lab.ip('inet')} addr add ${INTERNET_6}::1/64 dev br0 nodad`,
      // Private addresses lead nowhere on the internet.
      ...['192.168.0.0/16', '10.0.0.0/8', '100.64.0.0/10', 'default'].map(
        (network) => `${lab.ip('inet')} route add blackhole ${network}`,
      ),
    );
    return lab;
  }

  /** Adds a computer on the internet, with IPv4 and IPv6; returns its address. */
  addServer(name: string, family: 4 | 6 = 4): string {
    this.addSpace(name);
    const address = this.connectToInternet(name, 'eth0');
    const address6 = this.connectToInternet6(name, 'eth0');
    return family === 4 ? address : address6;
  }

  /** Adds a computer in an office. */
  addOffice(name: string, options: OfficeOptions): void {
    this.addSpace(name);
    if (options.router === 'public') this.connectToInternet(name, 'eth0');
    else if (options.router === 'ipv6') this.connectToInternet6(name, 'eth0');
    else this.plug(name, this.addRouter(name, options));
  }

  /** Adds a computer in the network of another office, behind the router of that one. */
  addColleague(name: string, office: string): void {
    this.addSpace(name);
    this.plug(name, `r${office}`);
  }

  /** Takes a computer to a network of its own: it has another address and another router. */
  move(name: string, options: OfficeOptions): void {
    this.sh(`${this.ip(name)} link del eth0`);
    this.plug(name, this.addRouter(`${name}home`, options));
  }

  private addRouter(
    name: string,
    { router, firewall = 'open', subnet = ++this.hosts }: OfficeOptions,
  ): string {
    const home = `r${name}`;
    this.addSpace(home, true);
    this.sh(`${this.ip(home)} link add lan type bridge`, `${this.ip(home)} link set lan up`);
    if (router === 'ipv6-firewall') {
      this.routeNetwork6(home, subnet);
      return home;
    }
    if (router === 'carrier' || router === 'upnp-carrier') {
      const carrier = `c${name}`;
      this.addSpace(carrier, true);
      this.connectToInternet(carrier, 'wan');
      this.join(home, 'wan', carrier, 'lan');
      this.sh(
        `${this.ip(home)} addr add 100.64.0.2/24 dev wan`,
        `${this.ip(carrier)} addr add 100.64.0.1/24 dev lan`,
        `${this.ip(home)} route add default via 100.64.0.1`,
      );
      this.translate(carrier, true);
    } else {
      this.connectToInternet(home, 'wan');
    }
    this.sh(`${this.ip(home)} addr add 192.168.${subnet}.1/24 dev lan`);
    this.networks.set(home, `192.168.${subnet}`);
    this.translate(home, router === 'symmetric', firewall);
    return home;
  }

  /** Connects a computer to the network behind a router. */
  private plug(name: string, router: string): void {
    const far = `l${++this.hosts}`;
    this.join(name, 'eth0', router, far);
    const network = this.networks.get(router) ?? '';
    const [address, gateway, rest] = network.includes(':')
      ? [`${network}::${this.hosts}/64`, `${network}::1`, 'nodad']
      : [`${network}.${this.hosts}/24`, `${network}.1`, ''];
    this.sh(
      `${this.ip(router)} link set ${far} master lan`,
      `${this.ip(name)} addr add ${address} dev eth0 ${rest}`,
      `${this.ip(name)} route add default via ${gateway}`,
    );
  }

  /** Starts the router's service that maps ports, for the kinds `upnp` and `upnp-carrier`. */
  async startUpnp(office: string, { upnpOnly = false } = {}): Promise<void> {
    const home = `r${office}`;
    const config = join(this.folder, `${home}.conf`);
    await writeFile(
      config,
      `ext_ifname=wan\nlistening_ip=lan\nenable_natpmp=${upnpOnly ? 'no' : 'yes'}\nenable_upnp=yes\nsecure_mode=yes\nhttp_port=5000\n` +
        `uuid=5e0c3f2a-9b1d-4c57-8a43-2f0d6c1b7e90\nmin_lifetime=120\nmax_lifetime=86400\n` +
        `upnp_table_name=filter\nupnp_nat_table_name=filter\nupnp_forward_chain=upnp_forward\n` +
        `upnp_nat_chain=upnp_dnat\nupnp_nat_postrouting_chain=upnp_snat\n` +
        `allow 1024-65535 0.0.0.0/0 1024-65535\ndeny 0-65535 0.0.0.0/0 0-65535\n`,
    );
    this.sh(`${this.ip(home)} route add 239.0.0.0/8 dev lan`);
    this.start(home, MINIUPNPD, ['-f', config, '-P', join(this.folder, `${home}.pid`), '-d']);
  }

  /** Starts the HTTP proxy of an office at its router, and has the office's computer name it. */
  async startProxy(office: string, { software, variable, login }: ProxyOptions): Promise<void> {
    const home = `r${office}`;
    const host = `${this.networks.get(home) ?? ''}.1`;
    const config = join(this.folder, `${home}-proxy.conf`);
    const users = join(this.folder, `${home}-users`);
    const [user = '', password = ''] = login?.split(':') ?? [];
    let command: string[];
    if (software === 'tinyproxy') {
      const auth = login === undefined ? '' : `BasicAuth ${user} ${password}\n`;
      await writeFile(
        config,
        `Port 3128\nListen ${host}\nTimeout 600\nConnectPort 443\nDisableViaHeader Yes\n${auth}`,
      );
      command = ['tinyproxy', '-d', '-c', config];
    } else {
      const hash = spawnSync('openssl', ['passwd', '-1', password], { encoding: 'utf8' }).stdout.trim();
      await writeFile(users, `${user}:${hash}\n`);
      // Squid reads it as a user of its own.
      await chmod(this.folder, 0o755);
      const allowed =
        login === undefined
          ? 'http_access allow localnet\n'
          : `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${users}\nacl known proxy_auth REQUIRED\nhttp_access allow known\n`;
      await writeFile(
        config,
        `http_port ${host}:3128\nacl localnet src 192.168.0.0/16\nacl SSL_ports port 443\n` +
          `http_access deny CONNECT !SSL_ports\n${allowed}http_access deny all\n` +
          `cache deny all\naccess_log none\ncache_log /dev/null\nnetdb_filename none\npinger_enable off\n` +
          `pid_filename none\ncoredump_dir none\nshutdown_lifetime 1 second\n`,
      );
      command = ['squid', '-N', '-d1', '-n', this.prefix, '-f', config];
    }
    const credentials = login === undefined ? '' : `${login}@`;
    this.setVariables({ [variable]: `http://${credentials}${host}:3128` }, office);
    await this.startServer(home, [host, 3_128], command);
  }

  /** Gives programs that start from now on, on one computer or all, these environment variables. */
  setVariables(variables: Record<string, string>, place = ''): void {
    this.variables.set(place, { ...this.variables.get(place), ...variables });
  }

  /** Starts a server on a computer and waits until it listens. @throws Error with what it said if it doesn't */
  async startServer(
    place: string,
    [host, port]: readonly [string, number],
    command: readonly string[],
  ): Promise<LabProgram> {
    const [file = '', ...args] = command;
    const server = this.start(place, file, args);
    const call = `const call = () => require('net').connect(${port}, '${host}').on('connect', () => console.log('{}')).on('error', () => setTimeout(call, 50)); call();`;
    const caller = this.start(place, process.execPath, ['-e', call]);
    await Promise.race([
      caller.next(),
      server.next().catch((error: unknown) => {
        throw new Error(`${file} does not run: ${String(error)}`);
      }),
    ]);
    await caller.stop();
    return server;
  }

  /** Gives the router of an office another address on the internet; nothing comes from the old one or gets there. */
  changeAddress(office: string): void {
    const space = this.gatewayOf(office);
    const address = `${INTERNET}.${++this.hosts}`;
    const at = this.ip(space);
    const port = space === office ? 'eth0' : 'wan';
    const old = this.addresses.get(space) ?? '';
    this.addresses.set(space, address);
    this.sh(
      // Routers keep connections in their tables, and the address of a neighbour for a while.
      `${this.exec('inet')} nft -f - <<'RULES'
      table bridge gone {
        chain forward { type filter hook forward priority 0; }
      }
      add rule bridge gone forward ip saddr ${old} drop
      add rule bridge gone forward ip daddr ${old} drop
RULES`,
      `${at} addr flush dev ${port}`,
      `${at} addr add ${address}/24 dev ${port}`,
      `${at} route replace default via ${INTERNET}.1`,
    );
  }

  /** Gives a computer one more address, by which it sees that its network changed. */
  changeNetwork(name: string): void {
    this.sh(`${this.ip(name)} addr add 10.9.8.${++this.hosts}/32 dev eth0`);
  }

  /** Lets nothing pass between two addresses on the internet, as a fault at a provider does. Returns the way to mend it. */
  cut(one: string, other: string): () => void {
    const addressOf = (office: string): string => this.addresses.get(this.gatewayOf(office)) ?? '';
    const [from, to] = [addressOf(one), addressOf(other)];
    const table = `cut${++this.hosts}`;
    this.sh(
      `${this.exec('inet')} nft -f - <<'RULES'
      table bridge ${table} {
        chain forward {
          type filter hook forward priority 0
          ip saddr ${from} ip daddr ${to} drop
          ip saddr ${to} ip daddr ${from} drop
        }
      }
RULES`,
    );
    return () => this.sh(`${this.exec('inet')} nft delete table bridge ${table}`);
  }

  /** Has the router of an office forget all connections: nothing passes over them any more, while new ones open. */
  forgetConnections(office: string): void {
    const listed = spawnSync('ip', ['netns', 'exec', this.name(office), 'ss', '-Htn'], { encoding: 'utf8' });
    const ports = [...listed.stdout.matchAll(/ (?!127\.)[\d.]+:(\d+) +\S+ *$/gm)]
      .map(([, port]) => port)
      .join();
    this.sh(
      `${this.exec(`r${office}`)} nft -f - <<'RULES'
      table ip forgotten${++this.hosts} {
        chain forward {
          type filter hook forward priority -10
          iifname "lan" tcp sport { ${ports} } drop
          oifname "lan" tcp dport { ${ports} } drop
        }
      }
RULES`,
    );
  }

  /** The place that has the address of an office on the internet. */
  private gatewayOf(office: string): string {
    return [`c${office}`, `r${office}`].find((name) => this.spaces.includes(name)) ?? office;
  }

  /** Bytes that a computer has sent and received at its network interface. */
  bytesOf(name: string): number {
    const counters = ['rx', 'tx'].map((way) => `/sys/class/net/eth0/statistics/${way}_bytes`);
    const read = spawnSync('ip', ['netns', 'exec', this.name(name), 'cat', ...counters], {
      encoding: 'utf8',
    });
    return read.stdout
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0);
  }

  /** Starts a program on a computer of this lab; it ends with the lab. */
  start(place: string, command: string, args: readonly string[]): LabProgram {
    const child = spawn('ip', ['netns', 'exec', this.name(place), command, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...this.variables.get(''), ...this.variables.get(place) },
    });
    this.children.push(child);
    return new LabProgram(child);
  }

  async close(): Promise<void> {
    for (const child of this.children)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    for (const space of this.spaces) run(`ip netns del ${this.name(space)}`);
    // Squid leaves its shared memory when it is killed.
    run(`rm -f /dev/shm/${this.prefix}-*`);
    await rm(this.folder, { recursive: true, force: true });
  }

  private addSpace(name: string, isRouter = false): void {
    this.spaces.push(name);
    this.sh(
      `ip netns add ${this.name(name)}`,
      `${this.ip(name)} link set lo up`,
      `${this.exec(name)} sysctl -qw net.ipv4.ip_forward=${isRouter ? 1 : 0} net.ipv6.conf.all.forwarding=${isRouter ? 1 : 0}`,
    );
  }

  private connectToInternet(place: string, port: string): string {
    const address = `${INTERNET}.${++this.hosts}`;
    this.joinInternet(place, port);
    this.addresses.set(place, address);
    this.sh(
      `${this.ip(place)} addr add ${address}/24 dev ${port}`,
      `${this.ip(place)} route add default via ${INTERNET}.1`,
    );
    return address;
  }

  private connectToInternet6(place: string, port: string): string {
    const address = `${INTERNET_6}::${++this.hosts}`;
    this.joinInternet(place, port);
    this.sh(
      `${this.ip(place)} addr add ${address}/64 dev ${port} nodad`,
      `${this.ip(place)} route add default via ${INTERNET_6}::1`,
    );
    return address;
  }

  private joinInternet(place: string, port: string): void {
    const far = `p${this.spaces.indexOf(place)}`;
    if (this.onInternet.has(place)) return;
    this.onInternet.add(place);
    this.join(place, port, 'inet', far);
    this.sh(`${this.ip('inet')} link set ${far} master br0`);
  }

  /** Gives a router a network of IPv6 behind it, into which it lets nothing that was not asked for. */
  private routeNetwork6(router: string, subnet: number): void {
    const network = `${INTERNET_6}:${subnet}:1`;
    const address = this.connectToInternet6(router, 'wan');
    this.networks.set(router, network);
    this.sh(
      `${this.ip(router)} addr add ${network}::1/64 dev lan nodad`,
      `${this.ip('inet')} route add ${network}::/64 via ${address}`,
      `${this.exec(router)} nft -f - <<'RULES'
      table inet filter {
        chain forward {
          type filter hook forward priority 0
          iifname "wan" ct state new drop
        }
      }
RULES`,
    );
  }

  private join(one: string, port: string, other: string, far: string): void {
    this.sh(
      `ip link add ${port} netns ${this.name(one)} type veth peer name ${far} netns ${this.name(other)}`,
      `${this.ip(one)} link set ${port} up`,
      `${this.ip(other)} link set ${far} up`,
    );
  }

  /** Translates addresses from `lan` to `wan`, lets nothing in that was not asked for, and keeps to the firewall. */
  private translate(router: string, isSymmetric: boolean, firewall: Firewall = 'open'): void {
    const blocked = {
      open: '',
      'no-udp': 'iifname "lan" meta l4proto udp drop',
      'web-only':
        'iifname "lan" meta l4proto udp drop; iifname "lan" ct state new tcp dport != { 80, 443 } drop',
      'proxy-only': 'iifname "lan" drop',
    }[firewall];
    const rules = `
      table inet filter {
        chain upnp_forward { }
        chain upnp_dnat { }
        chain upnp_snat { }
        chain in_port { type nat hook prerouting priority dstnat; jump upnp_dnat; }
        chain out_port {
          type nat hook postrouting priority srcnat; jump upnp_snat
          oifname "wan" masquerade ${isSymmetric ? 'fully-random' : ''}
        }
        chain input { type filter hook input priority 0; iifname "wan" ct state new meta l4proto != icmp drop; }
        chain forward {
          type filter hook forward priority 0
          ${blocked}
          jump upnp_forward
          iifname "wan" ct state new ct status & dnat != dnat drop
        }
      }`;
    this.sh(`${this.exec(router)} nft -f - <<'RULES'\n${rules}\nRULES`);
  }

  private name(space: string): string {
    return `${this.prefix}-${space}`;
  }
  private ip(space: string): string {
    return `ip -n ${this.name(space)}`;
  }
  private exec(space: string): string {
    return `ip netns exec ${this.name(space)}`;
  }
  private sh(...lines: readonly string[]): void {
    const problem = run(lines.join('\n'));
    if (problem !== undefined) throw new Error(`The network cannot be built: ${problem}`);
  }
}

/** Runs lines of a shell; returns what it said where one failed. */
function run(script: string): string | undefined {
  const { status, stderr } = spawnSync('sh', ['-e', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/sbin:/usr/sbin` },
  });
  return status === 0 ? undefined : stderr.trim().slice(0, 500);
}
