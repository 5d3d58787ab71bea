import type { Server } from 'node:net';

/** Listens on the loopback interface, on a free port when `port` is 0. Throws when the port is taken. */
export function listen<T extends Server>(server: T, port: number): Promise<T> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** The port of a listening server. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
