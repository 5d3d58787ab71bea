import type { SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { isOfCustomer, type TimedProcess, timedNames, timedProcesses } from '../../../billing/processes.ts';
import type { Interruption } from '../../../billing/wait.ts';
import type { EntityManager } from '../../orm.ts';
import type { AttemptKind, AttemptState } from '../../schema/attempt.ts';
import { lastAttemptOf } from '../charges/attempts.ts';

/** The object of a process: its number and amount, no names. */
export interface ProcessSubject {
  number: string | null;
  amount: string | null;
  currency: string | null;
  /** Set for attempts. */
  kind: AttemptKind | null;
  method: SourceMethod | null;
}

/** SQL: number and amount of the object `o` of a process, where it has them, and a join that they need. */
const SUBJECTS: Partial<Record<TimedProcess, Partial<Record<keyof ProcessSubject | 'join', string>>>> = {
  subscription: {
    amount: 'o.recurring_total',
    currency: 'p.currency',
    join: 'join plan p on p.account_id = o.account_id and p.id = o.plan_id',
  },
  estimate: { number: 'o.number', amount: 'o.total', currency: 'o.currency' },
  invoice: { number: 'o.number', amount: 'o.total', currency: 'o.currency' },
  payment: { amount: 'o.amount', currency: 'o.currency' },
  charge: {
    number: `(select min(n.number) from attempt_invoice a join invoice n on n.account_id = a.account_id and n.id = a.invoice_id
      where a.account_id = o.account_id and a.attempt_id = o.id)`,
    amount: 'o.amount',
    currency: 'o.currency',
    kind: 'o.kind',
    method: 'o.method',
  },
};

/** SQL: id of the customer of a process's object `o`; null: the object belongs to the account. */
const customerIdOf = (process: TimedProcess): string => (isOfCustomer(process) ? 'o.customer_id' : 'null::int');

/**
 * SQL: the customer and subject of a process, by `account_id`, `subject_id` and `topic` of the row `row`. `processes`: the topics that the row
 * can have; each more takes PostgreSQL time to plan.
 */
export const subjectOf = (row: string, processes: readonly TimedProcess[] = timedNames): string =>
  processes
    .map((process) => {
      const { number, amount, currency, kind, method, join = '' } = SUBJECTS[process] ?? {};
      return `select ${customerIdOf(process)} as customer_id, ${number ?? 'null::text'} as number, ${amount ?? 'null::numeric'} as amount,
        ${currency ?? 'null::text'} as currency, ${kind ?? 'null::text'} as kind, ${method ?? 'null::text'} as method
      from ${timedProcesses[process].table} o ${join}
      where ${row}.topic = '${process}' and o.account_id = ${row}.account_id and o.id = ${row}.subject_id`;
    })
    .join(' union all ');

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

/** Facts of an object that has none of them. */
export const NO_FACTS: ProcessFacts = {
  number: null,
  amount: null,
  currency: null,
  kind: null,
  method: null,
  status: null,
  balance: null,
  paused: null,
  cyclesBilled: null,
  onClock: false,
  attemptCount: null,
  attemptKind: null,
  attemptState: null,
  attemptAmount: null,
  failureCode: null,
  failureMessage: null,
  interruption: null,
};

/** SQL: columns with the state of a process's object `o`. */
const STATES: Partial<Record<TimedProcess, Partial<Record<keyof ProcessFacts, string>>>> = {
  subscription: { status: 'o.status', paused: 'o.paused', cyclesBilled: 'o.cycles_billed' },
  estimate: { status: 'o.status' },
  invoice: { status: 'o.status', balance: 'o.balance', attemptCount: 'o.attempt_count' },
};

/** SQL: the attempt whose state is reported with that of a process's object `o`. */
const ATTEMPTS: Partial<Record<TimedProcess, string>> = {
  // A join, because below a policy PostgreSQL uses no index for a comparison with a subquery.
  invoice: `select t.* from (${lastAttemptOf('o.account_id', 'o.id')}) last
    join attempt t on t.account_id = last.account_id and t.id = last.attempt_id`,
  charge: 'select t.* from attempt t where t.account_id = o.account_id and t.id = o.id',
};
const NO_ATTEMPT = 'select t.* from attempt t where false';

/** Null: the object does not exist any more. */
export async function readProcessFacts(
  em: EntityManager,
  { accountId, process, id }: { accountId: number; process: TimedProcess; id: number },
): Promise<ProcessFacts | null> {
  const { status, balance, paused, cyclesBilled, attemptCount } = STATES[process] ?? {};
  const [facts] = await em.execute<ProcessFacts[]>(
    `select f.number, f.amount, f.currency, f.kind, f.method, c.test_clock_id is not null as "onClock",
       ${status ?? 'null'} as status, ${balance ?? 'null'} as balance, ${paused ?? 'null'} as paused,
       ${cyclesBilled ?? 'null'} as "cyclesBilled", ${attemptCount ?? 'null'} as "attemptCount",
       l.kind as "attemptKind", l.state as "attemptState", l.amount as "attemptAmount", l.failure_code as "failureCode",
       l.failure_message as "failureMessage", l.interruption
     from (select ?::int as account_id, ?::int as subject_id, '${process}' as topic) k
     join ${timedProcesses[process].table} o on o.account_id = k.account_id and o.id = k.subject_id
     left join customer c on c.account_id = o.account_id and c.id = ${customerIdOf(process)}
     cross join lateral (${subjectOf('k', [process])}) f
     left join lateral (${ATTEMPTS[process] ?? NO_ATTEMPT}) l on true`,
    [accountId, id],
  );
  return facts ?? null;
}
