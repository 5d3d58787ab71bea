import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '../../client/index.ts';

/** A webhook endpoint on this machine that checks every signature. */
export interface Receiver {
  url: string;
  /** Sets the signing secret. The API shows it only when the endpoint is created, after this server has started. */
  trust(secret: string): void;
  /** Ids of the events that arrived with a valid signature. */
  verified: ReadonlySet<number>;
  /** Waits until this many events have arrived, for at most five seconds. */
  until(count: number): Promise<void>;
  close(): void;
}

const PATIENCE_MILLISECONDS = 5000;

export async function startReceiver(): Promise<Receiver> {
  const verified = new Set<number>();
  let secret = '';
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const received = { body: Buffer.concat(chunks).toString(), headers: request.headers };
    const event = await verifyWebhook(received, { secret }).catch(() => null);
    if (event) verified.add(event.id);
    response.writeHead(event ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/`,
    verified,
    trust: (shown) => {
      secret = shown;
    },
    async until(count) {
      const giveUpAt = performance.now() + PATIENCE_MILLISECONDS;
      while (verified.size < count && performance.now() < giveUpAt) await pause(20);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
