import { fileURLToPath } from 'node:url';
import { Unprintable } from '../../billing/failures.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { StatementReader, StatementReading, StatementTask } from '../../commands/ports/ports.ts';
import type { Program } from '../children/child.ts';
import { createPool } from '../children/pool.ts';

/** Limits of one statement: CPU time and time by the clock in milliseconds, resident memory of its child in MiB. */
const LIMITS = { processorTime: 5000, deadline: 30_000, memory: 320 };

const program: Program = {
  file: fileURLToPath(new URL('./readProgram.ts', import.meta.url)),
  nodeArguments: ['--max-old-space-size=192'],
  environment: {},
  words: { product: 'statement', plural: 'statements', maker: 'reader of statements' },
};

/** Reads bank statements in child processes. */
export function createStatementReader({ children = 2 } = {}): StatementReader & { close(): void } {
  const options = { children, patience: 10_000, mostWaiting: 20, idle: 60_000, limits: LIMITS };
  const pool = createPool<StatementTask, StatementReading>(program, options);
  return {
    read: async (task, accountId) => {
      const field = 'path' in task.source ? 'file' : 'csv';
      const reading = await pool.run(task, accountId).catch((error: unknown) => {
        if (!(error instanceof Unprintable)) throw error;
        if (error.reason === 'content') throw new Refusal('body_invalid', 'The statement cannot be read', field);
        throw new Refusal('limit_exceeded', 'The statement takes too long or too much memory to read', field);
      });
      if ('rows' in reading) return reading;
      const { code, message, param } = reading.refusal;
      throw new Refusal(code, message, param ?? field);
    },
    close: pool.close,
  };
}
