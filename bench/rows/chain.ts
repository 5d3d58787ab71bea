import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exchange, headersOf } from '../insideApi.ts';
import { loadWithCpu } from '../load.ts';
import { startProgram } from '../program.ts';
import type { Stage } from '../stage.ts';

const CLIENTS = 16;
const PATH = '/account';
/** Long enough for V8 to compile the code. Until then even bare Koa is several times slower. */
const WARM_UP_SECONDS = 3;

/** Milliseconds of CPU per request: of the API process, of PostgreSQL for it, and of a bare Koa process. */
export interface Chain {
  api: number;
  postgres: number;
  bare: number;
}

/** Measures the middleware, with a read whose only statement authenticates, and bare Koa with the same response. */
export async function chainOfMiddleware(stage: Stage, seconds: number): Promise<Chain> {
  const [answered] = await exchange(stage, [{ method: 'GET', path: PATH }]);
  const file = join(stage.folder, 'account.json');
  writeFileSync(file, answered?.answer ?? '');
  const reference = await startProgram({
    program: 'reference/bare.ts',
    args: [file],
    logFile: stage.logFile('bare'),
    hello: z.object({ port: z.number() }),
  });
  try {
    const origin = `http://127.0.0.1:${reference.hello.port}`;
    const target = { seconds, headers: headersOf(stage), path: `/sandbox/api${PATH}` };
    const bare = await cpuEach({ ...target, origin, pid: reference.pid });
    const api = { ...target, origin: stage.origin };
    return {
      api: await cpuEach({ ...api, pid: stage.api.pid }),
      postgres: await cpuEach({ ...api, pid: stage.postgres.pid }),
      bare,
    };
  } finally {
    await reference.stop();
  }
}

interface Target {
  origin: string;
  pid: number;
  path: string;
  headers: Record<string, string>;
  seconds: number;
}

async function cpuEach({ origin, pid, path, headers, seconds }: Target): Promise<number> {
  const request = () => ({ method: 'GET' as const, path, headers });
  const measured = await loadWithCpu({ origin, clients: CLIENTS, warmUpSeconds: WARM_UP_SECONDS, seconds, request }, [
    pid,
  ]);
  return measured.cpuEach;
}
