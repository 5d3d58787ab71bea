import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { presentError } from '../present/kernel/error.ts';

export interface Listener {
  /** Starts listening. Port 0 chooses a free port. Resolves with the port; rejects when it is taken. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting connections, waits until all received requests are answered, and closes all connections. Does not wait for clients that
   * do not read their answers.
   */
  close(): Promise<void>;
}

/** Longer than clients and proxies keep an idle connection (usually a minute). If the server closed it first, a request could be lost. */
const IDLE_MILLISECONDS = 75_000;

/** How long a client may read nothing of its answer while the listener closes: at least once, at most twice this time. */
const UNREAD_MILLISECONDS = 2500;

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
      const patience = setInterval(requests.endUnread, UNREAD_MILLISECONDS);
      await requests.areAnswered().finally(() => clearInterval(patience));
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

interface Requests {
  areAnswered(): Promise<void>;
  /** Ends the connections on which nothing was read since the last call. */
  endUnread(): void;
}

function countRequests(server: Server): Requests {
  const open = new Set<ServerResponse>();
  /** Bytes of each open response that its client had not read at the last call of `endUnread`. */
  const unread = new WeakMap<ServerResponse, number>();
  const connections = new WeakMap<Socket, Set<ServerResponse>>();
  let done: () => void = () => undefined;
  const forget = (response: ServerResponse) => {
    open.delete(response);
    if (open.size === 0) done();
  };
  server.on('request', (request, response) => {
    open.add(response);
    const ofConnection = connections.get(request.socket);
    ofConnection?.add(response);
    response.once('close', () => {
      ofConnection?.delete(response);
      forget(response);
    });
  });
  // Node does not close a response that still waits behind another one of a connection that ends.
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>();
    connections.set(socket, responses);
    socket.once('close', () => responses.forEach(forget));
  });
  const isZero = () =>
    new Promise<void>((resolve) => {
      done = resolve;
      if (open.size === 0) resolve();
    });
  return {
    async areAnswered() {
      do {
        await isZero();
        await tick(); // data that the kernel has already received becomes a request first
      } while (open.size > 0);
    },
    endUnread() {
      for (const response of open) {
        const bytes = response.socket?.writableLength ?? 0;
        if (bytes > 0 && unread.get(response) === bytes) response.destroy();
        unread.set(response, bytes);
      }
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
