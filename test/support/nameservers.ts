import { type NamedRecords, type Nameserver, startNameserver } from '../adapters/nameserver.ts';

/** A server of DNS that nothing answers: the port of "discard". */
export const NO_NAMESERVER = '127.0.0.1:9';

export interface KeyServer extends Nameserver {
  /** Sets the records of a name; null: there is no such name. */
  publish(name: string, records: NamedRecords | null): void;
}

/** A DNS server whose records a test publishes. */
export async function startKeyServer(): Promise<KeyServer> {
  const published = new Map<string, NamedRecords>();
  const server = await startNameserver((name) => published.get(name) ?? null);
  return {
    ...server,
    publish: (name, records) => void (records ? published.set(name, records) : published.delete(name)),
  };
}
