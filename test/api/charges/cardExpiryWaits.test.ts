import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { migrationSql } from '../../support/migrations.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const rows = (sql: string) => api.em.fork().execute(sql);
const waits = () =>
  rows(`select subject_id, rule, at::text, step, clock_id, time_base from wakeup where process = 'payment_source'
    order by subject_id`);

async function withSource(person: object, gateway_token = 'tok_4242424242424242'): Promise<void> {
  const { sandbox } = api;
  const { id } = await sandbox.make('/customers', { name: 'Payer', autopay: true, ...person });
  const method = /^tok_\d{9}_/.test(gateway_token) ? 'ach' : 'credit_card';
  await sandbox.make(`/customers/${id}/payment_sources`, { method, gateway_token, make_default: true });
}

test('an upgrade plans the notices that the product would have planned', async () => {
  const { sandbox } = api;
  await sandbox.patch('/account', { time_zone: 'America/New_York' });
  const clock = await sandbox.make('/test_clocks', { name: 'ahead', frozen_time: Date.parse('2030-05-01') / 1000 });
  await withSource({});
  await withSource({ autopay: false });
  await withSource({}, 'tok_110000000_123456789');
  await withSource({ test_clock: clock.id });
  const planned = await waits();
  expect(planned).toHaveLength(2);
  await rows(`delete from wakeup where process = 'payment_source'`);
  const migrate = migrationSql('0020_card_expiry_waits');
  await rows(migrate);
  await rows(migrate); // a second run changes nothing
  expect(await waits()).toEqual(planned);
});
