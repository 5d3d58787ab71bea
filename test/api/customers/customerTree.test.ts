import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const make = async (body: object = {}) => (await api.sandbox.make('/customers', { name: 'C', ...body })).id;
const put = (child: number, parent_customer: number | null) =>
  api.sandbox.patch(`/customers/${child}`, { parent_customer });
const refusal = (message: string) => refused({ param: 'parent_customer', message });

test('a customer can have a parent, be listed by it, shown with it and removed from it', async () => {
  const { sandbox } = api;
  const top = await make({ name: 'Top' });
  const child = await make({ parent_customer: top });
  expect((await sandbox.get(`/customers?filter[parent_customer]=${top}`)).body).toMatchObject([{ id: child }]);
  const { body } = await sandbox.get(`/customers/${child}?expand=parent_customer`);
  expect(body.parent_customer).toMatchObject({ id: top, name: 'Top' });
  expect((await put(child, null)).body.parent_customer).toBeNull();
  const { body: events } = await sandbox.get(`/events?related_to=customer,${child}`);
  expect(events[0].data.previous).toEqual({ parent_customer: top });
  expect((await sandbox.patch(`/customers/${child}`, { parent_customer: { id: top } })).body.parent_customer).toBe(top);
});

test('a customer cannot be its own ancestor', async () => {
  const [top, middle, low] = [await make(), await make(), await make()];
  await put(middle, top);
  await put(low, middle);
  expect(await put(top, top)).toMatchObject(refusal(`Customer ${top} is the customer itself`));
  expect(await put(top, low)).toMatchObject(refusal(`Customer ${low} is a descendant of customer ${top}`));
  expect((await put(low, top)).status).toBe(200);
});

test('two simultaneous changes cannot make a loop', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = [await make(), await make()];
    const answers = await Promise.all([put(one, other), put(other, one)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
});

test('customers are ten levels deep at most', async () => {
  const line = [await make()];
  for (let level = 2; level <= 10; level += 1) line.push(await make({ parent_customer: line.at(-1) }));
  const message = 'A family can have at most 10 levels, not 11';
  expect(await api.sandbox.post('/customers', { name: 'x', parent_customer: line.at(-1) })).toMatchObject(
    refusal(message),
  );
  expect(await put(line[0] ?? 0, await make())).toMatchObject(refusal(message));
});

test('a parent has to have the same account and the same test clock', async () => {
  const rival = (await api.open('Rival')).sandbox;
  const { id: theirs } = await rival.make('/customers', { name: 'Theirs' });
  expect(await put(await make(), theirs)).toMatchObject(refusal(`Customer was not found: ${theirs}`));
  const clock = async () => (await api.sandbox.make('/test_clocks', { frozen_time: 1_800_000_000 })).id;
  const [one, other] = [await clock(), await clock()];
  const parent = await make({ test_clock: one });
  const message = `Customer ${parent} is on another test clock: a parent and its children must have the same one`;
  for (const child of [await make(), await make({ test_clock: other })])
    expect(await put(child, parent)).toMatchObject(refusal(message));
  const body = { name: 'x', parent_customer: parent };
  expect(await api.sandbox.post('/customers', body)).toMatchObject(refusal(message));
  expect(await api.sandbox.post('/customers', { ...body, test_clock: one })).toMatchObject({ status: 201 });
  expect((await api.sandbox.delete(`/test_clocks/${one}`)).status).toBe(204);
});
