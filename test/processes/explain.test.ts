import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportProblem } from '../../commands/kernel/problems.ts';
import { inTransaction } from '../../db/transaction.ts';
import { projectFolder } from '../suites.ts';
import { programEnvironment } from '../support/environment.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { openUnlimited } from '../support/unlimited.ts';

const time = steppedTime('2027-03-01T09:00:00Z');
let product: Product;
let customer: number;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  const { client } = product;
  customer = (await client.post('/customers', { name: 'Ada', number: 'CUST-7' })).id;
  const items = [
    { name: 'Consulting', quantity: 2, unit_cost: 120 },
    { name: 'Calls', quantity: 3, unit_cost: 0.335 },
  ];
  const { id } = await client.post('/invoices', { customer, number: 'INV-00042', items, payment_terms: 'NET 30' });
  time.moveTo('2027-03-04T09:00:00Z');
  const applied_to = [{ type: 'invoice' as const, invoice: id, amount: 100 }];
  await client.post('/payments', { customer, amount: 150, method: 'check', applied_to });
});
afterAll(() => product.close());

const run = promisify(execFile);

/** Runs a command as an operator does. Returns its output and its exit code. */
async function perennial(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { databaseUrl } = product.config;
  const env = {
    ...programEnvironment(),
    DATABASE_URL: databaseUrl,
    PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const options = { cwd: projectFolder, env };
  const done = await run(process.execPath, [join(projectFolder, 'bin/perennial.ts'), ...args], options).catch(
    (error) => error,
  );
  return { code: done.code ?? 0, out: done.stdout, err: done.stderr };
}

test('explain shows an invoice by its number: amounts with their arithmetic, past and future events', async () => {
  const { code, out } = await perennial('explain', 'invoice', 'INV-00042');
  expect(out.split('\n')).toEqual([
    `Account ${product.accountId}: Acme, sandbox`,
    `Invoice INV-00042: not_sent, customer ${customer} Ada`,
    'dated 2027-03-01 09:00, due 2027-03-31 09:00 (UTC), NET 30',
    '',
    'Lines: quantity x unit cost',
    '  1  Consulting  2 x 120 = 240.00',
    '  2  Calls       3 x 0.335 = 1.005, rounded 1.01',
    '     Total       240.00 + 1.01 = 241.01 usd',
    '',
    'Balance: total less what is applied',
    '  payment 1  check, 2027-03-04 09:00  100.00',
    '  Balance    241.01 - 100.00 = 141.01 usd',
    '',
    'Ledger: debit positive, credit negative',
    '  2027-03-01 09:00  issue                   receivable 241.01, revenue -241.01',
    '  2027-03-04 09:00  application, payment 1  unapplied 100.00, receivable -100.00',
    '                    Receivable              241.01 - 100.00 = 141.01 usd',
    '',
    'What happened, and who did it (UTC)',
    '  2027-03-01 09:00  invoice 1  API key "First key"  issued INV-00042 for $241.01',
    '  2027-03-04 09:00  invoice 1  API key "First key"  INV-00042 owes $141.01, before $241.01',
    '  2027-03-04 09:00  payment 1  API key "First key"  payment of $150.00 by check received',
    '',
    'What will, unless something changes',
    '  2027-04-01 00:00  invoice 1  past due: it is not paid',
    '',
  ]);
  expect(code).toBe(0);
});

test('explain marks an amount that differs from its parts', async () => {
  await product.rows(`update invoice set balance = 140 where number = 'INV-00042'`);
  const { out } = await perennial('explain', 'invoice', '1');
  await product.rows(`update invoice set balance = 141.01 where number = 'INV-00042'`);
  expect(out.split('\n').filter((line) => line.includes('STORED: 140.0000'))).toEqual([
    '  Balance    241.01 - 100.00 = 141.01 usd   STORED: 140.0000',
    expect.stringContaining('= 141.01 usd   STORED: 140.0000'),
  ]);
});

test('explain shows the base of each discount and tax, and the sum of the total', async () => {
  const { client } = product;
  await client.post('/coupons', { id: 'ten', name: 'Ten', value: 10 });
  await client.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, inclusive: true });
  await client.post('/tax_rates', { id: 'city', name: 'City', value: 5 });
  const items = [
    { unit_cost: 125, discounts: [{ amount: 5 }], taxes: ['city'] },
    { unit_cost: 20, taxable: false },
  ];
  const other = (await client.post('/customers', { name: 'Eve' })).id;
  await client.post('/invoices', { customer: other, number: 'TAX-1', items, discounts: ['ten'], taxes: ['vat'] });
  const { out } = await perennial('explain', 'invoice', 'TAX-1');
  // 125 - 5 = 120; 10 % of 120 + 20 is 14: 12 and 2. Left: 108, of which 108 x 0.2 / 1.2 = 18 are vat; 5 % of 90 is 4.50.
  expect(out).toContain(
    [
      '     Sum  125.00 + 20.00 = 145.00 usd',
      '',
      'Discounts and taxes, those of lines first',
      '  line 1    discount of an amount  5.00',
      '  document  discount Ten (ten)     10 % = 14.00',
      '  line 1    tax City (city)        5 % = 4.50',
      '  document  tax VAT (vat)          in the price: 20 % = 18.00',
      '',
      'Tax rates: each once, on the net of all that it taxes',
      '  City (city)  5 % of 90.00 = 4.50',
      '  VAT (vat)    20 % of 90.00 = 18.00, in the price',
      '',
      'Total',
      '  Subtotal  145.00 - 18.00 in the prices = 127.00 usd',
      '  Total     127.00 - 19.00 + 22.50 = 130.50 usd',
      '',
    ].join('\n'),
  );
  expect(out).not.toContain('STORED');
  await product.rows(`update invoice set subtotal = 128 where number = 'TAX-1'`);
  const marked = await perennial('explain', 'invoice', 'TAX-1');
  await product.rows(`update invoice set subtotal = 127 where number = 'TAX-1'`);
  expect(marked.out).toContain('in the prices = 127.00 usd   STORED: 128.0000\n');
});

