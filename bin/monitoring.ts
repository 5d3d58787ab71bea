import { createServer, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Monitoring listens on its own port, which must not be reachable from the internet. */
export interface MonitoringOptions {
  port: number;
  host: string;
  registry: Registry;
  /** Called at each scrape, to update metrics that are measured only then. */
  refresh?: () => Promise<void>;
  /** The reason why the role is not ready. Null: it is ready. */
  unready: () => Promise<string | null>;
  /** What an operator has to mend although the role is ready. */
  warnings: () => string[];
}

export interface Monitoring {
  close(): Promise<void>;
}

/** Serves `/health` (the process runs), `/ready` (it can work) and `/metrics` (Prometheus). Rejects if the port is taken. */
export async function startMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { registry, unready, warnings, refresh = async () => undefined } = options;
  collectDefaultMetrics({ register: registry });
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/health': async (response) => json(response, 200, { status: 'ok' }),
    '/ready': async (response) => {
      const reason = await unready();
      if (reason === null) json(response, 200, { status: 'ready', warnings: warnings() });
      else json(response, 503, { status: 'unavailable', reason });
    },
    '/metrics': async (response) => {
      await refresh();
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    },
  };
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const answer = request.method === 'GET' && Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (!answer) json(response, 404, { status: 'not found' });
    else answer(response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function json(response: ServerResponse, statusCode: number, body: object): void {
  response.writeHead(statusCode, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
