import { BlockList, isIP } from 'node:net';

/** The proxies that are believed where nothing else is said. */
const LOOPBACK = ['127.0.0.0/8', '::1'];

/** Proxies of one's own, from addresses and networks: `10.0.0.0/8`, `::1`. */
export function proxiesOf(networks: readonly string[] = LOOPBACK): BlockList {
  const proxies = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    proxies.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return proxies;
}

/**
 * The address that a request came from. `forwardedFor`, the header that proxies add to, is believed from its end for as long as those
 * who say it are trusted: the first that is not is the client.
 */
export function clientAddress(connection: string, forwardedFor: string, trusted: BlockList): string {
  let address = plain(connection);
  for (const said of forwardedFor.split(',').reverse().map(plain)) {
    if (isIP(said) === 0 || !trusted.check(address, familyOf(address))) break;
    address = said;
  }
  return address;
}

/** What is counted as one place: an address, of version 6 the /64 that one client has whole. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const written = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array(8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/** `::ffff:192.0.2.1` is 192.0.2.1. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
