import { createServer, request } from 'node:http';
import { listen, portOf } from './listen.ts';

/** A server with an address that is known before what stands behind it listens, as in front of a product. */
export async function startFront(): Promise<{ origin: string; leadTo(origin: string): void; close(): Promise<void> }> {
  let behind = '';
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming;
    const passed = request(`${behind}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await listen(server, 0);
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    leadTo: (origin) => {
      behind = origin;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
