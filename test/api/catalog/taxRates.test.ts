import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { matchingTaxRates } from '../../../commands/catalog/taxRules.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a tax rate can be created, read, listed, renamed and archived, which frees its id', async () => {
  const { sandbox } = api;
  const asked = { id: 'vat', name: 'VAT', value: 19, metadata: { office: 'Köln' } };
  const created = await sandbox.post('/tax_rates', asked);
  expect(created.status).toBe(201);
  expect(missingFields('tax_rate', created.body)).toEqual([]);
  const defaults = { is_percent: true, inclusive: false, currency: null };
  expect(created.body).toMatchObject({ object: 'tax_rate', ...asked, ...defaults });
  expect((await sandbox.get('/tax_rates/vat')).body).toEqual(created.body);
  expect((await sandbox.get('/tax_rates?filter[inclusive]=false&sort=name')).body).toEqual([created.body]);
  expect((await sandbox.get('/tax_rates?filter[is_percent]=false')).body).toEqual([]);

  const changed = await sandbox.patch('/tax_rates/vat', { name: 'Value added tax', value: 19, inclusive: false });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Value added tax', value: 19, inclusive: false } });
  expect(await sandbox.post('/tax_rates', asked)).toMatchObject(refused({ param: 'id' }));
  expect((await sandbox.delete('/tax_rates/vat')).status).toBe(204);
  expect((await sandbox.get('/tax_rates/vat')).status).toBe(404);
  expect((await sandbox.patch('/tax_rates/vat', { name: 'x' })).status).toBe(404);
  expect((await sandbox.delete('/tax_rates/vat')).status).toBe(404);
  expect(await sandbox.make('/tax_rates', { ...asked, value: 20 })).toMatchObject({ id: 'vat', value: 20 });
});

test('an id is generated when none is given, and an amount has a currency', async () => {
  const { sandbox } = api;
  expect((await sandbox.make('/tax_rates', { name: 'Made', value: 0 })).id).toMatch(/^tax_rate_[0-9a-f]{16}$/);
  const flat = { name: 'Deposit', value: 0.25, is_percent: false };
  expect(await sandbox.make('/tax_rates', flat)).toMatchObject({ ...flat, currency: 'usd' });
  expect((await sandbox.make('/tax_rates', { ...flat, value: 0.005, currency: 'KWD' })).currency).toBe('kwd');
});

const rate = { name: 'R', value: 5 };
const rule = { tax_rate: 'used' };

test.each([
  ['/tax_rates', { value: 5 }, 'name'],
  ['/tax_rates', { name: 'R' }, 'value'],
  ['/tax_rates', { ...rate, value: -1 }, 'value'],
  ['/tax_rates', { ...rate, value: 100.5 }, 'value'],
  ['/tax_rates', { ...rate, value: '5' }, 'value'],
  ['/tax_rates', { ...rate, value: 0.005, is_percent: false, currency: 'usd' }, 'value'],
  ['/tax_rates', { ...rate, currency: 'xyz' }, 'currency'],
  ['/tax_rates', { ...rate, id: 'x' }, 'id'],
  ['/tax_rates', { ...rate, percent: 5 }, 'percent'],
  ['/tax_rules', {}, 'tax_rate'],
  ['/tax_rules', { tax_rate: 'nothing' }, 'tax_rate'],
  ['/tax_rules', { ...rule, country: 'Germany' }, 'country'],
  ['/tax_rules', { ...rule, state: 'BY' }, 'country'],
  ['/tax_rules', { ...rule, country: 'DE', state: 'x'.repeat(256) }, 'state'],
  ['/tax_rules', { ...rule, metadata: {} }, 'metadata'],
])('%s %j is refused, naming %s', async (path, body, param) => {
  await api.sandbox.post('/tax_rates', { ...rate, id: 'used' });
  expect(await api.sandbox.post(path, body)).toMatchObject(refused({ type: 'invalid_request', param }));
});

test('a tax rule can be created, read, expanded, listed, changed and deleted', async () => {
  const { sandbox } = await api.open('Ruled');
  for (const id of ['full', 'reduced']) await sandbox.post('/tax_rates', { ...rate, id });
  const created = await sandbox.post('/tax_rules', { tax_rate: 'full', country: 'de' });
  expect(missingFields('tax_rule', created.body)).toEqual([]);
  expect(created).toMatchObject({
    status: 201,
    body: { object: 'tax_rule', tax_rate: 'full', country: 'DE', state: null },
  });
  const one = `/tax_rules/${created.body.id}`;
  expect((await sandbox.get(one)).body).toEqual(created.body);
  expect((await sandbox.get(`${one}?expand=tax_rate`)).body.tax_rate).toMatchObject({ id: 'full', value: 5 });
  expect((await sandbox.get('/tax_rules?filter[tax_rate]=full&filter[country]=DE')).body).toEqual([created.body]);
  expect((await sandbox.get('/tax_rules?filter[tax_rate]=reduced')).body).toEqual([]);

  const changed = await sandbox.patch(one, { tax_rate: { id: 'reduced' }, state: 'BY' });
  expect(changed).toMatchObject({ status: 200, body: { tax_rate: 'reduced', country: 'DE', state: 'BY' } });
  expect(await sandbox.patch(one, { country: null })).toMatchObject(refused({ param: 'country' }));
  expect((await sandbox.patch(one, { country: null, state: null })).body).toMatchObject({ country: null, state: null });
  expect((await sandbox.get(one)).body).toMatchObject({ tax_rate: 'reduced', country: null, state: null });
  expect((await sandbox.delete(one)).status).toBe(204);
  expect((await sandbox.get(one)).status).toBe(404);
});

