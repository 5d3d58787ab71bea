import {
  connect,
  createSecureServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { listen, portOf } from './listen.ts';

/** Headers of one call. */
export interface SecureCall {
  userAgent: string;
  authorization: string | null;
}

/** A Temporal server behind TLS, like a hosted one. */
export interface SecureTemporal {
  /** host:port */
  address: string;
  calls: readonly SecureCall[];
  stop(): Promise<void>;
}

/** Starts a TLS proxy for the server at `address`. It forwards every call without its authorization header. */
export async function startSecureTemporal(address: string, tls: SecureServerOptions): Promise<SecureTemporal> {
  const upstream = connect(`http://${address}`);
  const calls: SecureCall[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer(tls);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined); // a client does not trust the certificate
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const { authorization = null, ...rest } = headers;
    calls.push({ userAgent: String(headers['user-agent']), authorization });
    const sent = upstream.request({ ...rest, ':scheme': 'http', ':authority': address });
    stream.on('aborted', () => sent.close());
    for (const one of [sent, stream]) one.on('error', () => undefined);
    sent.on('response', (answer) => {
      // The trailers end the stream.
      stream.respond(answer, { waitForTrailers: true });
      sent.pipe(stream);
    });
    let trailers: IncomingHttpHeaders = {};
    sent.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.pipe(sent);
  });
  await listen(server, 0);
  return {
    address: `localhost:${portOf(server)}`,
    calls,
    async stop() {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
