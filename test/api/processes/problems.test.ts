import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import { Outbox } from '../../../db/schema/outbox.ts';
import { Wakeup } from '../../../db/schema/wakeup.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a problem is listed, and its step can be retried now', async () => {
  const { sandbox, em } = api;
  const accountId = sandbox.account.id;
  const { body: customer } = await sandbox.post('/customers', { name: 'Stuck' });
  const { body: invoice } = await sandbox.post('/invoices', {
    customer: customer.id,
    items: [{ name: 'x', unit_cost: 8 }],
  });
  const report = { accountId, process: 'invoice' as const, id: invoice.id, step: 'attempt 1', message: 'no gateway' };
  await inTransaction(em, (tx) => reportProblem(tx, report, new Date()));

  const { body: problems } = await sandbox.get('/problems');
  expect(problems).toMatchObject([
    {
      object: 'problem',
      subject: { object: 'invoice', id: invoice.id },
      step: 'attempt 1',
      message: 'no gateway',
      money_at_risk: 8,
      tries: 1,
    },
  ]);
  expect(problems[0].next_try_at).toBeGreaterThan(problems[0].since);
  const retried = await sandbox.post(`/problems/${problems[0].id}/retries`);
  expect(retried.status).toBe(200);
  expect(retried.body.next_try_at).toBeLessThan(problems[0].next_try_at);
  const wakeup = await em
    .fork()
    .findOneOrFail(Wakeup, { accountId, process: 'invoice', subjectId: invoice.id, rule: 'problem' });
  expect(wakeup.at.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await em.fork().count(Outbox, { accountId, topic: 'invoice', subjectId: invoice.id, startAt: null })).toBe(1);
  expect((await sandbox.post('/problems/4711/retries')).status).toBe(404);
  expect((await api.live.get('/problems')).body).toEqual([]);
});
