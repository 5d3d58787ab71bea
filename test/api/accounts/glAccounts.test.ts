import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

test('a general ledger account is created, listed, renamed and deleted', async () => {
  const made = await client.make('/gl_accounts', { code: '4000', name: 'Sales', type: 'income' });
  expect(made).toMatchObject({ object: 'gl_account', code: '4000', name: 'Sales', type: 'income' });
  const { id: other } = await client.make('/gl_accounts', { code: '0400', name: 'Machines' });
  const { body } = await client.get('/gl_accounts?sort=code%20asc');
  expect(body.map(({ code }: { code: string }) => code)).toEqual(['0400', '4000']);
  expect(successBody(await client.patch(`/gl_accounts/${made.id}`, { name: 'Services' })).name).toBe('Services');
  expect((await client.delete(`/gl_accounts/${other}`)).status).toBe(204);
  expect((await client.get(`/gl_accounts/${other}`)).status).toBe(404);
  expect((await api.live.get('/gl_accounts')).body).toEqual([]); // another account
});

test('a code is unique as people see it', async () => {
  await client.make('/gl_accounts', { code: 'Bank-1', name: 'Bank' });
  for (const code of ['Bank-1', ' bank‑1 ', 'BANK-1'])
    expect(await client.post('/gl_accounts', { code, name: 'Twin' })).toMatchObject(
      refused({ param: 'code', code: 'already_taken' }),
    );
  for (const code of ['', ' ', 'a\u200bb', 'x'.repeat(256)])
    expect(await client.post('/gl_accounts', { code, name: 'Bad' })).toMatchObject(refused({ param: 'code' }));
  expect(await client.post('/gl_accounts', { code: '1', name: 'Bad', type: 'money' })).toMatchObject(
    refused({ param: 'type' }),
  );
});

test('while something names the code, it stays', async () => {
  const uses: [string, string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'item',
      'Item named',
      () => client.make('/items', { id: 'named', name: 'Named', gl_account: 'item' }),
      () => client.delete('/items/named'),
    ],
    [
      'rate',
      'Tax rate named',
      () => client.make('/tax_rates', { id: 'named', name: 'Named', value: 5, gl_account: 'rate' }),
      () => client.patch('/tax_rates/named', { gl_account: null }),
    ],
    [
      'method',
      'Payment method check',
      () => client.patch('/payment_methods/check', { gl_account: 'method' }),
      () => client.patch('/payment_methods/check', { gl_account: 'other' }),
    ],
    [
      'mapped',
      'Ledger account receivable of gl_mapping',
      () => client.patch('/account', { gl_mapping: { receivable: 'mapped' } }),
      () => client.patch('/account', { gl_mapping: { receivable: null } }),
    ],
    [
      'debt',
      'Setting bad_debt_account',
      () => client.patch('/account', { bad_debt_account: 'debt' }),
      () => client.patch('/account', { bad_debt_account: null }),
    ],
  ];
  for (const [code, user, use, release] of uses) {
    const { id } = await client.make('/gl_accounts', { code, name: code });
    await use();
    const inUse = refused({ code: 'in_use', message: expect.stringContaining(user) });
    expect(await client.delete(`/gl_accounts/${id}`)).toMatchObject(inUse);
    expect(await client.patch(`/gl_accounts/${id}`, { code: `${code} 2` })).toMatchObject(inUse);
    expect((await client.patch(`/gl_accounts/${id}`, { code, name: 'Other' })).status).toBe(200);
    await release();
    expect((await client.delete(`/gl_accounts/${id}`)).status).toBe(204);
  }
});

test('a code is named in any spelling, and entries name it for good', async () => {
  const { sandbox: own } = await api.open('Spelled');
  const listed = async (code: string) => Number((await own.make('/gl_accounts', { code, name: code })).id);
  const used = (message: string) => refused({ code: 'in_use', message: expect.stringContaining(message) });
  const account = await listed('4000a');
  await own.make('/items', { id: 'hour', name: 'Hour', unit_cost: 1, gl_account: '4000A' });
  await own.make('/items', { id: 'day', name: 'Day', unit_cost: 2, gl_account: '5000' });
  expect(await own.delete(`/gl_accounts/${account}`)).toMatchObject(used('Item hour has'));
  await own.delete('/items/hour');
  expect((await own.delete(`/gl_accounts/${account}`)).status).toBe(204); // nothing was sold
  await own.make('/tax_rates', { id: 'vat', name: 'VAT', value: 50, gl_account: 'Tax-1' });
  await own.make('/tax_rates', { id: 'city', name: 'City', value: 50, gl_account: 'tax-2' });
  const customer = (await own.make('/customers', { name: 'Acme' })).id;
  const items = [{ catalog_item: 'day', taxes: ['vat'] }];
  await own.make('/invoices', { customer, items });
  for (const path of ['/items/day', '/tax_rates/vat', '/tax_rates/city']) await own.delete(path);
  for (const [code, ledgerAccount] of [
    ['5000', 'revenue:5000'],
    ['TAX‑1', 'tax_payable:vat'],
  ] as const) {
    const id = await listed(code);
    expect(await own.delete(`/gl_accounts/${id}`)).toMatchObject(used(`${ledgerAccount} has entries`));
    expect(await own.patch(`/gl_accounts/${id}`, { code: '7' })).toMatchObject(used(ledgerAccount));
  }
  expect((await own.delete(`/gl_accounts/${await listed('TAX-2')}`)).status).toBe(204); // archived without entries
});

test('the mapping has known ledger accounts; what is not named stays', async () => {
  await client.patch('/account', { gl_mapping: { cash: '0100', revenue: '4000' } });
  const { gl_mapping: mapping } = successBody(await client.patch('/account', { gl_mapping: { revenue: '' } }));
  expect(mapping).toMatchObject({ cash: '0100', revenue: null, receivable: null });
  expect(await client.patch('/account', { gl_mapping: { money: '1' } })).toMatchObject(
    refused({ param: 'gl_mapping[money]' }),
  );
  expect(successBody(await client.get('/tax_rates/named'))).toMatchObject({ gl_account: null });
  expect(successBody(await client.get('/payment_methods/check'))).toMatchObject({ gl_account: 'other' });
});
