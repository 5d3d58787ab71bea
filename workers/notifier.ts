import type { Connection } from './connection.ts';

/** PostgreSQL channel on which relays are notified of new outbox rows. */
export const OUTBOX_CHANNEL = 'perennial_outbox';

const SHORTEST_INTERVAL_MILLISECONDS = 10;

export interface Notifier {
  /** Notifies the relays of all processes, at most once per 10 ms. Ignores failures, because relays also poll. */
  poke(): void;
  close(): Promise<void>;
}

/** Notifies relays over its own connection, outside business transactions. If the connection is lost, the next poke reconnects. */
export function createNotifier(open: () => Promise<Connection>): Notifier {
  let connection: Promise<Connection> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let last = 0;
  const notify = async (): Promise<void> => {
    timer = null;
    last = performance.now();
    try {
      connection ??= open();
      const current = await connection;
      if (!current.isOpen) throw new Error('connection lost');
      await current.query(`notify ${OUTBOX_CHANNEL}`);
    } catch {
      connection = null;
    }
  };
  return {
    poke() {
      if (timer) return;
      const wait = Math.max(0, SHORTEST_INTERVAL_MILLISECONDS - (performance.now() - last));
      timer = setTimeout(() => void notify(), wait);
    },
    async close() {
      if (timer) clearTimeout(timer);
      const current = await connection?.catch(() => null);
      await current?.close().catch(() => undefined);
    },
  };
}
