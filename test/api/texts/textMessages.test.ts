import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { seedText } from '../../support/texts.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const at = (time: string) => Date.parse(time) / 1000;

test('a text is read with every field, and texts are listed by customer and state', async () => {
  const { sandbox } = api;
  await sandbox.make('/customers', { name: 'Other' });
  const customer = (await sandbox.make('/customers', { name: 'Ann' })).id;
  const other = await seedText(api, sandbox, 1);
  const id = await seedText(api, sandbox, customer);
  await api.em.execute(
    `update text_message set state = 'sending', attempts = 3, next_attempt_at = '2027-03-01T09:00:00Z', failure_reason = 'Twilio: busy',
       created_at = '2027-03-01T07:00:00Z', updated_at = '2027-03-01T08:00:00Z' where id = ?`,
    [id],
  );
  const shown = {
    id,
    object: 'text_message',
    customer,
    phone: '+12125550123',
    message: 'Please pay $10.00',
    state: 'sending',
    next_attempt: at('2027-03-01T09:00:00Z'),
    attempt_count: 3,
    reference: `SM${customer}`,
    reject_reason: 'Twilio: busy',
    created_at: at('2027-03-01T07:00:00Z'),
    updated_at: at('2027-03-01T08:00:00Z'),
  };
  expect((await sandbox.get(`/text_messages/${id}`)).body).toEqual(shown);
  const listed = async (query: string) => (await sandbox.get(`/text_messages?${query}`)).body;
  expect(await listed(`filter[customer]=${customer}`)).toEqual([shown]);
  expect(await listed('filter[state]=sending')).toEqual([shown]);
  expect(await listed('')).toMatchObject([{ id: other, next_attempt: null, reject_reason: null }, { id }]);
  expect((await sandbox.get('/text_messages/999999')).status).toBe(404);
});
