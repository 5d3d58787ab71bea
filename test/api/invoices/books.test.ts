import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** The ledger entries of each command. Debits are positive, credits negative. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Booked' })).id;
  await api.sandbox.post('/items', { id: 'work', name: 'Work', unit_cost: 10, gl_account: '4000' });
});
afterAll(() => api.close());

/** Ledger entries that `work` wrote, as "reason account amount". */
async function posted(work: () => Promise<unknown>): Promise<string[]> {
  const em = api.em.fork();
  const [{ last } = { last: 0 }] = await em.execute('select coalesce(max(id), 0) as last from ledger_entry');
  await work();
  const rows = await em.execute(
    'select reason, ledger_account, amount::float8 as amount from ledger_entry where id > ? order by id',
    [last],
  );
  return rows.map(({ reason, ledger_account, amount }) => `${reason} ${ledger_account} ${amount}`);
}

const issue = async () =>
  (
    await api.sandbox.make('/invoices', {
      customer,
      items: [
        { catalog_item: 'work', quantity: 2 },
        { name: 'Rest', unit_cost: 5 },
      ], // 2 x 10.00 + 5.00 = 25.00
    })
  ).id;
const applied = (invoice: number, amount: number) => [{ type: 'invoice', invoice, amount }];

test('issuing posts a receivable against revenue by general ledger account, and voiding reverses it', async () => {
  let id = 0;
  const issued = await posted(async () => (id = await issue()));
  expect(issued.sort()).toEqual(
    ['issue receivable 20', 'issue revenue:4000 -20', 'issue receivable 5', 'issue revenue -5'].sort(),
  );
  const voided = await posted(() => api.sandbox.post(`/invoices/${id}/void`));
  expect(voided.sort()).toEqual(
    ['void revenue:4000 20', 'void receivable -20', 'void revenue 5', 'void receivable -5'].sort(),
  );
});

test('a receipt posts unapplied cash, an application reduces the receivable, and voiding reverses both', async () => {
  const invoice = await issue();
  let payment = 0;
  const paid = await posted(async () => {
    const body = { customer, method: 'check', amount: 30, applied_to: applied(invoice, 25) };
    payment = (await api.sandbox.make('/payments', body)).id;
  });
  expect(paid.sort()).toEqual(
    ['receipt cash 30', 'receipt unapplied -30', 'application unapplied 25', 'application receivable -25'].sort(),
  );
  const voided = await posted(() => api.sandbox.delete(`/payments/${payment}`));
  expect(voided.sort()).toEqual(
    ['unapply receivable 25', 'unapply unapplied -25', 'void_payment unapplied 30', 'void_payment cash -30'].sort(),
  );
});

test('money of a charge is posted to gateway clearing until its payout', async () => {
  const invoice = await issue();
  const charge = { customer, method: 'credit_card', gateway_token: 'tok_4242424242424242', amount: 25 };
  const charged = await posted(() => api.sandbox.post('/charges', { ...charge, applied_to: applied(invoice, 25) }));
  expect(charged.sort()).toEqual(
    [
      'receipt clearing:test 25',
      'receipt unapplied -25',
      'application unapplied 25',
      'application receivable -25',
    ].sort(),
  );
  const declined = await posted(() =>
    api.sandbox.post('/charges', { ...charge, gateway_token: 'tok_4000000000000002', applied_to: [] }),
  );
  expect(declined).toEqual([]);
});

test('the books agree with themselves and with the gateway', async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
