import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createUnfinished } from '../../../api/limits/unfinished.ts';
import { type SlowSender, slowSender } from '../../support/slowSender.ts';
import { until } from '../../support/wait.ts';

const senders: SlowSender[] = [];
afterEach(() => {
  for (const sender of senders.splice(0)) sender.end();
});

test('at the bound of all bodies, the oldest stranger ends, then the oldest one of the account that has most, and no newcomer', async () => {
  const unfinished = createUnfinished(5);
  const newcomers: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    if (request.headers['x-who'] === 'address 2') newcomers.push(request);
    unfinished.follow(request, response, String(request.headers['x-who']));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  let begun = 0;
  const begin = async (who: string) => {
    const sender = slowSender(`http://127.0.0.1:${port}`, { path: '/', headers: { 'X-Who': who } });
    senders.push(sender);
    begun += 1;
    await until(() => unfinished.count() === Math.min(begun, 5), { what: `${begun} bodies` });
    return sender;
  };
  const stranger = await begin('address 1');
  const modest = await begin('account modest');
  const many: SlowSender[] = [];
  for (let count = 0; count < 4; count += 1) many.push(await begin('account busy'));
  const newcomer = await begin('address 2'); // a stranger as long as its credential is not read
  await until(() => many.filter((one) => one.isClosed()).length === 1, {
    what: 'the end of the oldest one of the busy',
  });
  expect([stranger, newcomer].map((one) => one.isClosed())).toEqual([true, false]);
  unfinished.belongsTo(newcomers[0] ?? new IncomingMessage(new Socket()), 'account new');
  const another = await begin('account busy');
  await until(() => many.filter((one) => one.isClosed()).length === 2, { what: 'the end of the oldest two' });
  expect(many.map((one) => one.isClosed())).toEqual([true, true, false, false]);
  expect(many[0]?.told()).toContain('408');
  for (const one of [modest, newcomer, another]) expect(one.isClosed()).toBe(false);
  unfinished.endAll();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
