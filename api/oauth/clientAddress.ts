import { BlockList, isIP } from 'node:net';

/** Networks that proxies of one's own stand in. */
const near = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  near.addSubnet(network, prefix, 'ipv4');
}
near.addAddress('::1', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');

/**
 * The address that a request came from. `forwardedFor`, the header that proxies add to, is believed from its end for as long as those
 * who say it are on a private network: the first that is not is the client.
 */
export function clientAddress(connection: string, forwardedFor: string): string {
  let address = plain(connection);
  for (const said of forwardedFor.split(',').reverse().map(plain)) {
    if (isIP(said) === 0 || !isNear(address)) break;
    address = said;
  }
  return address;
}

/** `::ffff:192.0.2.1` is 192.0.2.1. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

function isNear(address: string): boolean {
  return near.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
