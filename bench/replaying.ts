import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseUrls } from '../adapters/databaseLogins.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { exchange, type Request } from './insideApi.ts';
import { startProgram } from './program.ts';
import { LEAST_GENERATED, type Replay, slotted } from './reference/replay.ts';
import type { Stage } from './stage.ts';

const TABLES = [
  'customer',
  'invoice',
  'line_item',
  'event',
  'outbox',
  'ledger_entry',
  'attempt',
  'charge',
  'payment',
  'refund',
  'email',
];

/** Raises the sequences, so that generated ids differ from all other numbers in a statement. */
export async function raiseSequences(sql: Sql): Promise<void> {
  for (const [index, table] of TABLES.entries()) {
    const sequence = `${table}_id_seq`;
    const least = LEAST_GENERATED * (index + 2);
    await sql.query(`select setval('${sequence}', greatest($1, (select last_value from ${sequence})))`, [least]);
  }
}

/** The statements of the second of two requests of one kind. `subject`: the id in them that differs between replays. */
export async function captured(
  stage: Stage,
  { requests, subject, account }: { requests: readonly Request[]; subject: number; account: number },
): Promise<Replay> {
  const [, second] = await exchange(stage, requests);
  if (!second) throw new Error('nothing was captured');
  return {
    databaseUrl: databaseUrls(stage.postgres.roleUrl, stage.config.encryptionKey).app,
    session: `-c app.account_id=${account}`,
    poolSize: stage.config.databasePool,
    statements: slotted(second.statements, subject),
    answer: second.answer,
  };
}

/** Runs work beside bare Koa that sends these statements for every POST to `/<subject>`. */
export async function withReplay<Result>(
  stage: Stage,
  replay: Replay,
  work: (reference: { origin: string; pid: number }) => Promise<Result>,
): Promise<Result> {
  const file = join(stage.folder, 'replay.json');
  writeFileSync(file, JSON.stringify(replay));
  const reference = await startProgram({
    program: 'reference/statements.ts',
    args: [file],
    logFile: stage.logFile('reference'),
    hello: z.object({ port: z.number() }),
  });
  try {
    return await work({ origin: `http://127.0.0.1:${reference.hello.port}`, pid: reference.pid });
  } finally {
    await reference.stop();
  }
}
