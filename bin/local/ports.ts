import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/**
 * Range of free ports. It is below the ports that operating systems use for outgoing connections, so that none of them takes the port before
 * a program listens on it.
 */
const LISTENED_ON = { first: 12_000, afterLast: 32_000 };

/** A random TCP port of the loopback interface on which no program listens at the moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(LISTENED_ON.first, LISTENED_ON.afterLast);
    if ((await refusal(port)) === null) return port;
  }
  throw new Error('no free port found');
}

/** A part cannot listen on its port. The message names the part, the port and the environment variable that changes it. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Throws PortTaken if the part `name` cannot listen on `port`, which the environment variable `variable` sets. */
export async function assertPortFree(name: string, port: number, variable: string): Promise<void> {
  // On some systems one can listen on a port although another program listens on it on all addresses, so both are checked.
  const reason = (await portAnswers(port)) ? 'another program listens on it' : await refusal(port);
  if (reason)
    throw new PortTaken(
      `${name} cannot listen on port ${port}: ${reason}. Choose another port with ${variable}=<port>.`,
    );
}

/** Whether a program accepts connections on this port of the loopback interface. */
export function portAnswers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const done = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(1000, () => done(false));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

function refusal(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('another program listens on it');
      else if (error.code === 'EACCES') resolve('this user may not listen on it');
      else resolve(error.message);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(null)));
  });
}
