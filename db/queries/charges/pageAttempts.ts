import type { Interruption } from '../../../billing/wait.ts';
import type { EntityManager } from '../../orm.ts';
import type { AttemptOrigin, AttemptState } from '../../schema/attempt.ts';

/** An attempt as the page after paying shows it. */
export interface PageAttempt {
  id: number;
  state: AttemptState;
  method: string | null;
  amount: string;
  currency: string;
  failureCode: string | null;
  interruption: Interruption | null;
  /** Sealed URL of the page on which its payer authenticates; null: nobody has to. */
  sealedChallenge: string | null;
  startedAt: Date;
  /** Whether the bank took the debit back after it had succeeded. */
  isReturned: boolean;
  /** Its payment; null: there is none yet. */
  payment: { id: number; token: string; voided: boolean } | null;
}

/** The attempt of a page, by its key, that charges an invoice; null: there is none. */
export async function pageAttempt(
  em: EntityManager,
  { accountId, invoiceId, key }: { accountId: number; invoiceId: number; key: string },
): Promise<PageAttempt | null> {
  const [row] = await em.execute<(Omit<PageAttempt, 'startedAt'> & { startedAt: string | Date })[]>(
    `select a.id, a.state, a.method, a.amount, a.currency, a.failure_code as "failureCode", a.interruption,
       a.sealed_challenge as "sealedChallenge", a.started_at as "startedAt",
       charge.returned_at is not null as "isReturned",
       case when payment.id is not null
         then json_build_object('id', payment.id, 'token', payment.token, 'voided', payment.voided) end as payment
     from attempt a
     join attempt_invoice target on target.account_id = a.account_id and target.attempt_id = a.id
     left join charge on charge.account_id = a.account_id and charge.attempt_id = a.id
     left join payment on payment.account_id = a.account_id and payment.charge_id = charge.id
     where a.account_id = ? and a.key = ? and a.origin = 'page' and target.invoice_id = ?`,
    [accountId, key, invoiceId],
  );
  return row ? { ...row, startedAt: new Date(row.startedAt) } : null;
}

/** The charge of an invoice that has no outcome yet; null: there is none. */
export async function undecidedCharge(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<{ key: string; origin: AttemptOrigin } | null> {
  const [row] = await em.execute<{ key: string; origin: AttemptOrigin }[]>(
    `select a.key, a.origin from attempt_invoice target
     join attempt a on a.account_id = target.account_id and a.id = target.attempt_id
     where target.account_id = ? and target.invoice_id = ? and target.undecided`,
    [accountId, id],
  );
  return row ?? null;
}

/**
 * How many payments on the page of an invoice have failed since a time (real time): declined, or not authenticated. Lock the invoice before:
 * then no payment begins meanwhile.
 */
export async function declinesOnPage(
  em: EntityManager,
  { accountId, invoiceId, since }: { accountId: number; invoiceId: number; since: Date },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from attempt_invoice target
     join attempt a on a.account_id = target.account_id and a.id = target.attempt_id
     where target.account_id = ? and target.invoice_id = ? and a.origin = 'page' and a.started_at > ?
       and (a.state = 'failed' or a.interruption = 'unauthenticated')`,
    [accountId, invoiceId, since],
  );
  return row?.count ?? 0;
}
