import { createServer } from '../api/server.ts';
import { buildDeps } from '../bin/deps.ts';
import type { Stage } from './stage.ts';
import { captureStatements, type Statement } from './statements.ts';

export interface Exchange {
  statements: Statement[];
  /** Body of the response. */
  answer: string;
}

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** Headers for requests to the sandbox. */
export function headersOf({ sandboxKey }: Pick<Stage, 'sandboxKey'>): Record<string, string> {
  return {
    authorization: `Basic ${Buffer.from(`${sandboxKey}:`).toString('base64')}`,
    'content-type': 'application/json',
  };
}

/** Sends requests to an API in this process, and captures the statements that each request sends to the database. */
export async function exchange(
  stage: Pick<Stage, 'config' | 'origin' | 'sandboxKey'>,
  requests: readonly Request[],
): Promise<Exchange[]> {
  const deps = await buildDeps({ ...stage.config, logLevel: 'error' });
  const server = createServer({
    ...deps,
    testChallenges: deps.testGateway.challenges,
    publicUrl: stage.origin,
    poke: () => undefined,
  });
  const port = await server.listen(0, '127.0.0.1');
  const exchanges: Exchange[] = [];
  try {
    for (const { path, ...request } of requests) {
      let answer = '';
      const statements = await captureStatements(deps.em, async () => {
        const url = `http://127.0.0.1:${port}/sandbox/api${path}`;
        const response = await fetch(url, { ...request, headers: headersOf(stage) });
        answer = await response.text();
        if (!response.ok) throw new Error(`${request.method} ${path}: ${response.status} ${answer}`);
      });
      exchanges.push({ statements, answer });
    }
  } finally {
    await server.close();
    await deps.close();
  }
  return exchanges;
}
