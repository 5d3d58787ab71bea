import { readFileSync } from 'node:fs';
import Koa from 'koa';
import pg from 'pg';
import { type Filled, fill, replayShape } from './replay.ts';

/**
 * Program: bare Koa that answers every POST with the id of an object in its path. For each request it sends captured statements through raw
 * `pg`, with the pool and session settings of the product. It checks and computes nothing. The first argument names the file with the
 * statements.
 */
const replay = replayShape.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const pool = new pg.Pool({ connectionString: replay.databaseUrl, options: replay.session, max: replay.poolSize });

async function send(subject: number): Promise<void> {
  const client = await pool.connect();
  const results: Filled['results'] = [];
  const texts = new Map<string, string>();
  let sent = '';
  try {
    for (const { text, values } of replay.statements) {
      sent = text;
      const filled = values.map((value) => fill(value, { results, subject, texts }));
      const { rows } = await client.query(text, filled);
      results.push(rows);
    }
    client.release();
  } catch (error) {
    client.release(true);
    throw new Error(`${sent.slice(0, 200)}: ${error}`);
  }
}

const app = new Koa();
app.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  JSON.parse(Buffer.concat(chunks).toString('utf8'));
  try {
    await send(Number(ctx.path.slice(1)));
  } catch (error) {
    ctx.status = 500;
    ctx.body = String(error);
    return;
  }
  ctx.status = 201;
  ctx.type = 'application/json';
  ctx.body = replay.answer;
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
process.on('disconnect', () => process.exit(0));
