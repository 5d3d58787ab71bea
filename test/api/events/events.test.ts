import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { appendOnce } from '../../support/eventLog.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Seen' })).id;
  await api.sandbox.post('/invoices', { customer, items: [{ name: 'x', unit_cost: 1 }] });
  await api.sandbox.patch(`/customers/${customer}`, { name: 'Renamed' });
  await api.live.post('/customers', { name: 'Somebody else' });
});
afterAll(() => api.close());

const typesOf = (answer: { body: { type: string }[] }) => answer.body.map((event) => event.type);

test('events can be read one by one, and are listed newest first', async () => {
  const listed = await api.sandbox.get('/events');
  expect(typesOf(listed)).toEqual(['customer.updated', 'invoice.created', 'customer.created']);
  const [updated, created] = listed.body;
  expect(missingFields('event', updated)).toEqual([]);
  expect(missingFields('user', updated.user)).toEqual([]);
  expect(updated.data).toMatchObject({ object: { object: 'customer', name: 'Renamed' }, previous: { name: 'Seen' } });
  expect(created.data.object).toMatchObject({ object: 'invoice', customer: { object: 'customer', name: 'Seen' } });
  expect((await api.sandbox.get(`/events/${updated.id}`)).body).toEqual(updated);
  const shown = (await api.sandbox.get(`/customers/${customer}`)).body;
  expect(JSON.stringify(updated.data.object)).toBe(JSON.stringify(shown)); // including the order of its members
});

test('events can be filtered by type, object and time', async () => {
  expect(typesOf(await api.sandbox.get('/events?type=invoice.created'))).toEqual(['invoice.created']);
  const related = await api.sandbox.get(`/events?related_to=customer,${customer}`);
  expect(typesOf(related)).toEqual(['customer.updated', 'customer.created']);
  expect(typesOf(await api.sandbox.get('/events?start_date=7000000000'))).toEqual([]);
  expect((await api.sandbox.get('/events?end_date=7000000000')).headers.get('X-Total-Count')).toBe('3');
});

test('the feed gives each event once, in the order of the log, after the relay has logged it', async () => {
  expect((await api.sandbox.get('/events?after_id=0')).body).toEqual([]);
  expect(await appendOnce(api.databaseUrl)).toBe(4);
  const first = await api.sandbox.get('/events?after_id=0&per_page=2');
  expect(typesOf(first)).toEqual(['customer.created', 'invoice.created']);
  expect(first.headers.get('X-Total-Count')).toBe('3');
  const rest = await api.sandbox.get(`/events?after_id=${first.body[1].id}`);
  expect(typesOf(rest)).toEqual(['customer.updated']);
  expect((await api.sandbox.get(`/events?after_id=${rest.body[0].id}`)).body).toEqual([]);
  expect(
    typesOf(await api.sandbox.get(`/events?after_id=0&related_to=customer,${customer}&type=customer.updated`)),
  ).toEqual(['customer.updated']);
});

test.each([
  ['/events?related_to=customer', 'related_to'],
  ['/events?start_date=yesterday', 'start_date'],
  ['/events?after_id=4711', 'after_id'],
  ['/events?after_id=x', 'after_id'],
  ['/events?sort=type', 'sort'],
  ['/events?type=invoice.created,customer.created', 'type'],
  ['/events?after_id=0&type=invoice.craeted', 'type'],
  ['/events?filter[type]=invoice', 'filter[type]'],
])('%s is refused, naming %s', async (path, param) => {
  expect(await api.sandbox.get(path)).toMatchObject(refused({ param }));
});

test('a type without events is distinguished from a misspelled one, whose refusal suggests a type', async () => {
  expect(await api.sandbox.get('/events?type=task.completed')).toMatchObject({ status: 200, body: [] });
  const { message } = (await api.sandbox.get('/events?type=invoice.craeted')).body;
  expect(message).toContain('did you mean invoice.created?');
});

test('entries of a timeline sort by time, however many events there are', async () => {
  for (const last of [9_999_999_998, 99_999_999_998]) {
    await api.em.fork().execute(`alter sequence event_id_seq restart with ${last}`);
    for (const name of ['One', 'Two', 'Three']) await api.sandbox.patch(`/customers/${customer}`, { name });
  }
  const { body } = await api.sandbox.get(`/customers/${customer}/timeline?filter[upcoming]=false`);
  const ids = body.map(({ id }: { id: string }) => id).toReversed();
  expect(ids).toHaveLength(9);
  expect(ids).toEqual(ids.toSorted());
});