test('explain shows a rate of several lines once, with its base, and terms once', async () => {
  const { client } = product;
  const who = (await client.post('/customers', { name: 'Fay', autopay: true })).id;
  const taxed = (unit_cost: number) => ({ unit_cost, taxes: ['city'] });
  const items = [taxed(10.1), taxed(10.1), { unit_cost: 30 }];
  await client.post('/invoices', { customer: who, number: 'TAX-2', items, taxes: ['city'] });
  const { out } = await perennial('explain', 'invoice', 'TAX-2');
  expect(out).toContain('(UTC), AutoPay\n');
  expect(out).toContain('  City (city)  5 % of 50.20 = 2.51\n'); // 10.10 + 10.10 + 30; by line it would be 0.505 for each
  expect(out).toMatch(/line 1 +tax City \(city\) +5 % = 0\.5\d\n/);
  const terms = { customer: who, number: 'NET-1', items: [{ unit_cost: 1 }], payment_terms: 'NET 7' };
  await client.post('/invoices', terms);
  expect((await perennial('explain', 'invoice', 'NET-1')).out).toContain('(UTC), NET 7, AutoPay\n');
});

test('explain shows who acted: a key of the API, Perennial, or the customer on a page', async () => {
  const { client } = product;
  const who = (await client.post('/customers', { name: 'Gus', number: 'CUST-8', autopay: true })).id;
  const card = { method: 'credit_card' as const, gateway_token: 'tok_4242424242424242' };
  await client.post('/customers/{id}/payment_sources', card, { id: who });
  const charged = await client.post('/invoices', { customer: who, number: 'PAID-1', items: [{ unit_cost: 3 }] });
  await product.row(`select 1 from invoice where id = ${charged.id} and paid`);
  const charge = { customer: who, amount: 2, ...card, applied_to: [] };
  await client.post('/charges', charge);
  const estimate = await client.post('/estimates', { customer: who, number: 'EST-8', items: [{ unit_cost: 5 }] });
  const page = new URL(estimate.url ?? '').pathname;
  const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  expect((await fetch(new URL(page, product.url), { headers: browser })).status).toBe(200);
  const { out } = await perennial('explain', 'customer', 'CUST-8');
  for (const line of [
    /payment_source \d+ +API key "First key" +Visa 4242 added\n/,
    /customer \d+ +API key "First key" +customer updated: payment source/,
    /payment \d+ +Perennial +payment of \$3\.00 by card received\n/,
    /payment \d+ +API key "First key" +payment of \$2\.00 by card received\n/,
    /estimate \d+ +API key "First key" +estimate EST-8 issued for \$5\.00\n/,
    /estimate \d+ +customer +EST-8 looked at\n/,
  ])
    expect(out).toMatch(line);
});

