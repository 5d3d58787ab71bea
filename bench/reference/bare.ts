import { readFileSync } from 'node:fs';
import Koa from 'koa';

/** Program: bare Koa that answers every request with the JSON in the file that the first argument names. */
const body = readFileSync(process.argv[2] ?? '', 'utf8');
const app = new Koa();
app.use((ctx) => {
  ctx.type = 'application/json';
  ctx.body = body;
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
process.on('disconnect', () => process.exit(0));
