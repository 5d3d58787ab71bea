import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { payableMethods } from '../../../commands/charges/payable.ts';
import { Account } from '../../../db/schema/account.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { visitPage } from '../../support/payPage.ts';

let api: TestApi;
let sandbox: Client;
let live: Client;

beforeAll(async () => {
  api = await startApi();
  ({ sandbox, live } = api);
});
afterAll(() => api.close());

const manual = {
  enabled: false,
  min: null,
  max: null,
  currency: 'usd',
  instructions: null,
  gl_account: null,
  object: 'payment_method',
};

test('lists all methods with their defaults: cards and bank debits are offered', async () => {
  const { status, body } = await live.get('/payment_methods');
  expect(status).toBe(200);
  expect(body.map(({ id }: { id: string }) => id)).toEqual(
    'credit_card ach cash check eft direct_debit other online_wallet wire_transfer'.split(' '),
  );
  expect(body[0]).toEqual({ ...manual, id: 'credit_card', enabled: true, order: 1 });
  expect(body[3]).toEqual({ ...manual, id: 'check', order: 4 });
  expect((await live.get('/payment_methods/check')).body).toEqual(body[3]);
});

test('a change is stored, moves the method, and belongs to one account', async () => {
  const change = { enabled: true, order: 0, min: 5, max: 5000.5, instructions: 'Payable to Acme\nAustin' };
  const { status, body } = await sandbox.patch('/payment_methods/check', change);
  expect([status, body]).toEqual([200, { ...manual, ...change, id: 'check' }]);
  expect((await sandbox.get('/payment_methods')).body[0]).toEqual(body);
  expect((await sandbox.patch('/payment_methods/check', body)).body).toEqual(body);
  expect((await sandbox.patch('/payment_methods/check', {})).body).toEqual(body);
  const cleared = await sandbox.patch('/payment_methods/check', { min: null, max: '', instructions: null });
  expect(cleared.body).toEqual({ ...manual, id: 'check', enabled: true, order: 0 });
  expect((await live.get('/payment_methods/check')).body).toEqual({ ...manual, id: 'check', order: 4 });
});

test.each([
  [{ min: 6, max: 5 }, 'min'],
  [{ min: -1 }, 'min'],
  [{ max: -0.01 }, 'max'],
  [{ max: 1.005 }, 'max'],
  [{ min: 'much' }, 'min'],
  [{ max: 1e15 }, 'max'],
  [{ order: -1 }, 'order'],
  [{ order: 1.5 }, 'order'],
  [{ order: null }, 'order'],
  [{ order: 1001 }, 'order'],
  [{ enabled: null }, 'enabled'],
  [{ enabled: 'perhaps' }, 'enabled'],
  [{ instructions: 'x'.repeat(2001) }, 'instructions'],
  [{ instructions: 'a\0b' }, 'instructions'],
  [{ instructions: ['x'] }, 'instructions'],
  [{ name: 'Card' }, 'name'],
])('refuses %j, naming %s', async (change, param) => {
  const before = (await sandbox.get('/payment_methods')).body;
  expect(await sandbox.patch('/payment_methods/ach', change)).toMatchObject(refused({ param }));
  expect((await sandbox.get('/payment_methods')).body).toEqual(before);
});

test('a bound is compared with the stored other one', async () => {
  await sandbox.patch('/payment_methods/eft', { min: 10 });
  expect(await sandbox.patch('/payment_methods/eft', { max: 9.99 })).toMatchObject(refused({ param: 'max' }));
  expect(await sandbox.patch('/payment_methods/eft', { max: 10 })).toMatchObject({ body: { min: 10, max: 10 } });
});

test('bounds keep their currency, and both are sent when that of the account is another one', async () => {
  const other = (await api.open('Moved')).sandbox;
  await other.patch('/payment_methods/eft', { min: 10, max: 20 });
  await other.patch('/account', { currency: 'jpy' });
  expect(await other.get('/payment_methods/eft')).toMatchObject({ body: { min: 10, max: 20, currency: 'usd' } });
  expect(await other.patch('/payment_methods/eft', { max: 3000 })).toMatchObject(refused({ param: 'min' }));
  const change = { min: 1000, max: 3000 };
  expect(await other.patch('/payment_methods/eft', change)).toMatchObject({ body: { ...change, currency: 'jpy' } });
  expect(await other.patch('/payment_methods/eft', { min: 0.5 })).toMatchObject(refused({ param: 'min' }));
});

test.each(['bitcoin', 'CHECK', '1', '%00', 'x'.repeat(300)])('the method %s is not found', async (name) => {
  expect((await sandbox.get(`/payment_methods/${name}`)).status).toBe(name === '%00' ? 400 : 404);
  expect((await sandbox.patch(`/payment_methods/${name}`, { enabled: true })).status).toBe(name === '%00' ? 400 : 404);
});

