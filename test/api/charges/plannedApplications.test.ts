import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { plannedApplications } from '../../../db/queries/charges/attempts.ts';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('planned amounts are read to the last decimal, also those that no binary number holds', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Ada' })).id;
  const { id: invoice } = await api.sandbox.make('/invoices', { customer, items: [{ name: 'Seat', unit_cost: 40 }] });
  const applied_to = [
    { type: 'invoice', invoice, amount: 40 },
    { type: 'credit', amount: 10 },
  ];
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  await api.sandbox.make('/charges', { customer, ...card, amount: 50, applied_to });
  const em = api.em.fork();
  const [attempt] = await em.execute<{ id: number }[]>('select max(id) as id from attempt');
  const exact = '90071992547409.93'; // 2^53 + 1 cents
  await em.execute('update attempt_invoice set amount = ?', [exact]);
  await em.execute('update attempt_credit set amount = ?', [exact]);
  const planned = await plannedApplications(em, { accountId: api.sandbox.account.id, id: attempt?.id ?? 0 });
  expect(planned.invoices).toEqual([
    { invoiceId: invoice, amount: expect.stringMatching(/^90071992547409\.930*$/), isSold: false },
  ]);
  expect(planned.credits).toMatchObject([{ type: 'credit', amount: expect.stringMatching(/^90071992547409\.930*$/) }]);
});
