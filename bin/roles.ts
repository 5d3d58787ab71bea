import { createServer } from 'node:http';
import type { Config } from './config.ts';

/** Placeholder: an API that only answers /health. */
export async function runApi(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => response.writeHead(request.url === '/health' ? 200 : 404).end());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: config.publicUrl, close };
}

/** Placeholder: a worker that waits. */
export async function runWorker(_config: Config): Promise<{ close(): Promise<void> }> {
  const timer = setInterval(() => undefined, 60_000);
  return { close: async () => clearInterval(timer) };
}

/** Placeholder. */
export async function runMigrate(_config: Config): Promise<void> {}

/** Placeholder. */
export async function runAudit(_config: Config): Promise<number> {
  return 0;
}

/** Placeholder. */
export async function runReconcile(_config: Config): Promise<number> {
  return 0;
}
