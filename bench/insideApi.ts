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

/** An API in this process. */
export interface InsideApi {
  origin: string;
  /** Returns the statements that work of this API sends to the database. */
  captured(work: () => Promise<unknown>): Promise<Statement[]>;
}

/** Runs work with an API in this process, on the database of the stage. */
export async function withInsideApi<T>(
  stage: Pick<Stage, 'config' | 'origin'>,
  work: (api: InsideApi) => Promise<T>,
): Promise<T> {
  const deps = await buildDeps({ ...stage.config, logLevel: 'error' });
  const server = createServer({
    ...deps,
    testChallenges: deps.testGateway.challenges,
    publicUrl: stage.origin,
    poke: () => undefined,
  });
  const port = await server.listen(0, '127.0.0.1');
  try {
    return await work({
      origin: `http://127.0.0.1:${port}`,
      captured: (inner) => captureStatements(deps.em, inner),
    });
  } finally {
    await server.close();
    await deps.close();
  }
}

/** Sends requests to an API in this process, and captures the statements that each request sends to the database. */
export function exchange(
  stage: Pick<Stage, 'config' | 'origin' | 'sandboxKey'>,
  requests: readonly Request[],
): Promise<Exchange[]> {
  return withInsideApi(stage, async ({ origin, captured }) => {
    const exchanges: Exchange[] = [];
    for (const { path, ...request } of requests) {
      let answer = '';
      const statements = await captured(async () => {
        const response = await fetch(`${origin}/sandbox/api${path}`, { ...request, headers: headersOf(stage) });
        answer = await response.text();
        if (!response.ok) throw new Error(`${request.method} ${path}: ${response.status} ${answer}`);
      });
      exchanges.push({ statements, answer });
    }
    return exchanges;
  });
}
