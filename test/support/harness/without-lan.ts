import { syncBuiltinESMExports } from 'node:module';
import { BlockList } from 'node:net';
import os from 'node:os';

const privateNetworks = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(net, bits);
privateNetworks.addSubnet('fc00::', 7, 'ipv6');

const { networkInterfaces } = os;

/** Returns this computer's addresses without those of a private network. */
const networkInterfacesWithoutLan = (): ReturnType<typeof networkInterfaces> =>
  Object.fromEntries(
    Object.entries(networkInterfaces()).map(([name, addresses = []]) => [
      name,
      addresses.filter(
        ({ address, family, internal }) =>
          internal || !privateNetworks.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4'),
      ),
    ]),
  );

// In a private network the offices of a test would find a further way to each other. Files that share a process come
// here one after the other.
if (networkInterfaces.name !== networkInterfacesWithoutLan.name) {
  os.networkInterfaces = networkInterfacesWithoutLan;
  syncBuiltinESMExports();
}
