import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { declaredLists } from '../../support/listPlans.ts';

/** Time windows of lists: three objects of each kind, a hundred seconds apart. Both bounds are inclusive. */

const FIRST = Date.UTC(2027, 2, 1) / 1000;
let now = FIRST;
let api: TestApi;
/** Ids of the three objects of each list. */
const made: Record<string, (number | string)[]> = {};
let customer: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  for (const step of [0, 1, 2]) {
    now = FIRST + step * 100;
    await makeAll(step);
  }
});
afterAll(() => api.close());

async function makeAll(step: number): Promise<void> {
  const make = async (path: string, body: object) => {
    const object = await api.sandbox.make(path, body);
    made[path] = [...(made[path] ?? []), object.id];
    return object;
  };
  customer = (await make('/customers', { name: `Customer ${step}` })).id;
  await make('/items', { id: `item-${step}`, name: 'a' });
  await make('/plans', { id: `plan-${step}`, name: 'a', amount: 1, interval: 'month' });
  await make('/subscriptions', { customer, plan: `plan-${step}`, start_date: 4_000_000_000 });
  await make('/invoices', { customer, items: [{ unit_cost: 1 }] });
  await make('/payments', { customer, amount: 1, method: `${['cash', 'check', 'eft'][step]}` });
  const redirect_uris = ['https://client.example/back'];
  await make('/oauth_applications', { name: `Application ${step}`, redirect_uris });
  await make('/webhooks', { url: 'http://127.0.0.1:9/', enabled: false });
}

const ids = async (path: string, query: string) =>
  (await api.sandbox.get(`${path}?${query}`)).body.map(({ id }: { id: number }) => id);

const windows: [path: string, from: string, to: string][] = [
  ...[
    '/customers',
    '/items',
    '/plans',
    '/subscriptions',
    '/invoices',
    '/payments',
    '/webhooks',
    '/oauth_applications',
  ].map((path): [string, string, string] => [path, 'updated_after', 'updated_before']),
  ['/invoices', 'start_date', 'end_date'],
  ['/payments', 'start_date', 'end_date'],
];

test.each(windows)('%s can be filtered by %s and %s', async (path, from, to) => {
  const [one, two, three] = made[path] ?? [];
  expect(await ids(path, `${from}=${FIRST + 100}`)).toEqual([two, three]);
  expect(await ids(path, `${from}=${FIRST + 101}`)).toEqual([three]);
  expect(await ids(path, `${to}=${FIRST + 100}`)).toEqual([one, two]);
  expect(await ids(path, `${to}=${FIRST + 99}`)).toEqual([one]);
  expect(await ids(path, `${from}=${FIRST + 100}&${to}=${FIRST + 100}`)).toEqual([two]);
  const counted = await api.sandbox.get(`${path}?${from}=${FIRST + 1}&${to}=${FIRST + 199}&per_page=1`);
  expect(counted.headers.get('X-Total-Count')).toBe('1');
});

test('every list can be bounded by change; lists of unchanging objects by creation', () => {
  const without = declaredLists().flatMap(({ path, resource }) => {
    const names = Object.keys(resource.parameters ?? {});
    return !(names.includes('updated_after') && names.includes('updated_before')) ? [path] : [];
  });
  expect(without).toEqual([]);
});

test('events and timelines are bounded by their dates', async () => {
  for (const path of ['/events', `/customers/${customer}/timeline`]) {
    for (const [from, to] of [
      [FIRST + 100, FIRST + 100],
      [FIRST + 201, FIRST + 300],
    ]) {
      const dated = await ids(path, `start_date=${from}&end_date=${to}`);
      expect(await ids(path, `updated_after=${from}&updated_before=${to}`)).toEqual(dated);
    }
    expect(await ids(path, `updated_after=${FIRST + 200}`)).not.toEqual([]);
    expect(await ids(path, `updated_before=${FIRST - 1}`)).toEqual([]);
  }
});

test('events can be bounded by start_date and end_date, newest first and as a feed', async () => {
  const { body: all } = await api.sandbox.get('/events');
  const at = (time: number) =>
    all.flatMap(({ id, timestamp }: { id: number; timestamp: number }) => (timestamp === time ? [id] : []));
  expect(at(FIRST + 100)).toHaveLength(4); // customer, subscription, invoice, payment
  expect(await ids('/events', `end_date=${FIRST + 99}`)).toEqual(at(FIRST));
  expect(await ids('/events', `start_date=${FIRST + 101}`)).toEqual(at(FIRST + 200));
  expect(await ids('/events', `start_date=${FIRST + 100}&end_date=${FIRST + 100}`)).toEqual(at(FIRST + 100));
});

test('stored sources can be bounded by updated_after and updated_before', async () => {
  const path = `/customers/${made['/customers']?.[0]}/payment_sources`;
  const store = async (at: number) => {
    now = at;
    const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
    return (await api.sandbox.post(path, card)).body.id;
  };
  const [one, two] = [await store(FIRST + 500), await store(FIRST + 600)];
  expect(await ids(path, `updated_after=${FIRST + 501}`)).toEqual([two]);
  expect(await ids(path, `updated_before=${FIRST + 599}`)).toEqual([one]);
});

test('charges can be bounded by start_date and end_date', async () => {
  const charge = async () => {
    const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
    const { body } = await api.sandbox.post('/charges', { customer, amount: 1, applied_to: [], ...card });
    expect(body.charge).toMatchObject({ created_at: now, updated_at: now });
    return body.charge.id;
  };
  now = FIRST + 700;
  const first = await charge();
  now = FIRST + 800;
  const second = await charge();
  expect(await ids('/charges', `end_date=${FIRST + 700}`)).toEqual([first]);
  expect(await ids('/charges', `start_date=${FIRST + 701}`)).toEqual([second]);
  expect(await ids('/charges', `updated_before=${FIRST + 799}`)).toEqual([first]);
  expect(await ids('/charges', `updated_after=${FIRST + 800}`)).toEqual([second]);
});

test('a change moves an object into a later window', async () => {
  now = FIRST + 1000;
  const [one] = made['/customers'] ?? [];
  await api.sandbox.patch(`/customers/${one}`, { notes: 'changed' });
  expect(await ids('/customers', `updated_after=${FIRST + 999}`)).toEqual([one]);
});

test.each(['true', '1', 'True', 'TRUE'])('filter[…]=%s and its opposite split a list in two', async (word) => {
  const opposite = { true: 'false', '1': '0', True: 'False', TRUE: 'FALSE' }[word];
  const { body: mine } = await api.sandbox.post('/customers', { name: `Auto ${word}`, autopay: true });
  const on = await ids('/customers', `filter[autopay]=${word}`);
  expect(on).toContain(mine.id);
  expect(await ids('/customers', `filter[autopay]=${opposite}`)).toEqual(made['/customers']);
});
