import { createServer, connect as open, type Socket } from 'node:net';
import type { DatabaseUrls } from '../../adapters/databaseLogins.ts';
import { listen, portOf } from './listen.ts';

/** What a proxy in front of PostgreSQL does with its connections. `hang`: it takes everything and passes nothing on. */
type Mode = 'pass' | 'refuse' | 'hang';

/**
 * A moment at which a connection is lost: when PostgreSQL is sent this command, before it arrives there or before the answer that it is complete
 * does. `unanswered`: it stays open, and no answer arrives any more.
 */
interface Loss {
  text: string;
  when: 'before' | 'after' | 'unanswered';
}

export interface DatabaseProxy {
  /** Connection URLs that lead through the proxy. */
  urls: DatabaseUrls;
  be(mode: Mode): void;
  /** Loses the next connection that sends this text. */
  loseAt(loss: Loss): void;
  /** Number of connections so far. */
  opened(): number;
  /** How often a connection was sent something after an answer. */
  trips(): number;
  close(): Promise<void>;
}

/** Starts a proxy in front of the database of these URLs. */
export async function startDatabaseProxy(behind: DatabaseUrls): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(behind.app);
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: Mode = 'pass';
  let loss: Loss | null = null;
  let opened = 0;
  let trips = 0;
  const server = createServer((client) => {
    opened += 1;
    if (mode === 'refuse') return void client.destroy();
    const database = open(Number(port), hostname);
    const pair = [client, database] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const side of pair) side.destroy();
    };
    let lost: Loss | null = null;
    let isAnswered = true;
    for (const side of pair) side.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (isAnswered) trips += 1;
      isAnswered = false;
      if (loss && bytes.includes(loss.text)) {
        lost = loss;
        if (loss.when === 'before') end();
        loss = null;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      isAnswered = true;
      if (!lost) client.write(bytes);
      // Statements are pipelined: answers to earlier ones may arrive first. CommandComplete names the command in upper case.
      else if (lost.when === 'after' && bytes.includes(lost.text.toUpperCase())) end();
    });
    if (mode === 'hang') stop(pair);
  });
  const stop = (pair: readonly [Socket, Socket]) => {
    for (const side of pair) side.pause();
  };
  await listen(server, 0);
  const through = (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${portOf(server)}` }).href;
  return {
    urls: { app: through(behind.app), system: through(behind.system), gateway: through(behind.gateway) },
    be(next) {
      mode = next;
      for (const pair of pairs) {
        if (mode === 'refuse') for (const side of pair) side.destroy();
        else if (mode === 'hang') stop(pair);
        else for (const side of pair) side.resume();
      }
    },
    loseAt(next) {
      loss = next;
    },
    opened: () => opened,
    trips: () => trips,
    async close() {
      for (const pair of pairs) for (const side of pair) side.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
