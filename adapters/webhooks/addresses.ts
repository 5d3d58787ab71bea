import ipaddr from 'ipaddr.js';

/** Addresses of cloud-internal services that look public: Azure's host agent. */
const internalServices = new Set(['168.63.129.16']);

/** IPv6 global unicast addresses. All others are local, reserved, or contain an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The reason why an IP address is forbidden: "loopback", "private", … Null for an address of the public internet. All IPv6 addresses that
 * contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are forbidden, because they would bypass the check.
 */
export function forbiddenRange(address: string): string | null {
  if (!ipaddr.isValid(address)) return 'invalid';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return range;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return 'reserved';
  return internalServices.has(parsed.toString()) ? 'internal' : null;
}
