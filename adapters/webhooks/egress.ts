import { isIP } from 'node:net';
import { Refusal } from '../../billing/refusal.ts';
import { forbiddenRange } from './addresses.ts';

/** The request's address is forbidden. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

/** Host names and IP addresses, exactly as in URLs, that are exempt from the check of addresses. */
export type AllowedHosts = ReadonlySet<string>;

export function readAllowedHosts(hosts: Iterable<string>): AllowedHosts {
  return new Set(Array.from(hosts, hostOf));
}

/** Normalizes a host: lower case, no brackets, no final dot. */
export function hostOf(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}

/** The reason why a host can never be reached, whatever DNS says; null when that depends on its addresses. */
export function refusedHost(hostname: string, allowed: AllowedHosts): string | null {
  const host = hostOf(hostname);
  if (allowed.has(host)) return null;
  if (host === 'localhost' || host.endsWith('.localhost')) return `${host} is a loopback host`;
  const range = isIP(host) ? forbiddenRange(host) : null;
  return range && `${host} is not an address of the public internet (${range})`;
}

/**
 * Throws a Refusal naming `url` when webhooks can never be sent to it: wrong scheme, credentials, or a host that is not on the internet.
 */
export function checkUrl(text: string, environment: 'live' | 'sandbox', allowed: AllowedHosts): void {
  if (!URL.canParse(text)) throw new Refusal('URL must be absolute, such as https://example.com/webhooks', 'url');
  const url = new URL(text);
  const isAccepted = url.protocol === 'https:' || (environment === 'sandbox' && url.protocol === 'http:');
  if (!isAccepted)
    throw new Refusal(`URL must begin with https:// ${environment === 'sandbox' ? 'or http://' : 'in live'}`, 'url');
  if (url.username || url.password) throw new Refusal('URL must not contain a user name or password', 'url');
  const refused = refusedHost(url.hostname, allowed);
  if (refused) throw new Refusal(`URL is not allowed: ${refused}`, 'url');
}
