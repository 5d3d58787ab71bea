import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countryCodes } from '../../../billing/country.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Reserved, withdrawn or user-assigned codes. CLDR has names for all of them. */
const OF_NO_COUNTRY = ['AN', 'CS', 'DD', 'EU', 'EZ', 'FX', 'IC', 'QO', 'SU', 'UN', 'XA', 'XI', 'XK', 'YU', 'ZZ'];

test('all country fields accept the 249 countries of ISO 3166-1', async () => {
  expect(countryCodes).toHaveLength(249);
  expect(countryCodes).toEqual(expect.arrayContaining(['AX', 'BL', 'DE', 'GB', 'PS', 'SS', 'TW', 'US']));
  const { sandbox } = api;
  const customer = (await sandbox.make('/customers', { name: 'Ours' })).id;
  await sandbox.post('/tax_rates', { id: 'full', name: 'VAT', value: 19 });
  const places: [path: string, method: 'POST' | 'PATCH', param: string, body: (country: string) => object][] = [
    ['/customers', 'POST', 'country', (country) => ({ name: 'C', country })],
    [`/customers/${customer}/contacts`, 'POST', 'country', (country) => ({ name: 'C', country })],
    ['/account', 'PATCH', 'country', (country) => ({ country })],
    ['/tax_rules', 'POST', 'country', (country) => ({ tax_rate: 'full', country })],
    ['/invoices', 'POST', 'ship_to[country]', (country) => ({ customer, ship_to: { country }, draft: true })],
    ['/estimates', 'POST', 'ship_to[country]', (country) => ({ customer, ship_to: { country }, draft: true })],
  ];
  for (const [path, method, param, body] of places) {
    for (const country of OF_NO_COUNTRY) {
      const answer = await sandbox.request(method, path, body(country));
      expect(answer).toMatchObject(refused({ param }));
      expect(answer.body.message).toBe(`Country must be a two-letter country code of ISO 3166-1: ${country}`);
    }
    expect((await sandbox.request(method, path, body('se'))).status).toBe(method === 'POST' ? 201 : 200);
  }
  for (const country of countryCodes) {
    expect((await sandbox.patch(`/customers/${customer}`, { country })).body).toMatchObject({ country });
  }
});

test('codes of VAT numbers and of the internet are refused with the intended country', async () => {
  for (const [country, meant] of [
    ['EL', 'GR'],
    ['uk', 'GB'],
  ]) {
    const { status, body } = await api.sandbox.post('/customers', { name: 'C', country });
    expect([status, body.message]).toEqual([
      400,
      `Country must be a two-letter country code of ISO 3166-1; did you mean ${meant}?`,
    ]);
  }
});
