import { stepTexts } from '../../../billing/stepTexts.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/**
 * Enqueues the processes of customers, which then plan the next step and the next statement anew: of those that follow a cadence, or may follow
 * it after its change, or of all these customers if it is null. Four writes in one statement, for any number of customers. Customers on test
 * clocks are planned at the time of their clock.
 */
export async function replanCustomers(
  em: EntityManager,
  { accountId, cadenceId, ids }: { accountId: number; cadenceId: number | null; ids: readonly number[] },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `with asked as (select ?::timestamptz as now),
     picked as (
       select c.account_id, c.id, c.test_clock_id, coalesce(t.frozen_at, asked.now) as at from customer c cross join asked
       left join test_clock t on t.account_id = c.account_id and t.id = c.test_clock_id
       left join chase k on k.account_id = c.account_id and k.id = c.id
       where c.account_id = ? and c.id = any(?::int[]) and c.merged_into_id is null
         and (?::int is null or c.chasing_cadence_id is null or c.chasing_cadence_id = ? or k.cadence_id = ?)
     ), begun as (
       insert into chase (account_id, id, customer_id, taken, created_at, updated_at)
       select account_id, id, id, '{}', at, at from picked on conflict do nothing
     ), waiting as (
       insert into wakeup (account_id, process, subject_id, rule, at, step, clock_id, time_base, put_at, sweeps)
       select account_id, 'chasing', id, 'chase_plan', at, '${stepTexts.plan}', test_clock_id,
         case when test_clock_id is null then 'real' else 'clock' end, asked.now, 0 from picked cross join asked
       on conflict (account_id, process, subject_id, rule) do update set at = excluded.at, put_at = excluded.put_at
     )
     insert into outbox (account_id, topic, subject_id, due_at, clock_id)
     select account_id, 'chasing', id, asked.now, test_clock_id from picked cross join asked`,
    [systemNow, accountId, numberArray(ids), cadenceId, cadenceId, cadenceId],
  );
}

/** How many invoices name an invoice cadence. */
export async function invoicesOnCadence(
  em: EntityManager,
  { accountId, cadenceId }: { accountId: number; cadenceId: number },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    'select count(*)::int as count from invoice where account_id = ? and chasing_cadence_id = ?',
    [accountId, cadenceId],
  );
  return row?.count ?? 0;
}

/** Whether a customer names a cadence, or a step of it is planned. */
export async function isCadenceUsed(
  em: EntityManager,
  { accountId, cadenceId }: { accountId: number; cadenceId: number },
): Promise<{ named: number; planned: number }> {
  const [row] = await em.execute<{ named: number; planned: number }[]>(
    `select (select count(*)::int from customer where account_id = ? and chasing_cadence_id = ?) as named,
       (select count(*)::int from chase k join wakeup w on w.account_id = k.account_id and w.process = 'chasing'
          and w.subject_id = k.id and w.rule = 'chase' where k.account_id = ? and k.cadence_id = ?) as planned`,
    [accountId, cadenceId, accountId, cadenceId],
  );
  return row ?? { named: 0, planned: 0 };
}