test('explain shows subscriptions and customers', async () => {
  const { client } = product;
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  await client.post('/coupons', { id: 'five', name: 'Five off', value: 5, is_percent: false, currency: 'usd' });
  const chosen = { discounts: ['five'], taxes: ['city'] };
  const subscription = {
    ...chosen,
    customer,
    plan: 'gold',
    quantity: 3,
    start_date: Date.parse('2027-03-31T02:30:00Z') / 1000,
  };
  const { id } = await client.post('/subscriptions', subscription);
  const { out } = await perennial('explain', 'subscription', String(id));
  expect(out).toMatch(/Price +3 x 49\.00 = 147\.00 usd\n/);
  expect(out).toMatch(/Discount Five off \(five\) +5 usd\n +Tax City \(city\) +5 %\n +Each bill +149\.10 usd\n/);
  expect(out).toContain('period 1  2027-04-30 02:30 to 2027-05-31 02:30  anchor + 1 x 1 month\n');
  expect(out).toContain(
    `2027-03-31 02:30  subscription ${id}  first bill: the period starts, and its plan bills in advance\n`,
  );
  const calendar = { start_date: Date.parse('2027-03-20T09:00:00Z') / 1000, snap_to_nth_day: 1 };
  const contract = { cycles: 2, contract_renewal_mode: 'auto' as const, contract_renewal_cycles: 6 };
  const bound = await client.post('/subscriptions', { customer, plan: 'gold', ...calendar, ...contract });
  const ofBound = (await perennial('explain', 'subscription', String(bound.id))).out;
  expect(ofBound).toContain('0 cycles billed of 2, then renewed for 6\n');
  // 12 of 31 days
  expect(ofBound).toContain(
    '2027-03-20 09:00 to 2027-04-01 09:00  until day 1 of the month: 1036800 of 2678400 seconds\n',
  );
  expect(ofBound).toContain('period 1  2027-04-01 09:00 to 2027-05-01 09:00  from day 1 of the month\n');
  const ofCustomer = await perennial('explain', 'customer', 'CUST-7');
  expect(ofCustomer.out).toContain('Sum                141.01 = 141.01 usd\n');
  expect(ofCustomer.out).toContain('Sum        50.00 = 50.00 usd\n');
});

test('explain shows which credit paid an invoice, and which credit a customer has left', async () => {
  const { client } = product;
  const credited = (await client.post('/customers', { name: 'Cleo', number: 'CUST-9' })).id;
  await client.post('/credit_balance_adjustments', { customer: credited, amount: 15 });
  const note = { customer: credited, items: [{ unit_cost: 8 }] };
  await client.post('/credit_notes', { ...note, number: 'CN-9' });
  await client.post('/invoices', { customer: credited, number: 'CREDITED-1', items: [{ unit_cost: 20 }] });
  await client.post('/credit_notes', { ...note, number: 'CN-10' });
  const ofInvoice = await perennial('explain', 'invoice', 'CREDITED-1');
  expect(ofInvoice.out).toMatch(/payment \d+ {2}credit note CN-9, 2027-03-04 09:00 +8\.00\n/);
  expect(ofInvoice.out).toMatch(/payment \d+ {2}credit balance, 2027-03-04 09:00 +12\.00\n/); // 20 - 8
  expect(ofInvoice.out).not.toContain('STORED');
  const ofCustomer = await perennial('explain', 'customer', 'CUST-9');
  expect(ofCustomer.out).toMatch(
    /Credit: credit balance and open credit notes\n +credit balance +3\.00\n +credit note CN-10 +8\.00\n +Sum +3\.00 \+ 8\.00 = 11\.00 usd\n/,
  );
  expect(ofCustomer.out).toContain('Owed: balances of open invoices\n  nothing\n');
});

