import { stepTexts } from '../../../billing/stepTexts.ts';
import { MOST_AHEAD } from '../../../billing/usage/usage.ts';
import type { EntityManager } from '../../orm.ts';

/** Usage to be recorded. */
export interface ReportedUsage {
  /** Id of the add-on; null: the plan of the subscription. */
  addonId: number | null;
  /** Decimal text. */
  quantity: string;
  /** Null: now. */
  usedAt: Date | null;
  /** The client's key. */
  key: string;
}

/**
 * Why usage was not recorded. `no_component`: its plan or add-on never billed usage. `ahead`: it lies in the future. `no_rate`: its plan or
 * add-on did not bill usage then. `ended`: the subscription has ended, so that its usage is recorded under its lock.
 */
export type UsageFault = 'no_component' | 'ahead' | 'no_rate' | 'ended';

/** The record with the key of reported usage. */
export interface RecordedUsage {
  id: number;
  addonId: number | null;
  quantity: string;
  usedAt: Date;
  key: string;
  createdAt: Date;
}

/** The answer to one report. Neither a fault nor a record: another transaction has just recorded the key. */
export interface RecordAnswer {
  fault: UsageFault | null;
  /** Null: it is not recorded. */
  record: RecordedUsage | null;
  /** Whether this request recorded it. */
  isNew: boolean;
}

export interface Recorded {
  /** Whether reported usage is to be compared with thresholds. */
  hasThresholds: boolean;
  answers: RecordAnswer[];
}

const RECORD = `'id', u.id, 'addonId', u.addon_id, 'quantity', u.quantity::text, 'usedAt', u.used_at, 'key', u.key, 'createdAt', u.created_at`;

/**
 * Records usage in one statement, which locks nothing. Each report is judged alone. A key that has a record changes nothing. Returns the
 * answers in the order of the reports; null: the account has no such subscription. `isLocked`: the caller has locked the subscription, and
 * also records usage before its end if it has ended.
 */
export async function insertUsage(
  em: EntityManager,
  asked: { accountId: number; subscriptionId: number; isLocked?: boolean; systemNow: Date },
  reports: readonly ReportedUsage[],
): Promise<Recorded | null> {
  const { accountId, subscriptionId, isLocked = false, systemNow } = asked;
  const rows = reports.map(({ addonId, quantity, usedAt, key }, n) => ({
    n,
    addon_id: addonId,
    quantity,
    used_at: usedAt?.toISOString() ?? null,
    key,
  }));
  const found = await em.execute<
    { hasThresholds: boolean; fault: UsageFault | null; isNew: boolean; record: RecordRow | null }[]
  >(STATEMENT, [systemNow, accountId, subscriptionId, JSON.stringify(rows), MOST_AHEAD, isLocked]);
  const [first] = found;
  if (!first) return null;
  const answers = found.map(({ fault, isNew, record }) => ({ fault, isNew, record: record && asRecord(record) }));
  return { hasThresholds: first.hasThresholds, answers };
}

type RecordRow = Omit<RecordedUsage, 'usedAt' | 'createdAt'> & { usedAt: string; createdAt: string };

function asRecord({ usedAt, createdAt, ...row }: RecordRow): RecordedUsage {
  return { ...row, usedAt: new Date(usedAt), createdAt: new Date(createdAt) };
}

/**
 * Rates are read once for a request, and a report belongs to the one that counts at its time. Reports have whole seconds: one of the second in
 * which a rate begins is placed at its beginning.
 */
const STATEMENT = `
with sold as materialized (
  select s.account_id, s.id, s.status, s.usage_thresholds is not null as has_thresholds, coalesce(t.frozen_at, ?::timestamptz) as now
  from subscription s join customer c on c.account_id = s.account_id and c.id = s.customer_id
  left join test_clock t on t.account_id = c.account_id and t.id = c.test_clock_id
  where s.account_id = ? and s.id = ?
), rate as materialized (
  select coalesce(r.addon_id, 0) as addon_id, r.from_at, r.until_at
  from usage_rate r join sold on r.account_id = sold.account_id and r.subscription_id = sold.id
), report as materialized (
  select r.n, r.addon_id, r.quantity, r.key, coalesce(r.used_at, sold.now) as used_at, sold.now, sold.status
  from sold, jsonb_to_recordset(?::jsonb) as r (n int, addon_id int, quantity numeric, used_at timestamptz, key text)
), placed as materialized (
  select report.*, case
    when exists (select 1 from rate where rate.addon_id = coalesce(report.addon_id, 0)
      and rate.from_at <= report.used_at and (rate.until_at is null or report.used_at < rate.until_at)) then report.used_at
    else (select min(rate.from_at) from rate where rate.addon_id = coalesce(report.addon_id, 0)
      and date_trunc('second', rate.from_at) = report.used_at) end as placed_at
  from report
), judged as materialized (
  select placed.*, case
    when not exists (select 1 from rate where rate.addon_id = coalesce(placed.addon_id, 0)) then 'no_component'
    when used_at > now + case when quantity < 0 then interval '0' else ?::int * interval '1 millisecond' end then 'ahead'
    when placed_at is null then 'no_rate'
    when status in ('canceled', 'finished') and not ?::boolean then 'ended' end as fault
  from placed
), added as (
  insert into usage_record (account_id, subscription_id, addon_id, quantity, used_at, key, created_at)
  select sold.account_id, sold.id, judged.addon_id, judged.quantity, judged.placed_at, judged.key, judged.now
  from judged, sold where judged.fault is null order by judged.key -- so that batches with the same keys wait for each other in one order
  on conflict do nothing returning *
)
select (select has_thresholds from sold) as "hasThresholds", judged.fault, u.id is not null and u.is_new as "isNew",
  case when u.id is not null then json_build_object(${RECORD}) end as record
from judged left join lateral (
  select a.*, true as is_new from added a where a.key = judged.key
  union all
  select e.*, false from usage_record e, sold
  where e.account_id = sold.account_id and e.subscription_id = sold.id and e.key = judged.key
  limit 1
) u on true
order by judged.n`;

/** Rule of the wake-up on which a subscription compares its usage with its thresholds. */
export const USAGE_RULE = 'usage';

/** Real time after usage was reported. Reports until then are compared together. */
const THRESHOLD_WAIT = "interval '5 seconds'";

/**
 * Plans the comparison of a subscription's usage with its thresholds, unless it is planned. On a test clock it is due at once. Writes the
 * wake-up and the outbox row in one statement.
 */
export async function planThresholds(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `with sold as (
       select s.account_id, s.id, c.test_clock_id as clock_id, coalesce(t.frozen_at, ?::timestamptz + ${THRESHOLD_WAIT}) as at
       from subscription s join customer c on c.account_id = s.account_id and c.id = s.customer_id
       left join test_clock t on t.account_id = c.account_id and t.id = c.test_clock_id
       where s.account_id = ? and s.id = ?
     ), planned as (
       insert into wakeup (account_id, process, subject_id, rule, at, step, clock_id, time_base, put_at)
       select account_id, 'subscription', id, '${USAGE_RULE}', at, '${stepTexts.compare_usage}', clock_id,
         case when clock_id is null then 'real' else 'clock' end, ?::timestamptz from sold
       on conflict do nothing returning account_id, subject_id, clock_id, at
     )
     insert into outbox (account_id, topic, subject_id, due_at, start_at, clock_id)
     select account_id, 'subscription', subject_id, ?::timestamptz, case when clock_id is null then at end, clock_id from planned`,
    [systemNow, accountId, subscriptionId, systemNow, systemNow],
  );
}
