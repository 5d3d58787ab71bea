import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeSettings } from '../../../commands/accounts/accounts.ts';
import { createCustomer } from '../../../commands/customers/customers.ts';
import { systemCaller } from '../../../commands/kernel/caller.ts';
import { advanceStatements } from '../../../commands/statements/scheduled.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

/** The days on which customers get their account statement: what is accepted, and when the next one is planned. */

const NOW = new Date('2027-03-10T12:00:00Z');
const at = (time: string) => Date.parse(time) / 1000;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => NOW });
});
afterAll(() => api.close());

/** The planned statement of a customer, as its timeline tells. */
async function planned(customer: number): Promise<number | null> {
  const { body } = await api.sandbox.get(`/customers/${customer}/timeline`);
  const entry = body.find(
    ({ rule, upcoming }: { rule: string; upcoming: boolean }) => upcoming && rule === 'statement',
  );
  return entry?.timestamp ?? null;
}

const change = async (customer: number, body: object) =>
  successBody(await api.sandbox.patch(`/customers/${customer}`, body));

test.each([[29], ['0'], ['first'], [1.5], [[]]])(
  'the day %j is refused for the account and for a customer',
  async (statement_day) => {
    const { sandbox } = api;
    const expected = refused({ param: 'statement_day' });
    expect(await sandbox.patch('/account', { statement_day })).toMatchObject(expected);
    expect(await sandbox.post('/customers', { name: 'Ann', statement_day })).toMatchObject(expected);
  },
);

test('the hour and the type of statements have bounds', async () => {
  const { sandbox } = api;
  expect(await sandbox.patch('/account', { statement_hour: 24 })).toMatchObject(refused({ param: 'statement_hour' }));
  expect(await sandbox.patch('/account', { statement_type: 'all' })).toMatchObject(
    refused({ param: 'statement_type' }),
  );
});

test('a customer has the day of its account, a day of its own, or none; the account plans new customers at once', async () => {
  const { sandbox } = api;
  const changed = await sandbox.patch('/account', {
    statement_day: 5,
    statement_hour: 9,
    time_zone: 'America/New_York',
  });
  expect(changed.body).toMatchObject({ statement_day: '5', statement_hour: 9, statement_type: 'balance_forward' });
  const { id, statement_day } = await sandbox.make('/customers', { name: 'Ann' });
  expect(statement_day).toBeNull();
  expect(await planned(id)).toBe(at('2027-04-05T13:00:00Z')); // 9:00 in New York
  expect(await change(id, { statement_day: 'last' })).toMatchObject({ statement_day: 'last' });
  expect(await planned(id)).toBe(at('2027-03-31T13:00:00Z'));
  expect(await change(id, { statement_day: 'off' })).toMatchObject({ statement_day: 'off' });
  expect(await planned(id)).toBeNull();
  expect(await change(id, { statement_day: null })).toMatchObject({ statement_day: null });
  expect(await planned(id)).toBe(at('2027-04-05T13:00:00Z'));
  const own = await sandbox.make('/customers', { name: 'Bob', statement_day: 28 });
  expect(own.statement_day).toBe('28');
  expect(await planned(own.id)).toBe(at('2027-03-28T13:00:00Z'));
});

test('a changed setting plans existing customers in slices of 500, after the answer', async () => {
  const { sandbox } = await api.open('Large');
  const accountId = sandbox.account.id;
  const { id } = await sandbox.make('/customers', { name: 'First' });
  await api.em.execute(
    `insert into customer select r.* from generate_series(1, 1100) n join customer c on c.account_id = ? and c.id = ?,
       lateral jsonb_populate_record(c, jsonb_build_object('id', 100000 + n, 'number', 'N-' || n, 'number_key', 'N-' || n, 'token', md5(n::text))) r`,
    [accountId, id],
  );
  const waiting = async () => {
    const [row] = await api.em.execute<{ count: number }[]>(
      `select count(*)::int as count from wakeup where account_id = ? and process = 'chasing'`,
      [accountId],
    );
    return row?.count;
  };
  expect((await sandbox.patch('/account', { statement_day: 5 })).status).toBe(200);
  expect(await waiting()).toBe(0);
  const step = () => inTransaction(api.em, (em) => advanceStatements(em, { accountId, id: accountId }, NOW));
  const slices = [await step(), await step(), await step(), await step()];
  expect(slices.map(({ did }) => did)).toEqual([
    'planned 500 customers anew',
    'planned 500 customers anew',
    'planned 101 customers anew', // 1,101 in all
    null,
  ]);
  expect(await waiting()).toBe(1101);
});

/** Runs a command in a transaction, which ends once `meanwhile` waits for it. Returns the answer to `meanwhile`. */
async function during(command: (em: EntityManager) => Promise<unknown>, meanwhile: () => Promise<Answer>) {
  const [answer] = await inTransaction(api.em, async (em) => {
    await command(em);
    await em.write();
    const answering = meanwhile();
    answering.catch(() => undefined);
    await until(async () => (await api.em.fork().execute(LOCK_WAITS)).length > 0, {
      what: 'the request to wait for the transaction',
    });
    return [answering];
  });
  return successBody(await answer);
}