test('changes of two bounds at the same time wait for each other', async () => {
  await sandbox.patch('/payment_methods/cash', { min: null, max: null });
  const changes = [{ min: 10 }, { max: 5 }].map((change) => sandbox.patch('/payment_methods/cash', change));
  const answers = await Promise.all(changes);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('a page is offered the methods that customer, document, amount and gateways allow', async () => {
  const shop = (await api.open('Pages')).live;
  const { id } = await shop.make('/customers', { name: 'Payer', disabled_payment_methods: ['cash'] });
  for (const method of ['cash', 'check', 'eft']) await shop.patch(`/payment_methods/${method}`, { enabled: true });
  await shop.patch('/payment_methods/check', { max: 50, instructions: 'To Acme' });
  const em = api.em.fork();
  const account = await em.findOneOrFail(Account, { id: shop.account.id });
  const customer = await em.findOneOrFail(Customer, { accountId: account.id, id });
  const offers = async (currency: string) => {
    const document = { disabledPaymentMethods: ['eft'] };
    const payable = { account, customer, document, amount: '50.01', currency };
    const found = await payableMethods(em, payable);
    return found.map(({ terms: { method }, obstacle, configuration }) => [method, obstacle, configuration]);
  };
  expect(await offers('usd')).toEqual([
    ['credit_card', 'no_gateway', null],
    ['ach', 'no_gateway', null],
    ['check', 'above_max', null],
  ]);
  const stripe = { gateway: 'stripe', name: 'Main', secret_key: 'sk_live_PageMethods', currencies: ['eur'] };
  const merchant = `stripe_${(await shop.make('/merchant_accounts', stripe)).id}`;
  expect((await offers('usd'))[0]).toEqual(['credit_card', 'no_gateway', null]);
  expect(await offers('eur')).toEqual([
    ['credit_card', null, merchant],
    ['ach', null, merchant],
    ['check', null, null],
  ]);
});

test.each([
  ['usd', null],
  ['eur', null],
  ['gbp', 'no_gateway'],
  ['jpy', 'no_gateway'],
])(
  'Stripe debits bank accounts in usd and eur alone: in %s, pages offer a debit with the obstacle %s',
  async (currency, obstacle) => {
    const { sandbox } = await api.open('Debits');
    const added = {
      gateway: 'stripe',
      name: 'Main',
      secret_key: 'sk_test_BankDebits',
      publishable_key: 'pk_test_Debits',
    };
    const merchant = await sandbox.make('/merchant_accounts', added);
    const { id } = await sandbox.make('/customers', { name: 'Ann', ach_gateway: merchant.id });
    const em = api.em.fork();
    const account = await em.findOneOrFail(Account, { id: sandbox.account.id });
    const customer = await em.findOneOrFail(Customer, { accountId: account.id, id });
    const payable = { account, customer, document: null, amount: '50', currency };
    const offers = (await payableMethods(em, payable)).map(({ terms: { method }, obstacle }) => [method, obstacle]);
    expect(offers).toEqual(
      expect.arrayContaining([
        ['credit_card', null],
        ['ach', obstacle],
      ]),
    );
    const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
    const { payment_url: url } = await sandbox.make('/invoices', { customer: id, currency, items });
    const shown = await visitPage(api, `${url}?method=ach`);
    expect(shown.html.includes('name="method" value="ach"')).toBe(obstacle === null);
    const token = { method: 'ach', gateway_token: 'pm_usBankAccount_success' };
    const tokenAt = (more: object) => sandbox.post('/service_tokens', { ...token, currency, ...more });
    for (const more of [{}, { merchant_account: merchant.id }])
      expect(await tokenAt(more)).toMatchObject(obstacle === null ? { status: 201 } : refused({ param: 'currency' }));
    if (obstacle === null) return;
    const charge = { ...token, customer: id, currency, amount: 50, applied_to: [] };
    const message = `No payment gateway takes a bank account in ${currency}`;
    expect(await sandbox.post('/charges', charge)).toMatchObject(refused({ param: 'gateway_token', message }));
  },
);

test('the test gateway debits in all currencies', async () => {
  const { sandbox } = await api.open('Tests');
  const { id } = await sandbox.make('/customers', { name: 'Ann' });
  const debit = { customer: id, method: 'ach', gateway_token: 'tok_110000000_123456789', amount: 5, applied_to: [] };
  expect((await sandbox.post('/charges', { ...debit, currency: 'gbp' })).status).toBe(201);
});
