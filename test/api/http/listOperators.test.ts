import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, linkOf, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customers: number[];
beforeAll(async () => {
  api = await startApi();
  customers = [];
  for (const name of ['Nils Öberg', 'Ada', 'Bob', 'Ada'])
    customers.push((await api.sandbox.make('/customers', { name, ...(name === 'Bob' ? { country: 'DE' } : {}) })).id);
  const field = { object: 'invoice', name: 'Segment', type: 'enum', choices: ['retail', 'trade'] };
  await api.sandbox.make('/custom_fields', { id: 'segment', ...field });
  await api.sandbox.make('/custom_fields', { id: 'seats', object: 'invoice', name: 'Seats', type: 'integer' });
  for (const [index, unit_cost] of [300, 9.5, 1000, 9.5, 300].entries())
    await api.sandbox.make('/invoices', {
      customer: customers[index % 4],
      number: `A-${index}`,
      name: `Roof n${index} ladder`,
      items: [{ unit_cost }],
      date: 1_790_000_000 + index * 86_400,
      ...(index === 1 ? { due_date: 1_800_000_000 } : { autopay: true }),
      metadata: index < 2 ? { segment: 'retail', seats: '5' } : index === 2 ? { segment: 'trade' } : {},
    });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const numbers = ({ status, body }: Answer) =>
  status === 200 ? body.map(({ number }: { number: string }) => Number(number.replace('A-', ''))) : [status, body];
const found = async (query: string) => numbers(await api.sandbox.get(`/invoices?${query}`));

test('ranges, sets, words and missing values filter lists, alone and together', async () => {
  expect(await found('filter[total][gte]=300&sort=total')).toEqual([0, 4, 2]);
  expect(await found('filter[total][gt]=9.5&filter[total][lt]=1000')).toEqual([0, 4]);
  expect(await found('filter[total]=9.50')).toEqual([1, 3]);
  expect(await found('filter[total][in]=1000,9.5')).toEqual([1, 2, 3]);
  expect(await found('filter[number][in]=a-2,A-4&sort=number desc')).toEqual([4, 2]);
  expect(await found(`filter[customer][in]=${customers[0]},${customers[2]}`)).toEqual([0, 2, 4]);
  expect(await found('filter[status][in]=not_sent,past_due&filter[total][lte]=300')).toEqual([0, 1, 3, 4]);
  expect(await found('filter[date][gte]=1790172800&filter[date][lt]=1790345600&sort=date desc')).toEqual([3, 2]);
  expect(await found('filter[due_date][empty]=false')).toEqual([1]);
  expect(await found('filter[due_date][empty]=true&sort=total desc')).toEqual([2, 4, 0, 3]);
  expect(await found('filter[name][contains]=LADD n3')).toEqual([3]);
  expect(await found('filter[name][contains]=roof&filter[total]=300')).toEqual([0, 4]);
  expect((await api.sandbox.get('/customers?filter[name][contains]=oberg')).body).toHaveLength(1);
  expect((await api.sandbox.get('/customers?filter[country][empty]=true')).body).toHaveLength(3);
});

test('a column whose index has no nulls finds the objects with a value', async () => {
  const [parent, child] = customers;
  await api.sandbox.patch(`/customers/${child}`, { parent_customer: parent });
  const { body } = await api.sandbox.get('/customers?filter[parent_customer][empty]=false&sort=name');
  expect(body.map(({ id }: { id: number }) => id)).toEqual([child]);
  expect(await found('filter[payment_failure][empty]=false')).toEqual([]);
  await api.em.execute("update invoice set payment_failure_code = 'expired' where number in ('A-2', 'A-3')");
  expect(await found('filter[payment_failure][empty]=false&sort=date')).toEqual([2, 3]);
  await api.em.execute('update invoice set payment_failure_code = null');
  await api.sandbox.patch(`/customers/${child}`, { parent_customer: null });
});

test('days that move on with the calendar filter by the zone of the account', async () => {
  const { systemNow } = api.deps;
  const comeTo = (zone: string, iso: string) => {
    api.deps.systemNow = () => new Date(iso);
    return api.sandbox.patch('/account', { time_zone: zone });
  };
  await comeTo('UTC', '2026-09-24T08:00:00Z'); // dates are 21 to 25 September, 14:13 UTC
  expect(await found('filter[date][within]=today&sort=date')).toEqual([3]);
  expect(await found('filter[date][within]=last_7_days&sort=date')).toEqual([0, 1, 2, 3]);
  expect(await found('filter[date][within]=before_today&filter[total]=300')).toEqual([0]);
  expect(await found('filter[date][within]=from_today&sort=date')).toEqual([3, 4]);
  await comeTo('Pacific/Pago_Pago', '2026-09-24T08:00:00Z'); // the evening of the 23rd
  expect(await found('filter[date][within]=today')).toEqual([2]);
  await comeTo('Pacific/Pago_Pago', '2026-09-24T12:00:00Z');
  expect(await found('filter[date][within]=today')).toEqual([3]);
  api.deps.systemNow = systemNow;
});

test('documents are sorted by amounts and by the names of their customers, a page at a time', async () => {
  const sorts = {
    total: [1, 3, 0, 4, 2],
    'total desc': [2, 4, 0, 3, 1],
    'balance desc': [2, 4, 0, 3, 1],
    // Ada has 1, the other Ada 3, Bob 2, Nils 0 and 4.
    'customer.name': [1, 3, 2, 0, 4],
    'customer.name desc': [4, 0, 2, 3, 1],
  };
  for (const [sort, expected] of Object.entries(sorts)) {
    const seen: number[] = [];
    let at: string | undefined = `/invoices?sort=${sort}&per_page=2`;
    while (at) {
      const page: Answer = await api.sandbox.get(at);
      seen.push(...numbers(page));
      at = linkOf(page, 'next');
    }
    expect([sort, seen]).toEqual([sort, expected]);
  }
  expect(await found('sort=customer.name&filter[total]=300')).toEqual([0, 4]);
  expect(await found('sort=customer.name desc&filter[name][contains]=roof')).toEqual([4, 0, 2, 3, 1]);
});

test('custom fields filter lists and are columns of their CSV', async () => {
  expect(await found('filter[custom_fields][segment]=retail')).toEqual([0, 1]);
  expect(await found('filter[custom_fields][segment][in]=retail,trade&sort=total desc')).toEqual([2, 0, 1]);
  const csv = await api.sandbox.get('/invoices?filter[total]=1000&format=csv&columns=number,custom_fields.segment');
  expect(String(csv.body).trim().split(/\r?\n/)).toEqual(['number,custom_fields.segment', 'A-2,trade']);
});

test.each([
  ['filter[colour]=red', 'parameter_unknown', 'filter[colour]'],
  ['filter[total][over]=3', 'parameter_unknown', 'filter[total][over]'],
  ['filter[total][within]=today', 'parameter_unknown', 'filter[total][within]'],
  ['filter[date][within]=some_day', 'parameter_invalid', 'filter[date][within]'],
  ['filter[total][gte]=many', 'parameter_invalid', 'filter[total][gte]'],
  ['filter[autopay][empty]=true', 'parameter_unknown', 'filter[autopay][empty]'],
  ['filter[payment_failure][empty]=true', 'filter_unbounded', 'filter[payment_failure][empty]'],
  ['filter[total][contains]=3', 'parameter_unknown', 'filter[total][contains]'],
  ['filter[total][in]=3,', 'parameter_invalid', 'filter[total][in]'],
  [`filter[total][in]=${Array.from({ length: 51 }, (_, n) => n)}`, 'parameter_invalid', 'filter[total][in]'],
  ['filter[name][contains]=a roof&search=roof', 'filter_unbounded', 'filter[name][contains]'],
  ['filter[custom_fields][segment]=whole', 'parameter_invalid', 'filter[custom_fields][segment]'],
  ['filter[custom_fields][segmnt]=retail', 'parameter_unknown', 'filter[custom_fields][segmnt]'],
  ['filter[custom_fields][seats][gte]=3', 'filter_unbounded', 'filter[custom_fields][seats][gte]'],
  ['sort=total,customer.name', 'parameter_invalid', 'sort'],
  ['format=csv&columns=custom_fields.segmnt', 'parameter_unknown', 'columns'],
])('%s is refused with its place', async (query, code, param) => {
  const answer = await api.sandbox.get(`/invoices?${query}`);
  expect(answer).toMatchObject(refused({ code, param }));
});

test('a saved view keeps such filters, and refuses those that the list would', async () => {
  const view = {
    name: 'Large',
    list: 'customers',
    query: { 'filter[balance][gte]': '9', sort: 'balance desc', currency: 'eur' },
  };
  await api.sandbox.make('/saved_views', view);
  const other = { ...view, query: { 'filter[balance][gte]': 'much' } };
  expect(await api.sandbox.post('/saved_views', other)).toMatchObject(
    refused({ param: 'query[filter[balance][gte]]' }),
  );
});
