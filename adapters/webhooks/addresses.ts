import ipaddr from 'ipaddr.js';

/** Cloud services that answer at addresses which look public: Azure's host agent. */
const internalServices = new Set(['168.63.129.16']);

/** Addresses of today's global unicast; what lies outside is local, reserved or carries an IPv4 address inside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * What forbids connecting to an IP address ("loopback", "private", …), null for an ordinary address of the internet.
 * IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are all forbidden: they are ways around the check.
 */
export function forbiddenRange(address: string): string | null {
  if (!ipaddr.isValid(address)) return 'invalid';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return range;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return 'reserved';
  return internalServices.has(parsed.toString()) ? 'internal' : null;
}
