import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

const MADE_AT = Date.parse('2027-03-01T12:00:00Z') / 1000;
let now = MADE_AT;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
});
afterAll(() => api.close());

const path = '/sms_templates';

test('an SMS template can be created, read, listed, changed and deleted', async () => {
  const { sandbox } = api;
  const message = '{{account_name}}: {{ amount }} {{pay_url}}';
  const created = await sandbox.post(path, { name: 'Friendly', message });
  const one = `${path}/1`;
  const times = { created_at: MADE_AT, updated_at: MADE_AT };
  const shown = { id: 1, object: 'sms_template', name: 'Friendly', message, language: null, ...times };
  expect([created.status, created.body]).toEqual([201, shown]);
  expect((await sandbox.get(one)).body).toEqual(shown);
  expect((await sandbox.get(`${path}?filter[name]=Friendly`)).body).toEqual([shown]);
  now += 60;
  const changed = await sandbox.patch(one, { language: 'de' });
  expect([changed.status, changed.body]).toEqual([200, { ...shown, language: 'de', updated_at: now }]);
  expect((await sandbox.delete(one)).status).toBe(204);
  expect((await sandbox.get(one)).status).toBe(404);
});

test.each([
  [
    { message: '{{amont}}' },
    'message',
    'Variables are account_name, customer_name, contact_name, amount, invoice_numbers, pay_url: {{amont}}',
  ],
  [{ message: 'Pay {{amount' }, 'message', 'Variables are written as {{amount}}: two braces are left over'],
  [{ message: '' }, 'message', undefined],
  [{ message: 'a'.repeat(1601) }, 'message', undefined],
  [{ message: 'a\u0000b' }, 'message', undefined],
  [{ message: 'a', language: 'german' }, 'language', undefined],
  [{}, 'message', undefined],
])('the template %j is refused', async (fields, param, message) => {
  const answer = await api.sandbox.post(path, { name: 'Bad', ...fields });
  expect(answer).toMatchObject(refused(message === undefined ? { param } : { param, message }));
});

test('a message of 1,600 characters is accepted', async () => {
  expect((await api.sandbox.post(path, { name: 'Long', message: 'é'.repeat(1600) })).status).toBe(201);
});

test('a step of a cadence names a template that exists, and keeps it', async () => {
  const { sandbox } = api;
  const { id } = await sandbox.make(path, { name: 'Used', message: 'Pay' });
  const stepWith = (sms_template_id: string) => [{ name: 'Text', action: 'sms', schedule: 'age:7', sms_template_id }];
  const param = 'steps[0][sms_template_id]';
  for (const unknown of ['999999', 'reminder', '0', '99999999999', '1e3'])
    expect(await sandbox.post('/chasing_cadences', { name: 'C', steps: stepWith(unknown) })).toMatchObject(
      refused({ param, message: `There is no SMS template ${unknown}` }),
    );
  const cadence = await sandbox.make('/chasing_cadences', { name: 'C', steps: stepWith(`${id}`) });
  const message = `A step of chasing cadence ${cadence.id} has the SMS template: change it first`;
  expect(await sandbox.delete(`${path}/${id}`)).toMatchObject(refused({ message }));
  expect((await sandbox.patch(`/chasing_cadences/${cadence.id}`, { paused: true })).status).toBe(200);
  expect((await sandbox.delete(`/chasing_cadences/${cadence.id}`)).status).toBe(204);
  expect((await sandbox.delete(`${path}/${id}`)).status).toBe(204);
});
