import type { EntityManager } from '../../orm.ts';
import type { AttemptState } from '../../schema/attempt.ts';
import type { PageAttempt } from '../charges/pageAttempts.ts';

interface Key {
  accountId: number;
  customerId: number;
}

/** An open invoice that the portal can pay. */
export interface PayableRow {
  id: number;
  token: string;
  number: string;
  name: string;
  balance: string;
  date: Date;
  dueAt: Date | null;
  timeZone: string;
  pastDue: boolean;
  disabledPaymentMethods: string[];
  /** Whether its terms may offer an early-payment discount. */
  mayBeEarly: boolean;
}

/** The open invoices of a customer in a currency that no undecided charge reserves, by their due date, at most `most`. */
export async function payableRows(
  em: EntityManager,
  { accountId, customerId }: Key,
  { currency, most }: { currency: string; most: number },
): Promise<PayableRow[]> {
  const rows = await em.execute<(Omit<PayableRow, 'date' | 'dueAt'> & { date: string; dueAt: string | null })[]>(
    `select i.id, i.token, i.number, i.name, i.balance, i.date, i.due_at as "dueAt", i.time_zone as "timeZone",
       i.past_due as "pastDue", i.disabled_payment_methods as "disabledPaymentMethods",
       coalesce(i.payment_terms like '%\\%%', false) and not i.autopay as "mayBeEarly"
     from invoice i where i.account_id = ? and i.customer_id = ? and i.currency = ? and not i.closed
       and i.issued_at is not null and i.deleted_at is null and i.voided_at is null and i.balance > 0
       and not exists (select 1 from attempt_invoice t where t.account_id = i.account_id and t.invoice_id = i.id and t.undecided)
     order by coalesce(i.due_at, i.date), i.id limit ?`,
    [accountId, customerId, currency, most],
  );
  return rows.map((row) => ({
    ...row,
    date: new Date(row.date),
    dueAt: row.dueAt === null ? null : new Date(row.dueAt),
  }));
}

/** How many charges on pages of a customer have failed since a time (real time): declined, or not authenticated. */
export async function declinesOfCustomer(
  em: EntityManager,
  { accountId, customerId }: Key,
  since: Date,
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from attempt a where a.account_id = ? and a.customer_id = ? and a.kind = 'charge'
       and a.origin = 'page' and a.started_at > ? and (a.state = 'failed' or a.interruption = 'unauthenticated')`,
    [accountId, customerId, since],
  );
  return row?.count ?? 0;
}

/** A charge that the portal began. */
export interface PortalAttempt extends PageAttempt {
  fee: string;
  /** The invoices that it pays, in their order. */
  invoices: { id: number; token: string; number: string; amount: string }[];
}

/** A charge on a page of a customer, by its key; null: there is none. */
export async function portalAttempt(
  em: EntityManager,
  { accountId, customerId }: Key,
  key: string,
): Promise<PortalAttempt | null> {
  const [row] = await em.execute<(Omit<PortalAttempt, 'startedAt'> & { startedAt: string })[]>(
    `select a.id, a.state, a.method, a.amount, a.currency, a.convenience_fee as fee, a.failure_code as "failureCode", a.interruption,
       a.sealed_challenge as "sealedChallenge", a.started_at as "startedAt",
       charge.returned_at is not null as "isReturned",
       case when payment.id is not null
         then json_build_object('id', payment.id, 'token', payment.token, 'voided', payment.voided) end as payment,
       (select coalesce(json_agg(json_build_object('id', i.id, 'token', i.token, 'number', i.number, 'amount', t.amount::text)
          order by coalesce(i.due_at, i.date), i.id), '[]')
        from attempt_invoice t join invoice i on i.account_id = t.account_id and i.id = t.invoice_id
        where t.account_id = a.account_id and t.attempt_id = a.id) as invoices
     from attempt a
     left join charge on charge.account_id = a.account_id and charge.attempt_id = a.id
     left join payment on payment.account_id = a.account_id and payment.charge_id = charge.id
     where a.account_id = ? and a.customer_id = ? and a.key = ? and a.origin = 'page' and a.kind = 'charge'`,
    [accountId, customerId, key],
  );
  return row ? { ...row, startedAt: new Date(row.startedAt) } : null;
}

/** A charge of a customer that has no outcome yet: its key and state; null: there is none. */
export async function undecidedOfCustomer(
  em: EntityManager,
  { accountId, customerId }: Key,
  currency: string,
): Promise<{ key: string; state: AttemptState; isOfPage: boolean } | null> {
  const [row] = await em.execute<{ key: string; state: AttemptState; isOfPage: boolean }[]>(
    `select a.key, a.state, a.origin = 'page' as "isOfPage" from attempt a where a.account_id = ? and a.customer_id = ?
       and a.kind = 'charge' and a.currency = ? and a.state in ('open', 'unknown', 'waiting') order by a.id desc limit 1`,
    [accountId, customerId, currency],
  );
  return row ?? null;
}
