import { request } from 'node:http';

interface Raw {
  method: string;
  path: string;
  headers: Record<string, string>;
  text?: string | undefined;
}

/** Sends a request with any method and any header. `fetch` refuses some of them. */
export function rawRequest(origin: string, { method, path, headers, text }: Raw) {
  const { port } = new URL(origin);
  return new Promise<{ status: number; headers: object; body: unknown }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      let told = '';
      answer.on('data', (part) => (told += part));
      answer.on('end', () => {
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: told === '' ? null : JSON.parse(told),
        });
      });
    });
    sent.on('error', reject).end(text);
  });
}
