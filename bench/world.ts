import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * Program: stands for the outside world, on the loopback interface. It has a webhook endpoint that answers 200 and a mail server that accepts
 * all mail. It runs in its own process, so that its CPU time is not counted with the product's. It sends its addresses to its parent, and on
 * request the arrivals of events.
 */
const arrivals = new Map<string, number>();
let requests = 0;
let mails = 0;

const endpoint = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const id = String(request.headers['webhook-id']);
  requests += 1;
  if (!arrivals.has(id)) arrivals.set(id, at);
  request.resume();
  request.on('end', () => response.end());
});
// Longer than any pause between requests, so that only the sender closes connections.
endpoint.keepAliveTimeout = 60_000;

const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => {
      mails += 1;
      done();
    });
  },
});
mailServer.on('error', () => undefined); // a client closed its connection

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', () => resolve()));
process.on('message', (question) => {
  if (question === 'reset') {
    arrivals.clear();
    requests = 0;
    mails = 0;
  }
  process.send?.({ requests, mails, arrivals: question === 'arrivals' ? [...arrivals] : [] });
});
process.on('disconnect', () => process.exit(0));
process.send?.({
  webhookUrl: `http://127.0.0.1:${portOf(endpoint.address())}/`,
  smtpUrl: `smtp://127.0.0.1:${portOf(mailServer.server.address())}`,
});
