import { type ChildProcess, spawn } from 'node:child_process';
import { goProgram } from '../../support/goProgram.ts';
import { until } from '../../support/wait.ts';
import type { Asked } from './server.ts';

const MOCK = { name: 'stripe-mock', package: 'github.com/stripe/stripe-mock', version: 'v0.203.0' };

/** Stripe's own server for tests. It remembers nothing, and checks requests by Stripe's description of its API. */
export interface StripeMock {
  /** Sends a request again. */
  ask(request: Pick<Asked, 'method' | 'path' | 'text'>): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

export async function startStripeMock(): Promise<StripeMock> {
  const child = spawn(await goProgram(MOCK), ['-http-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await portOf(child);
  return {
    async ask({ method, path, text }) {
      const query = method === 'GET' && text ? `?${text}` : '';
      const answer = await fetch(`http://127.0.0.1:${port}${path}${query}`, {
        method,
        headers: { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' },
        body: method === 'GET' ? null : text,
      });
      return { status: answer.status, body: await answer.json() };
    },
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const found = () => /Listening for HTTP at address: .*:(\d+)/.exec(output)?.[1];
  return Number(await until(found, { what: 'stripe-mock to listen' }));
}
