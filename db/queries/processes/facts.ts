import type { Interruption } from '../../../billing/wait.ts';
import type { EntityManager } from '../../orm.ts';
import type { AttemptKind, AttemptState } from '../../schema/attempt.ts';
import type { TimedProcess } from '../../schema/wakeup.ts';

/** The object of a process: its number and amount, no names. */
export interface ProcessSubject {
  number: string | null;
  amount: string | null;
  currency: string | null;
  /** Set for attempts. */
  kind: AttemptKind | null;
  method: 'credit_card' | 'ach' | null;
}

/** SQL: the customer and subject of a process, by `account_id`, `subject_id` and `topic` of the row `row`. */
export const subjectOf = (row: string): string => {
  const key = (alias: string, topic: string) =>
    `where ${row}.topic = '${topic}' and ${alias}.account_id = ${row}.account_id and ${alias}.id = ${row}.subject_id`;
  return `
    select s.customer_id, null as number, s.recurring_total as amount, p.currency, null as kind, null as method
      from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id ${key('s', 'subscription')}
    union all select e.customer_id, e.number, e.total, e.currency, null, null from estimate e ${key('e', 'estimate')}
    union all select i.customer_id, i.number, i.total, i.currency, null, null from invoice i ${key('i', 'invoice')}
    union all select t.customer_id,
        (select min(n.number) from attempt_invoice a join invoice n on n.account_id = a.account_id and n.id = a.invoice_id
         where a.account_id = t.account_id and a.attempt_id = t.id),
        t.amount, t.currency, t.kind, t.method
      from attempt t ${key('t', 'charge')}`;
};

/** State of a process's object. */
export interface ProcessFacts extends ProcessSubject {
  status: string | null;
  /** Amount that is still to be paid. */
  balance: string | null;
  paused: boolean | null;
  cyclesBilled: number | null;
  /** Whether its customer lives on a test clock, which wakes it. */
  onClock: boolean;
  /** Number of declined charges. */
  attemptCount: number | null;
  /** Kind, state, amount and failure of the attempt itself, or of an invoice's last attempt. */
  attemptKind: AttemptKind | null;
  attemptState: AttemptState | null;
  attemptAmount: string | null;
  failureCode: string | null;
  failureMessage: string | null;
  interruption: Interruption | null;
}

/** SQL: table and columns of an object, beside its subject. */
const STATUS: Record<TimedProcess, { from: string; columns: string }> = {
  subscription: {
    from: 'subscription',
    columns: `o.status, null as balance, o.paused, o.cycles_billed as "cyclesBilled", null as "attemptCount"`,
  },
  estimate: {
    from: 'estimate',
    columns: `o.status, null as balance, null as paused, null as "cyclesBilled", null as "attemptCount"`,
  },
  invoice: {
    from: 'invoice',
    columns: `o.status, o.balance, null as paused, null as "cyclesBilled", o.attempt_count as "attemptCount"`,
  },
  charge: {
    from: 'attempt',
    columns: `null as status, null as balance, null as paused, null as "cyclesBilled", null as "attemptCount"`,
  },
};

const LAST: Record<TimedProcess, string> = {
  subscription: 'false',
  estimate: 'false',
  invoice: `t.id = (select a.attempt_id from attempt_invoice a
    where a.account_id = o.account_id and a.invoice_id = o.id order by a.id desc limit 1)`,
  charge: 't.id = o.id',
};

/** Null: the object does not exist any more. */
export async function readProcessFacts(
  em: EntityManager,
  { accountId, process, id }: { accountId: number; process: TimedProcess; id: number },
): Promise<ProcessFacts | null> {
  const { from, columns } = STATUS[process];
  const [facts] = await em.execute<ProcessFacts[]>(
    `select f.number, f.amount, f.currency, f.kind, f.method, ${columns}, c.test_clock_id is not null as "onClock",
       l.kind as "attemptKind", l.state as "attemptState", l.amount as "attemptAmount", l.failure_code as "failureCode",
       l.failure_message as "failureMessage", l.interruption
     from (select ?::int as account_id, ?::int as subject_id, '${process}' as topic) k
     join ${from} o on o.account_id = k.account_id and o.id = k.subject_id
     join customer c on c.account_id = o.account_id and c.id = o.customer_id
     cross join lateral (${subjectOf('k')}) f
     left join lateral (select t.* from attempt t where t.account_id = o.account_id and ${LAST[process]}) l on true`,
    [accountId, id],
  );
  return facts ?? null;
}
