import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { presentError } from '../present/kernel/error.ts';

export interface Listener {
  /** Starts listening. Port 0 chooses a free port. Resolves with the port; rejects when it is taken. */
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting connections, waits until all received requests are answered, and closes all connections. */
  close(): Promise<void>;
}

/** Longer than clients and proxies keep an idle connection (usually a minute). If the server closed it first, a request could be lost. */
const IDLE_MILLISECONDS = 75_000;

export function createListener(answer: RequestListener): Listener {
  // Node itself would answer a missing Host header and an unknown Expect header, without a body and a request id. Here the `host` middleware
  // refuses a missing Host, and Expect is ignored.
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

/** Answers 400 on a connection whose data is not HTTP or whose headers are too large. Such data never becomes a request. */
function refuseMalformed(socket: Socket): void {
  if (!socket.writable) return;
  const json = JSON.stringify(
    presentError({ type: 'invalid_request', code: 'body_invalid', message: 'The request could not be read' }),
  );
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Request-Id: ${randomUUID()}`,
    `Content-Length: ${json.length}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
}
