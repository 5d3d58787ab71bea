import { connect, type Socket } from 'node:net';

/** A client that has sent the headers of a request and a part of its body. */
export interface SlowSender {
  /** What it was answered so far. */
  told(): string;
  /** Sends more of the body. */
  send(text: string): void;
  isClosed(): boolean;
  /** Reads no more. */
  pause(): void;
  end(): void;
}

export interface SlowRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  /** Declared length of the body. */
  length?: number;
}

/** Sends headers that declare a body, and nothing of the body. */
export function slowSender(
  origin: string,
  { path, method = 'POST', headers = {}, length = 40 }: SlowRequest,
): SlowSender {
  const { port, host } = new URL(origin);
  const socket: Socket = connect(Number(port), '127.0.0.1');
  let told = '';
  let closed = false;
  socket.setEncoding('latin1').on('data', (part) => (told += part));
  socket.on('error', () => undefined).on('close', () => (closed = true));
  const size: Record<string, string> = headers['Transfer-Encoding'] ? {} : { 'Content-Length': String(length) };
  const all = { Host: host, ...size, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    told: () => told,
    send: (text) => void socket.write(text),
    isClosed: () => closed,
    pause: () => void socket.pause(),
    end: () => void socket.destroy(),
  };
}

/** A header that makes the API, which trusts proxies on this machine, see the client at this place of the test network 198.18.0.0/15. */
export const from = (place: number) => ({
  'X-Forwarded-For': `198.18.${Math.floor(place / 250)}.${1 + (place % 250)}`,
});