test('explain asks for a name without one, and for an account when several have the name', async () => {
  expect(await perennial('explain', 'invoice', 'INV-4711')).toMatchObject({
    code: 1,
    err: 'There is no invoice INV-4711.\n',
  });
  expect(await perennial('explain', 'invoice')).toMatchObject({ code: 1, out: expect.stringContaining('Usage') });
  const { sandbox } = await openUnlimited(product.deps.em, 'Rival', time.systemNow());
  await product.rows(
    `insert into customer select (jsonb_populate_record(c, jsonb_build_object('account_id', ?::int))).* from customer c
    where id = ${customer}`,
    [sandbox.id],
  );
  const several = await perennial('explain', 'customer', 'CUST-7');
  expect(several).toMatchObject({ code: 1, err: expect.stringContaining(`--account ${sandbox.id}   Rival, sandbox`) });
  const one = await perennial('explain', 'customer', 'CUST-7', '--account', String(sandbox.id));
  expect(one).toMatchObject({ code: 0, out: expect.stringContaining('Rival') });
});

test('an operator changes a setting that no key may change', async () => {
  const changed = await perennial('settings', String(product.accountId), 'rate_limit=500');
  expect(changed).toMatchObject({ code: 0, out: expect.stringMatching(/^ *rate_limit +500 /m) });
});

test('problems of all accounts are listed', async () => {
  expect(await perennial('problems')).toMatchObject({ code: 0, out: 'No problems\n' });
  const { accountId } = product;
  const report = { accountId, process: 'invoice' as const, id: 1, step: 'attempt 1', message: 'no gateway' };
  await inTransaction(product.deps.em, (em) => reportProblem(em, report, time.systemNow()));
  const { out } = await perennial('problems');
  expect(out).toContain(`invoice 1 of account ${accountId} (Acme, sandbox): problem 1\n`);
  expect(out).toMatch(/because {3}no gateway\n {2}at risk {3}141.01 usd\n {2}since {5}2027-03-04 09:00 UTC, 1 tries\n/);
  expect(out).toContain(`perennial explain invoice 1 --account ${accountId}\n\n1 open\n`);
});

test('explain of a customer tells of a discount for early payment that was offered and lapsed', async () => {
  const { client } = product;
  const who = (await client.post('/customers', { name: 'Dora', number: 'CUST-10' })).id;
  const terms = { payment_terms: '2% 10 NET 30', items: [{ unit_cost: 100 }] };
  await client.post('/invoices', { customer: who, number: 'EARLY-1', ...terms });
  time.moveTo('2027-03-15T00:00:00Z'); // 10 days after 4 March have ended
  await product.row(`select 1 from invoice where number = 'EARLY-1' and balance = 100`);
  const { out } = await perennial('explain', 'customer', 'CUST-10');
  const told = out.split('\n').filter((line) => line.includes('EARLY-1'));
  expect(told).toEqual([
    expect.stringMatching(/EARLY-1.*100\.00/),
    expect.stringMatching(
      /^ {2}2027-03-04 09:00 +invoice \d+ .*issued EARLY-1 for \$98\.00, with an early-payment discount of \$2\.00 until 14 March 2027$/, // 2 % of 100
    ),
    expect.stringMatching(/^ {2}2027-03-15 00:00 +invoice \d+ +Perennial +early-payment discount of EARLY-1 dropped/),
  ]);
});
