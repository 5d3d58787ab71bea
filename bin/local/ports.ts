import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Below what systems give to outgoing connections: a port that is free now is not taken by one before a program listens on it. */
const LISTENED_ON = { first: 12_000, afterLast: 32_000 };

/** A TCP port of the loopback interface on which nobody listens at the moment, chosen at random. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(LISTENED_ON.first, LISTENED_ON.afterLast);
    if ((await refusal(port)) === null) return port;
  }
  throw new Error('no free port found');
}

/** A part cannot have its port; the message names the part, the port and the variable that moves it. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Throws PortTaken when `name` cannot listen on `port`. `variable` is the environment variable that chooses another one. */
export async function assertPortFree(name: string, port: number, variable: string): Promise<void> {
  // Binding alone would miss a wildcard listener on systems that allow a second, more specific one.
  const reason = (await portAnswers(port)) ? 'another program listens on it' : await refusal(port);
  if (reason)
    throw new PortTaken(`${name} cannot take port ${port}: ${reason}. Choose another with ${variable}=<port>.`);
}

/** Whether somebody on the loopback interface accepts connections on the port. */
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
