import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * Program: the outside world, on the loopback interface. A mail server that accepts everything, an endpoint that answers at once, and
 * harmful endpoints: they hang, answer without end, answer one byte at a time, or redirect. Sends its parent a message for each mail and
 * each webhook of the victim.
 */
const now = () => performance.timeOrigin + performance.now();
const victims = /@victim\.example$/;

const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    stream.resume();
    stream.on('end', () => {
      for (const { address } of session.envelope.rcptTo)
        if (victims.test(address)) process.send?.({ mail: address, at: now() });
      done();
    });
  },
});
mailServer.on('error', () => undefined); // a client closed its connection

const harms: Record<string, (response: ServerResponse) => void> = {
  '/hang': () => undefined,
  '/redirect': (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/elsewhere' }).end(),
  '/refuse': (response) => response.writeHead(500).end('x'.repeat(8192)),
  '/gone': (response) => response.writeHead(410).end(),
  '/later': (response) => response.writeHead(429, { 'Retry-After': '1' }).end(),
  '/cut': (response) => response.destroy(),
  '/endless': (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536, 120);
    const pour = () => {
      while (!response.destroyed && response.write(chunk)) if (response.writableLength > 1_000_000) break;
    };
    response.on('drain', pour);
    pour();
  },
  '/trickle': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 500);
    response.on('close', () => clearInterval(timer));
  },
};

const endpoint = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => path === '/victim' && chunks.push(chunk));
  request.on('end', () => {
    if (path === '/victim') process.send?.({ webhook: Buffer.concat(chunks).toString('utf8'), at: now() });
    const harm = harms[path];
    if (harm) harm(response);
    else response.end();
  });
});
endpoint.keepAliveTimeout = 60_000;
endpoint.on('clientError', (_error, socket) => socket.destroy());

const portOf = (address: AddressInfo | string | null) => (typeof address === 'object' ? (address?.port ?? 0) : 0);

await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', () => resolve()));
process.on('disconnect', () => process.exit(0));
process.send?.({
  webhookUrl: `http://127.0.0.1:${portOf(endpoint.address())}`,
  smtpUrl: `smtp://127.0.0.1:${portOf(mailServer.server.address())}`,
});