test('taxes of a customer, an item and a subscription are rates in answers, and ids or rates in requests', async () => {
  const { sandbox } = api;
  const [one, other] = await Promise.all(
    ['one', 'other'].map(async (id) => {
      const { gl_account, ...shown } = await sandbox.make('/tax_rates', { id, name: id, value: 5 });
      expect(gl_account).toBe(null); // only of the rate itself
      return shown;
    }),
  );
  await sandbox.post('/plans', { id: 'taxed', name: 'Taxed', amount: 10, interval: 'month' });
  const customer = (await sandbox.make('/customers', { name: 'Untaxed' })).id;
  for (const [path, body] of [
    ['/customers', { name: 'Taxed' }],
    ['/items', { name: 'Taxed' }],
    ['/subscriptions', { customer, plan: 'taxed' }],
  ] as const) {
    const made = await sandbox.post(path, { ...body, taxes: ['one', other] });
    expect([path, made.status, made.body.taxes]).toEqual([path, 201, [one, other]]);
    expect((await sandbox.get(`${path}/${made.body.id}`)).body.taxes).toEqual([one, other]);
    if (path === '/items') continue; // items keep their rates
    const changed = await sandbox.patch(`${path}/${made.body.id}`, { taxes: [other] });
    expect([path, changed.status, changed.body.taxes]).toEqual([path, 200, [other]]);
    expect((await sandbox.patch(`${path}/${made.body.id}`, { taxes: ['one'] })).body.taxes).toEqual([one]);
  }
});

test('a tax rate that a rule applies cannot be deleted, and a rule cannot apply a deleted rate', async () => {
  const { sandbox } = await api.open('Applied');
  await sandbox.post('/tax_rates', { ...rate, id: 'used' });
  const { id } = await sandbox.make('/tax_rules', { tax_rate: 'used' });
  expect(await sandbox.delete('/tax_rates/used')).toMatchObject(
    refused({ type: 'invalid_request', message: `Tax rule ${id} applies tax rate used: delete the rule first` }),
  );
  await sandbox.delete(`/tax_rules/${id}`);
  expect((await sandbox.delete('/tax_rates/used')).status).toBe(204);
  expect(await sandbox.post('/tax_rules', rule)).toMatchObject(refused({ param: 'tax_rate' }));
});

test('creating a rule while its rate is deleted never leaves a rule with a deleted rate', async () => {
  const { sandbox } = await api.open('Raced');
  for (let round = 0; round < 10; round++) {
    const id = `raced-${round}`;
    await sandbox.post('/tax_rates', { ...rate, id });
    const making = sandbox.post('/tax_rules', { tax_rate: id });
    const [made, deleted] = await Promise.all([making, sandbox.delete(`/tax_rates/${id}`)]);
    expect([`${made.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(201 400|400 204)$/)]);
  }
});

test('rules match country and state, null matches any, and rates of another currency are left out', async () => {
  const { sandbox } = await api.open('Matched');
  const places = {
    world: {},
    germany: { country: 'DE' },
    bavaria: { country: 'DE', state: 'BY' },
    us: { country: 'US' },
  };
  for (const [id, place] of Object.entries(places)) {
    await sandbox.post('/tax_rates', { ...rate, id });
    for (let twice = 0; twice < 2; twice++) await sandbox.post('/tax_rules', { tax_rate: id, ...place });
  }
  await sandbox.post('/tax_rates', { id: 'euros', name: 'Flat', value: 1, is_percent: false, currency: 'eur' });
  await sandbox.post('/tax_rules', { tax_rate: 'euros' });
  const match = async (country: string | null, state: string | null, currency = 'usd') => {
    const sale = { accountId: sandbox.account.id, country, state, currency, buyerOwes: false };
    return (await inTransaction(api.em, (em) => matchingTaxRates(em, sale))).map(({ code }) => code);
  };
  expect(await match('DE', 'by')).toEqual(['world', 'germany', 'bavaria']);
  expect(await match('DE', null)).toEqual(['world', 'germany']);
  expect(await match('US', 'BY')).toEqual(['world', 'us']);
  expect(await match(null, null, 'eur')).toEqual(['world', 'euros']);
});
