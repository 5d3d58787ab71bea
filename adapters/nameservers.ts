import { Resolver } from 'node:dns/promises';
import type { TextAnswer } from '../billing/mail/mailSender.ts';
import type { Nameservers } from '../commands/ports/ports.ts';

export interface NameserversOptions {
  /** Addresses of the servers, each with its port if it is not 53; empty: those of the system. */
  servers: readonly string[];
  /** Timeout of one question in total. Default: 5,000. */
  timeoutMilliseconds?: number;
}

/** Error codes by which DNS says that a name has no such records. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks DNS servers directly. A server that does not answer holds up nothing else. */
export function createNameservers({ servers, timeoutMilliseconds = 5000 }: NameserversOptions): Nameservers {
  return {
    async readTexts(name): Promise<TextAnswer> {
      const resolver = new Resolver({ timeout: 2000, tries: 2 });
      if (servers.length > 0) resolver.setServers(servers);
      const timeout = setTimeout(() => resolver.cancel(), timeoutMilliseconds);
      try {
        const records = await resolver.resolveTxt(name);
        return { texts: records.map((parts) => parts.join('')) };
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        return NONE.has(code) ? { texts: [] } : { failure: WORDS[code] ?? code };
      } finally {
        clearTimeout(timeout);
      }
    },
  };
}

const WORDS: Readonly<Record<string, string>> = {
  ECANCELLED: 'the DNS servers took too long',
  ETIMEOUT: 'the DNS servers took too long',
  ESERVFAIL: 'the DNS servers failed',
  EREFUSED: 'the DNS servers refused to answer',
  ECONNREFUSED: 'the DNS servers cannot be reached',
};