/** The wake-ups of a customer's chasing and statements. */
const waitsOf = (accountId: number, customer: number) =>
  api.em.execute<{ rule: string; at: string }[]>(
    `select rule, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from wakeup
     where account_id = ? and process = 'chasing' and subject_id = ?`,
    [accountId, customer],
  );

test('a customer that is created while the days of statements change is planned, too, whichever comes first', async () => {
  const { sandbox } = await api.open('Racing');
  const accountId = sandbox.account.id;
  const create = async (em: EntityManager) => {
    const kind = { type: 'company' as const, autopay: false, autopayDelayDays: -1, metadata: {} };
    const caller = await systemCaller(em, accountId);
    return createCustomer(em, { caller, number: 'EARLIER', fields: { name: 'Earlier', ...kind } }, NOW);
  };
  await during(create, () => sandbox.patch('/account', { statement_day: 5, time_zone: 'UTC' }));
  await inTransaction(api.em, (em) => advanceStatements(em, { accountId, id: accountId }, NOW));
  const [{ id: earlier }] = successBody(await sandbox.get('/customers?filter[number]=EARLIER'));
  expect(await waitsOf(accountId, earlier)).toMatchObject([{ rule: 'chase_plan' }]); // its process then plans the statement

  const change = (em: EntityManager) => changeSettings(em, { accountId, values: { statement_day: '20' } }, NOW);
  const { id: later } = await during(change, () => sandbox.post('/customers', { name: 'Later' }));
  expect(await waitsOf(accountId, later)).toEqual([{ rule: 'statement', at: '2027-03-20 08:00' }]);
});

test('another time zone plans the customers anew only if they get statements, or a cadence asks them', async () => {
  const { sandbox } = await api.open('Moving');
  const accountId = sandbox.account.id;
  const { id } = await sandbox.make('/customers', { name: 'Ann' });
  const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Asia/Dubai'];
  const isPlanned = async () => {
    successBody(await sandbox.patch('/account', { time_zone: zones.pop() }));
    const { did } = await inTransaction(api.em, (em) => advanceStatements(em, { accountId, id: accountId }, NOW));
    return did !== null;
  };
  expect(await isPlanned()).toBe(false);
  successBody(await sandbox.patch(`/customers/${id}`, { statement_day: 'off' }));
  expect(await isPlanned()).toBe(false);
  successBody(await sandbox.patch(`/customers/${id}`, { statement_day: 3 }));
  expect(await isPlanned()).toBe(true);
  successBody(await sandbox.patch(`/customers/${id}`, { statement_day: null }));
  const steps = [{ name: 'Call', action: 'phone', schedule: 'age:0' }];
  await sandbox.make('/chasing_cadences', { name: 'All', steps });
  expect(await isPlanned()).toBe(true);
});

test('customers that got a statement for the same month can be merged', async () => {
  const { sandbox } = api;
  const ids = [
    (await sandbox.make('/customers', { name: 'Ann' })).id,
    (await sandbox.make('/customers', { name: 'Bob' })).id,
  ];
  const [into, from] = ids;
  await api.em.execute(
    `insert into scheduled_statement (account_id, customer_id, currency, month, type, ends_at, closing_balance, task_id, created_at)
     select c.account_id, c.id, u.currency, '2027-02', 'balance_forward', now(), 7, 1, now() from customer c,
       unnest(case c.id when ? then '{usd,eur}'::text[] else '{usd}' end) u (currency)
     where c.account_id = ? and c.id in (${ids.join()})`,
    [from, sandbox.account.id],
  );
  successBody(await sandbox.post(`/customers/${into}/merge`, { customer: from }));
  const rows = await api.em.execute(
    `select customer_id as customer, currency from scheduled_statement where account_id = ? and customer_id in (${ids.join()}) order by currency`,
    [sandbox.account.id],
  );
  expect(rows).toEqual([
    { customer: into, currency: 'eur' },
    { customer: into, currency: 'usd' },
  ]);
});

test('a merged customer, an anonymized one and a deleted one get none', async () => {
  const { sandbox } = api;
  const customer = async () => (await sandbox.make('/customers', { name: 'Ann', statement_day: '20' })).id;
  const [into, merged, anonymized, deleted] = [await customer(), await customer(), await customer(), await customer()];
  successBody(await sandbox.post(`/customers/${into}/merge`, { customer: merged }));
  successBody(await sandbox.post(`/customers/${anonymized}/anonymize`));
  expect((await sandbox.delete(`/customers/${deleted}`)).status).toBe(204);
  const ids = [into, merged, anonymized, deleted];
  const rows = await api.em.execute<{ id: number }[]>(
    `select subject_id as id from wakeup where account_id = ? and rule = 'statement' and subject_id in (${ids.join()})`,
    [sandbox.account.id],
  );
  expect(rows).toEqual([{ id: into }]);
});
