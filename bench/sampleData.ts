import { createCipher } from '../adapters/cipher.ts';
import { webhookSigner } from '../adapters/signature.ts';
import type { Environment } from '../billing/environments.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { numberOf } from './database.ts';
import type { Stage } from './stage.ts';

/** Consecutive ids. */
export interface Range {
  first: number;
  count: number;
}

export const sandboxAccount = (sql: Sql) => accountOf(sql, 'sandbox');
const accountOf = (sql: Sql, environment: Environment) =>
  numberOf(sql, 'select id from account where environment = $1', [environment]);

/** Inserts customers. With AutoPay, each has a default payment source: a card whose charges always succeed. */
export async function addCustomers(sql: Sql, wanted: { count: number; autopay: boolean }): Promise<Range> {
  const accountId = await sandboxAccount(sql);
  const { count, autopay } = wanted;
  const first = 1 + (await numberOf(sql, `select nextval('customer_id_seq')`));
  await sql.query(`select setval('customer_id_seq', $1)`, [first + count]);
  await sql.query(
    `insert into customer (account_id, id, name, number, number_key, email, autopay, autopay_delay_days, type, metadata, created_at, updated_at)
     select $1, n, 'Customer ' || n, 'B-' || n, 'B-' || n, 'customer' || n || '@example.com', $4, -1, 'company', '{}', now(), now()
     from generate_series($2::int, $2 + $3 - 1) n`,
    [accountId, first, count, autopay],
  );
  if (autopay) await addSources(sql, accountId, { first, count });
  return { first, count };
}

/** Inserts one card for each customer, at the test gateway and in our tables. */
async function addSources(sql: Sql, accountId: number, { first, count }: Range): Promise<void> {
  await sql.query(
    `insert into test_gateway.source (reference, account_id, customer_reference, type, token, expires_in)
     select 'bench_card_' || n, $1, 'bench_customer_' || n, 'card', 'tok_4242424242424242', extract(year from now())::int + 3
     from generate_series($2::int, $2 + $3 - 1) n`,
    [accountId, first, count],
  );
  await sql.query(
    `insert into payment_source (account_id, customer_id, type, gateway, gateway_id, gateway_customer, last4, brand, exp_month,
       exp_year, funding, chargeable, created_at, updated_at)
     select $1, n, 'card', 'test', 'bench_card_' || n, 'bench_customer_' || n, '4242', 'Visa', 12,
       extract(year from now())::int + 3, 'credit', true, now(), now()
     from generate_series($2::int, $2 + $3 - 1) n`,
    [accountId, first, count],
  );
  await sql.query(
    `update customer c set default_source_id = s.id from payment_source s
     where s.account_id = c.account_id and s.customer_id = c.id and c.account_id = $1 and c.id >= $2 and c.id < $2 + $3`,
    [accountId, first, count],
  );
}

/**
 * Inserts one subscription to a weekly plan for each customer. Its second period is due at `dueAt`. The relay starts its process, which sleeps
 * until then.
 */
export async function addSubscriptions(sql: Sql, customers: Range, dueAt: Date): Promise<Range> {
  const accountId = await sandboxAccount(sql);
  const planId = await weeklyPlan(sql, accountId);
  const { count } = customers;
  const first = 1 + (await numberOf(sql, `select nextval('subscription_id_seq')`));
  await sql.query(`select setval('subscription_id_seq', $1)`, [first + count]);
  await sql.query(
    `insert into subscription (account_id, id, customer_id, plan_id, status, quantity, anchor_at, time_zone, next_period,
       cycles_billed, period_start_at, period_end_at, cancel_at_period_end, paused, discounts, taxes, recurring_total, mrr, metadata, event_count, created_at, updated_at)
     select $1, $2 + n, $3 + n, $4, 'active', 3, $6::timestamptz - interval '7 days', 'UTC', 1, 0,
       $6::timestamptz - interval '7 days', $6, false, false, '[]', '[]', 37.5, 162.5, '{}', 0, $6::timestamptz - interval '7 days', now()
     from generate_series(0, $5::int - 1) n`,
    [accountId, first, customers.first, planId, count, dueAt],
  );
  await sql.query(
    `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base)
     select $1, 'subscription', $2 + n, 'bill', $4, 'renewal 1', 'real' from generate_series(0, $3::int - 1) n`,
    [accountId, first, count, dueAt],
  );
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select $1, 'subscription', $2 + n, now() from generate_series(0, $3::int - 1) n`,
    [accountId, first, count],
  );
  return { first, count };
}

/** Inserts an add-on of each of these plans for each subscription, with a quantity of 30. */
export async function addAddons(sql: Sql, { first, count }: Range, planCodes: readonly string[]): Promise<void> {
  const accountId = await sandboxAccount(sql);
  await sql.query(
    `insert into subscription_addon (account_id, subscription_id, plan_id, quantity, position, created_at, updated_at)
     select $1, n, plan.id, 30, row_number() over (partition by n order by plan.id) - 1, now(), now()
     from generate_series($2::int, $2 + $3 - 1) n, plan
     where plan.account_id = $1 and plan.code = any($4) and plan.archived_at is null`,
    [accountId, first, count, planCodes],
  );
  await sql.query(
    'update subscription set has_addons = true where account_id = $1 and id >= $2 and id < $2 + $3::int',
    [accountId, first, count],
  );
}

async function weeklyPlan(sql: Sql, accountId: number): Promise<number> {
  await sql.query(
    `insert into plan (account_id, code, name, currency, amount, pricing_mode, quantity_type, "interval", interval_count, metadata,
       created_at, updated_at)
     values ($1, 'bench', 'Bench', 'usd', 12.5, 'per_unit', 'constant', 'week', 1, '{}', now(), now()) on conflict do nothing`,
    [accountId],
  );
  return numberOf(sql, `select id from plan where account_id = $1 and code = 'bench' and archived_at is null`, [
    accountId,
  ]);
}

/** Inserts a webhook endpoint that gets all events of an environment. Returns its id. The bench's `world` receives them. */
export async function addEndpoint(
  { config, world }: Stage,
  sql: Sql,
  environment: Environment = 'sandbox',
): Promise<number> {
  const secret = createCipher(config.encryptionKey).encrypt(webhookSigner.newSecret());
  return numberOf(
    sql,
    `insert into webhook (account_id, url, events, enabled, api_version, sealed_secret, created_at, updated_at)
     values ($1, $2, null, true, (select api_version from account where id = $1), $3, now(), now()) returning id`,
    [await accountOf(sql, environment), world.hello.webhookUrl, secret],
  );
}

export async function removeEndpoint(sql: Sql, id: number): Promise<void> {
  await sql.query('update webhook set enabled = false, deleted_at = now() where id = $1', [id]);
}
