import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { liftWrongSuppression } from '../../../commands/bounces/suppressions.ts';
import { armFailpoints } from '../../../db/failpoint.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, startApi, type TestApi } from '../../support/api.ts';
import { hearing, sentTo, tasksOf } from '../../support/heardMails.ts';
import { sweepAt } from '../../support/sweeps.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => armFailpoints(''));
afterAll(() => api.close());

const sweep = () => sweepAt(api, api.deps.systemNow().getTime());

/** Makes the suppressions of an account those of an earlier version: its rows have no mark. */
const asEarlier = (accountId: number) =>
  api.em.execute('update suppression set is_checked = false where account_id = ?', [accountId]);

/** An address that an earlier version suppressed for a reason, with these words. */
async function suppressedBefore(of: Awaited<ReturnType<typeof hearing>>, reason: string, detail: string | null) {
  const { client, report } = of;
  const one = await sentTo(api, client);
  await report(one);
  await api.em.execute('update suppression set reason = ?, detail = ? where account_id = ? and address = ?', [
    reason,
    detail,
    client.account.id,
    one.address,
  ]);
  return one;
}

const WRONG = [
  ['hard_bounce', 'Refused for good: 5.7.1: 550 5.1.1 no such user'],
  ['hard_bounce', 'Refused for good: HardBounce: smtp;550 5.2.2 full'],
  ['hard_bounce', 'Refused for good: General: smtp; 554 5.3.4 too large'],
  ['hard_bounce', '550 5.1.8 sender refused'],
  ['hard_bounce', 'Refused for good: 5.4.4: no route'],
  ['soft_bounces', 'Refused for now: 4.2.2: 452 full'],
] as const;
const RIGHT = [
  ['hard_bounce', 'Refused for good: 5.1.1: 550 unknown'],
  ['hard_bounce', 'Refused for good: 5.0.0: 550 5.1.1 unknown'],
  ['hard_bounce', 'Refused for good: HardBounce: said Exim 4.97.1'],
  ['hard_bounce', '550 5.2.1 inactive'],
  ['hard_bounce', null],
  ['soft_bounces', 'Refused for now: 4.4.7: expired'],
  ['complaint', 'Reported as spam: 5.7.1'],
] as const;

test('suppressions of earlier versions with a status code that is not about the address are lifted once, all others stay', async () => {
  const heard = await hearing(api);
  const { client } = heard;
  const wrong: Awaited<ReturnType<typeof sentTo>>[] = [];
  for (const [reason, detail] of WRONG) wrong.push(await suppressedBefore(heard, reason, detail));
  const right: Awaited<ReturnType<typeof sentTo>>[] = [];
  for (const [reason, detail] of RIGHT) right.push(await suppressedBefore(heard, reason, detail));
  const [again] = wrong;
  await asEarlier(client.account.id);
  const live = async () =>
    (await client.get('/suppressions?per_page=100')).body.map(({ email }: Answer['body']) => email).sort();
  await sweep();
  expect(await live()).toEqual(right.map(({ address }) => address).sort());
  for (const { customer } of wrong) {
    const outcome = 'mail is sent to the address again';
    expect(await tasksOf(client, customer)).toMatchObject([{ complete: true, outcome }]);
  }
  for (const { customer } of right) expect(await tasksOf(client, customer)).toMatchObject([{ complete: false }]);
  const changes = `select count(*)::int as count from event where account_id = ? and type = 'task.completed'`;
  const [{ count = 0 } = {}] = await api.em.execute<{ count: number }[]>(changes, [client.account.id]);
  expect(count).toBe(WRONG.length);
  const rows = () => api.em.execute('select * from suppression where account_id = ? order by id', [client.account.id]);
  const before = await rows();
  await sweep(); // again
  expect(await rows()).toEqual(before);
  if (again) await heard.report({ ...again, id: '<again>' });
  expect(await live()).toContain(again?.address); // a later refusal of the address
});

test('the problem of a wrongly suppressed address of the team is closed', async () => {
  const heard = await hearing(api);
  const { client, report } = heard;
  const one = await sentTo(api, client);
  await client.patch('/account', { alert_recipients: [one.address, 'alive@acme.example'] });
  await report(one);
  expect((await client.get('/problems')).body).toHaveLength(1);
  await api.em.execute(`update suppression set detail = 'Refused for good: 5.7.1: policy' where account_id = ?`, [
    client.account.id,
  ]);
  await sweep(); // those of this version are not checked
  expect((await client.get('/suppressions')).body).toHaveLength(1);
  await asEarlier(client.account.id);
  await sweep();
  expect((await client.get('/problems')).body).toEqual([]);
  expect((await client.get('/suppressions')).body).toEqual([]);
});

test('a sweep that fails at one suppression lifts the others, and the next one lifts it with its task', async () => {
  const heard = await hearing(api);
  const { client } = heard;
  const all: Awaited<ReturnType<typeof sentTo>>[] = [];
  for (const [reason, detail] of WRONG.slice(0, 3)) all.push(await suppressedBefore(heard, reason, detail));
  await asEarlier(client.account.id);
  const open = async () => {
    const tasks = await Promise.all(all.map(({ customer }) => tasksOf(client, customer)));
    return [(await client.get('/suppressions')).body.length, tasks.flat().filter((task) => !task.complete).length];
  };
  armFailpoints('suppression.lifted=throw:2');
  await sweep();
  expect(await open()).toEqual([1, 1]);
  armFailpoints('');
  await sweep();
  expect(await open()).toEqual([0, 0]);
});

test('an address that was suppressed anew before its turn stays suppressed, unless an earlier version did it', async () => {
  const heard = await hearing(api);
  const { client, report } = heard;
  const [reason, detail] = WRONG[0];
  const one = await suppressedBefore(heard, reason, detail);
  await asEarlier(client.account.id);
  const [{ id }] = (await client.get('/suppressions')).body;
  await client.delete(`/suppressions/${id}`);
  await api.em.execute(`update suppression set lifted_at = '2027-03-01T09:00:00Z' where id = ?`, [id]);
  await report({ ...one, id: '<again>' });
  await api.em.execute('update suppression set detail = ? where id = ?', [detail, id]); // so that only the mark tells them apart
  const accountId = client.account.id;
  const lift = (em: EntityManager) => liftWrongSuppression(em, { accountId, id }, api.deps.systemNow());
  await withAccount(accountId, () => inTransaction(api.deps.em, lift)); // a sweep that had read it before
  await sweep();
  expect((await client.get('/suppressions')).body).toMatchObject([{ id, email: one.address }]);
  await client.delete(`/suppressions/${id}`);
  await api.em.execute('update suppression set lifted_at = null where id = ?', [id]); // as an earlier version does
  await sweep();
  expect((await client.get('/suppressions')).body).toEqual([]);
});
