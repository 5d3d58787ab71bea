import { createServer, request } from 'node:http';
import { listen, portOf } from './listen.ts';

/** Starts a reverse proxy. Its address is known before the server behind it listens, which `forwardTo` names. */
export async function startReverseProxy(): Promise<{
  origin: string;
  forwardTo(origin: string): void;
  close(): Promise<void>;
}> {
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
    forwardTo: (origin) => {
      behind = origin;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
