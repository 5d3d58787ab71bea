import type { EntityManager } from '../../orm.ts';

/** SQL: whether subscription `s` is in its trial at a time of real time, or of its customer's test clock. */
const IN_TRIAL = `s.status = 'active' and s.trial_end_at > coalesce(k.frozen_at, ?)`;

/** SQL: sign-up `s` is in the index of those that are not done, which stays small. */
const NOT_DONE = `s.state <> 'done'`;

const OF_CUSTOMER = `join customer c on c.account_id = s.account_id and c.id = s.customer_id
  left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id`;

/** How many cards and bank accounts were declined on a sign-up page since a time: when they were stored, or when the first invoice was charged. */
export async function declinesOfPage(
  em: EntityManager,
  { accountId, pageId, since }: { accountId: number; pageId: number; since: Date },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from sign_up s
       left join attempt a on a.account_id = s.account_id and a.id = s.charge_id
     where s.account_id = ? and s.page_id = ? and s.started_at > ? and ${NOT_DONE} and (s.state = 'declined' or a.state = 'failed')`,
    [accountId, pageId, since],
  );
  return row?.count ?? 0;
}

/** Takes the key of a trial from sign-ups whose trial has ended. */
export async function endTrials(
  em: EntityManager,
  { accountId, key, now }: { accountId: number; key: string; now: Date },
): Promise<void> {
  await em.execute(
    `update sign_up set trial_key = null where account_id = ? and trial_key = ? and state in ('done', 'given_up') and not exists (
       select from subscription s ${OF_CUSTOMER}
       where s.account_id = sign_up.account_id and s.id = sign_up.subscription_id and ${IN_TRIAL})`,
    [accountId, key, now],
  );
}

/** Whether a customer, or one with this address in lower case, has a subscription in its trial. */
export async function hasTrial(
  em: EntityManager,
  { accountId, address, customerId, now }: { accountId: number; address: string; customerId: number | null; now: Date },
): Promise<boolean> {
  const found = await em.execute(
    `select 1 from customer c
       join subscription s on s.account_id = c.account_id and s.customer_id = c.id
       left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
     where c.account_id = ? and (lower(c.email) = ? or c.id = ?) and ${IN_TRIAL} limit 1`,
    [accountId, address, customerId, now],
  );
  return found.length > 0;
}

/**
 * Whether an address in lower case, or a customer, has ordered on a page since a time: it is on its way, or something was made. There are two
 * statements, because each has an index of its own.
 */
export async function hasOrdered(
  em: EntityManager,
  order: { accountId: number; pageId: number; address: string; customerId: number | null; since: Date },
): Promise<boolean> {
  const { accountId, pageId, address, customerId, since } = order;
  const begun = await em.execute(
    `select 1 from sign_up s where s.account_id = ? and s.page_id = ? and s.started_at > ? and ${NOT_DONE}
       and s.state in ('storing', 'waiting') and (lower(s.details ->> 'email') = ? or s.customer_id = ?) limit 1`,
    [accountId, pageId, since, address, customerId],
  );
  if (begun.length > 0) return true;
  const made = await em.execute(
    `select 1 from customer c join sign_up s on s.account_id = c.account_id and s.customer_id = c.id
     where c.account_id = ? and (lower(c.email) = ? or c.id = ?)
       and s.page_id = ? and s.started_at > ? and s.state in ('charging', 'done') limit 1`,
    [accountId, address, customerId, pageId, since],
  );
  return made.length > 0;
}

/** Lets nobody else take the same form until the end of the transaction. */
export const lockForm = (em: EntityManager, key: string): Promise<void> => lockWords(em, `sign_up ${key}`);

/** Lets no other form of an address, or of a customer, begin a sign-up until the end of the transaction. */
export const lockOrders = (em: EntityManager, whose: string): Promise<void> => lockWords(em, `sign_up of ${whose}`);

async function lockWords(em: EntityManager, words: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [words]);
}
