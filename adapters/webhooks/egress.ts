import { isIP } from 'node:net';
import type { Environment } from '../../billing/environments.ts';
import { Refusal } from '../../billing/refusal.ts';
import { forbiddenRange } from './addresses.ts';

/** The address of the request is forbidden. The message names the reason. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

/** Host names and IP addresses that are exempt from the address check, as they appear in URLs. */
export type AllowedHosts = ReadonlySet<string>;

export function readAllowedHosts(hosts: Iterable<string>): AllowedHosts {
  return new Set(Array.from(hosts, hostOf));
}

/** Normalizes a host name: lower case, no brackets, no final dot. */
export function hostOf(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}

/** The reason why webhooks may never be sent to a host, whatever its DNS records. Null if that depends on its addresses. */
export function refusedHost(hostname: string, allowed: AllowedHosts): string | null {
  const host = hostOf(hostname);
  if (allowed.has(host)) return null;
  if (host === 'localhost' || host.endsWith('.localhost')) return `${host} is a loopback host`;
  const range = isIP(host) ? forbiddenRange(host) : null;
  return range && `${host} is not an address of the public internet (${range})`;
}

/**
 * Throws a Refusal for the field `url` when webhooks can never be sent to a URL: wrong scheme, credentials, or a host that is not on the
 * internet.
 */
export function checkUrl(text: string, environment: Environment, allowed: AllowedHosts): void {
  if (!URL.canParse(text))
    throw new Refusal('parameter_invalid', 'URL must be absolute, such as https://example.com/webhooks', 'url');
  const url = new URL(text);
  const isAccepted = url.protocol === 'https:' || (environment === 'sandbox' && url.protocol === 'http:');
  if (!isAccepted)
    throw new Refusal(
      'parameter_invalid',
      `URL must begin with https:// ${environment === 'sandbox' ? 'or http://' : 'in live'}`,
      'url',
    );
  if (url.username || url.password)
    throw new Refusal('parameter_invalid', 'URL must not contain a user name or password', 'url');
  const refused = refusedHost(url.hostname, allowed);
  if (refused) throw new Refusal('parameter_invalid', `URL is not allowed: ${refused}`, 'url');
}
