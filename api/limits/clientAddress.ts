import { BlockList, isIP } from 'node:net';

/** The proxies that are trusted by default. */
const LOOPBACK = ['127.0.0.0/8', '::1'];

/** Parses addresses and networks of trusted proxies, such as `10.0.0.0/8` and `::1`. */
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
 * The address of a request's client. Each proxy appends an address to `forwardedFor`, so it is read from the end for as long as the proxy
 * that appended is trusted. The first address that is not a trusted proxy is the client.
 */
export function clientAddress(connection: string, forwardedFor: string, trusted: BlockList): string {
  let address = plain(connection);
  for (const said of forwardedFor.split(',').reverse().map(plain)) {
    if (isIP(said) === 0 || !trusted.check(address, familyOf(address))) break;
    address = said;
  }
  return address;
}

const loopback = proxiesOf();

/** Whether a host name or an address leads to this machine itself. */
export function isLoopback(host: string): boolean {
  const address = plain(host).replace(/^\[(.*)\]$/, '$1');
  return address === 'localhost' || (isIP(address) !== 0 && loopback.check(address, familyOf(address)));
}

/** The network that counts as one visitor: an IPv4 address, or the /64 network of an IPv6 address, because one client has all of it. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const written = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array(8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/** Converts an IPv4-mapped address: `::ffff:192.0.2.1` becomes `192.0.2.1`. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
