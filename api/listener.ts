import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';

export interface Listener {
  /** Resolves with the port; 0 asks for a free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<number>;
  /** Accepts no more connections, lets received requests be answered, and closes all remaining connections. */
  close(): Promise<void>;
}

/** Longer than clients and proxies keep an idle connection (mostly a minute). If the server closed it first, a request could be lost. */
const IDLE_MILLISECONDS = 75_000;

export function createListener(answer: RequestListener): Listener {
  // Node would answer a missing Host and an unknown Expect itself, without a body and a request id. The `host` middleware refuses a missing
  // Host; Expect is ignored.
  const server = createServer({ keepAliveTimeout: IDLE_MILLISECONDS, requireHostHeader: false }, answer);
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  const requests = countRequests(server);
  server.on('clientError', (_error: Error, socket: Socket) => refuseMalformed(socket));
  return {
    listen: (port, host) => listen(server, port, host),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await requests.areAnswered();
      server.closeAllConnections(); // Node does not count connections without any request as idle
      await closed;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function countRequests(server: Server): { areAnswered(): Promise<void> } {
  let open = 0;
  let done: () => void = () => undefined;
  server.on('request', (_request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
      if (open === 0) done();
    });
  });
  const isZero = () =>
    new Promise<void>((resolve) => {
      done = resolve;
      if (open === 0) resolve();
    });
  return {
    async areAnswered() {
      do {
        await isZero();
        await tick(); // data that the kernel has already received becomes a request first
      } while (open > 0);
    },
  };
}

/** Answers a connection whose data is not HTTP or has too large headers: it never becomes a request. */
function refuseMalformed(socket: Socket): void {
  if (!socket.writable) return;
  const json = JSON.stringify({ object: 'error', type: 'invalid_request', message: 'The request could not be read' });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Request-Id: ${randomUUID()}`,
    `Content-Length: ${json.length}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
}
