import { createServer as createHttpServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import Koa from 'koa';
import type { ApiDeps } from './deps.ts';
import { dispatch, noRoute } from './dispatch.ts';
import { apiVersion } from './middleware/apiVersion.ts';
import { authentication } from './middleware/authentication.ts';
import { base } from './middleware/base.ts';
import { body } from './middleware/body.ts';
import { errors } from './middleware/errors.ts';
import { idempotencyKey } from './middleware/idempotencyKey.ts';
import { requestLog } from './middleware/requestLog.ts';
import { openRoutes } from './openRoutes.ts';
import { routes } from './routes.ts';
import type { ApiState } from './state.ts';

export type { ApiDeps } from './deps.ts';

export interface ApiServer {
  /** Answers the port, a free one when asked for 0. Rejects when it is taken. */
  listen(port: number, host: string): Promise<number>;
  /** Lets requests under way end, then stops. */
  close(): Promise<void>;
}

/** The API of both environments. */
export function createServer(deps: ApiDeps): ApiServer {
  const app = new Koa<ApiState>();
  app.use(requestLog(deps));
  app.use(errors(deps));
  app.use(openRoutes(deps, routes));
  app.use(base);
  app.use(authentication(deps));
  app.use(apiVersion);
  app.use(body);
  app.use(idempotencyKey);
  app.use(dispatch(deps, routes));
  app.use(noRoute);
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'response could not be written'));
  const server = createHttpServer(app.callback());
  server.on('clientError', (_error: Error, socket: Socket) => refuseMalformed(socket));
  return {
    listen: (port, host) => listen(server, port, host),
    close: () => close(server),
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

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** What is not HTTP, or has headers too large to read, never becomes a request. */
function refuseMalformed(socket: Socket): void {
  if (!socket.writable) return;
  const json = JSON.stringify({ object: 'error', type: 'invalid_request', message: 'The request could not be read' });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${json.length}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
}
