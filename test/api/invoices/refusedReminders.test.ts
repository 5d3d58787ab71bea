import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendInvoice } from '../../../commands/invoices/sending.ts';
import { systemCaller } from '../../../commands/kernel/caller.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';

/** Reminders that people ask for are refused while money for the invoice is on its way or disputed. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
});
afterAll(() => api.close());

const bill = () => api.sandbox.make('/invoices', { customer, items: [{ name: 'Hour', unit_cost: 80 }] });

function remind(id: number) {
  const accountId = api.sandbox.account.id;
  const sending = {
    to: [{ name: 'Ada', email: 'ada@example.com' }],
    bcc: [],
    template: null,
    subject: null,
    message: null,
  };
  return withAccount(accountId, () =>
    inTransaction(api.em, async (em) => {
      const caller = await systemCaller(em, accountId);
      return (await sendInvoice(em, { caller, id, sending, isReminder: true }, new Date())).length;
    }),
  );
}

const change = (id: number, columns: string) =>
  api.em.fork().execute(`update invoice set ${columns} where account_id = ? and id = ?`, [api.sandbox.account.id, id]);

test('an invoice without money on its way is asked for', async () => {
  const { id } = await bill();
  expect(await remind(id)).toBe(1);
});

test('an invoice with a disputed payment is not asked for', async () => {
  const { id, number } = await bill();
  await seedDispute(api, api.sandbox, customer, [{ type: 'invoice', invoice: id, amount: 3 }]);
  await expect(remind(id)).rejects.toThrow(`A payment of ${number} is disputed`);
});

test('an invoice with a pending payment is not asked for', async () => {
  const { id, number } = await bill();
  await change(id, 'pending = true');
  await expect(remind(id)).rejects.toThrow(`A payment of ${number} is on its way`);
});

test('an invoice that AutoPay charges soon is not asked for', async () => {
  const { id, number } = await bill();
  await change(id, "next_payment_attempt_at = '2030-03-04T12:00:00Z'");
  await expect(remind(id)).rejects.toThrow(`AutoPay charges ${number} on 4 March 2030`);
});
