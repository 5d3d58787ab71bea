import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { forbiddenRange } from './addresses.ts';
import { type AllowedHosts, EgressRefused, hostOf, refusedHost } from './egress.ts';

const connectTimeoutMilliseconds = 10_000;

/**
 * A connector for undici that connects only to permitted addresses. Names are resolved and checked here, and the connection uses the checked
 * addresses, so that DNS cannot return other addresses in between (DNS rebinding). It fails with EgressRefused for a forbidden address.
 */
export function createConnector(allowed: AllowedHosts, nameservers?: string[]): buildConnector.connector {
  const connect = buildConnector({ timeout: connectTimeoutMilliseconds, lookup: createLookup(allowed, nameservers) });
  return (options, callback) => {
    // There is no look-up for an IP address in a URL, so it is checked here.
    const refused = refusedHost(options.hostname, allowed);
    if (refused) setImmediate(() => callback(new EgressRefused(refused), null));
    else connect(options, callback);
  };
}

/**
 * A look-up that returns only permitted addresses. It asks DNS servers directly, because the system's resolver occupies one of four threads
 * while a name server does not answer. Allowed hosts use the system's resolver, which reads the hosts file, too.
 */
export function createLookup(allowed: AllowedHosts, nameservers?: string[]): LookupFunction {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (nameservers) resolver.setServers(nameservers);
  return (hostname, options, callback) => {
    if (allowed.has(hostOf(hostname))) {
      systemLookup(hostname, options, callback);
      return;
    }
    resolvePublic(resolver, hostname).then(
      ([first, ...rest]) =>
        options.all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family),
      (error: Error) => callback(error, []),
    );
  };
}

/** The public addresses of a name, IPv4 first. Throws the error of DNS if it has no addresses, EgressRefused if all are forbidden. */
async function resolvePublic(resolver: Resolver, hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  const [first, ...rest] = found.filter(({ address }) => !forbiddenRange(address));
  if (first) return [first, ...rest];
  const ranges = new Set(found.map(({ address }) => forbiddenRange(address)));
  throw new EgressRefused(`${hostname} has no address of the public internet (${[...ranges].join(', ')})`);
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
