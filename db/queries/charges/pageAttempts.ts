import type { EntityDictionary } from '@mikro-orm/core';
import type { Interruption } from '../../../billing/wait.ts';
import type { EntityManager } from '../../orm.ts';
import { Account } from '../../schema/account.ts';
import { type AttemptOrigin, type AttemptState, undecided } from '../../schema/attempt.ts';
import type { ChargedSource } from '../../schema/charge.ts';
import type { EmailState } from '../../schema/email.ts';
import { numberArray } from '../kernel/sql.ts';

/** An attempt as the page after paying shows it. */
export interface PageAttempt {
  id: number;
  state: AttemptState;
  method: string | null;
  /** With the convenience fee. */
  amount: string;
  fee: string;
  currency: string;
  /** What the payer entered: for the receipt, and whether the source is to be stored. Null: nothing. */
  receiptName: string | null;
  receiptEmail: string | null;
  isSaved: boolean;
  /** The card or bank account that was charged; null: it was not, or the gateway does not tell. */
  source: Pick<ChargedSource, 'type' | 'brand' | 'bankName' | 'last4'> | null;
  failureCode: string | null;
  interruption: Interruption | null;
  /** Sealed URL of the page on which its payer authenticates; null: nobody has to. */
  sealedChallenge: string | null;
  startedAt: Date;
  /** Whether the bank took the debit back after it had succeeded. */
  isReturned: boolean;
  /** Its payment; null: there is none yet. */
  payment: { id: number; token: string; voided: boolean; date: Date } | null;
  /** State of the mail with its receipt, to the first of the recipients; null: none was written. */
  receiptMail: EmailState | null;
}

/** A document that pages let their visitors pay: an invoice, or the deposit of an estimate. */
export interface PaidDocument {
  accountId: number;
  type: 'invoice' | 'estimate';
  id: number;
}

/** A document to whose page a form was sent. */
export interface PostedDocument {
  account: Account;
  token: string;
  customerId: number;
  currency: string;
  /** The language of its paper: ISO 639-1 code. */
  language: string;
  /** Whether its customer may have credit. */
  hasCredit: boolean;
}

/** Reads an issued document, which has a snapshot, with its account. Null: there is none. */
export async function postedDocument(
  em: EntityManager,
  { accountId, type, id }: PaidDocument,
): Promise<PostedDocument | null> {
  const [row] = await em.execute<(Omit<PostedDocument, 'account'> & { account: EntityDictionary<Account> })[]>(
    `select document.token, document.customer_id as "customerId", document.currency, snapshot.language,
       customer.has_credit as "hasCredit", to_jsonb(account) as account
     from ${type} document
     left join snapshot on snapshot.account_id = document.account_id and snapshot.id = document.snapshot_id
     join customer on customer.account_id = document.account_id and customer.id = document.customer_id
     join account on account.id = document.account_id
     where document.account_id = ? and document.id = ? and document.issued_at is not null and document.deleted_at is null`,
    [accountId, id],
  );
  return row ? { ...row, account: em.map(Account, row.account) } : null;
}

/** SQL: the attempts that charge a document, `a`, by its account and id. */
const attemptsOf: Readonly<Record<PaidDocument['type'], string>> = {
  invoice: `attempt_invoice target join attempt a on a.account_id = target.account_id and a.id = target.attempt_id
     where target.account_id = ? and target.invoice_id = ?`,
  estimate: `attempt_credit target join attempt a on a.account_id = target.account_id and a.id = target.attempt_id
     where target.account_id = ? and target.estimate_id = ?`,
};

/** The attempt of a page, by its key, that charges a document; null: there is none. */
export async function pageAttempt(
  em: EntityManager,
  { accountId, type, id }: PaidDocument,
  key: string,
): Promise<PageAttempt | null> {
  const [row] = await em.execute<(Omit<PageAttempt, 'startedAt'> & { startedAt: string | Date })[]>(
    `select a.id, a.state, a.method, a.amount, a.convenience_fee as fee, a.currency, a.failure_code as "failureCode",
       a.receipt_name as "receiptName", a.receipt_email as "receiptEmail", a.vault as "isSaved",
       charge.source, a.interruption, a.sealed_challenge as "sealedChallenge", a.started_at as "startedAt",
       charge.returned_at is not null as "isReturned",
       case when payment.id is not null
         then json_build_object('id', payment.id, 'token', payment.token, 'voided', payment.voided, 'date', payment.date)
       end as payment,
       (select email.state from email where email.account_id = a.account_id
         and email.template = 'payment_receipt_email' and email.cause = 'payment:' || payment.id) as "receiptMail"
     from attempt a
     left join charge on charge.account_id = a.account_id and charge.attempt_id = a.id
     left join payment on payment.account_id = a.account_id and payment.charge_id = charge.id
     where a.key = ? and a.origin = 'page' and a.account_id = ?
       and a.id in (select target.attempt_id from ${attemptsOf[type]})`,
    [key, accountId, accountId, id],
  );
  if (!row) return null;
  const { payment } = row;
  const dated = payment && { ...payment, date: new Date(payment.date) };
  return { ...row, payment: dated, startedAt: new Date(row.startedAt) };
}

/** The charge of a document that has no outcome yet; null: there is none. */
export async function undecidedCharge(
  em: EntityManager,
  { accountId, type, id }: PaidDocument,
): Promise<{ key: string; origin: AttemptOrigin } | null> {
  const [row] = await em.execute<{ key: string; origin: AttemptOrigin }[]>(
    `select a.key, a.origin from ${attemptsOf[type]} and a.state in (${undecided}) limit 1`,
    [accountId, id],
  );
  return row ?? null;
}

/** Those of the estimates whose deposit has a charge without an outcome. */
export async function undecidedDeposits(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select distinct target.estimate_id as id from attempt_credit target
     join attempt a on a.account_id = target.account_id and a.id = target.attempt_id
     where target.account_id = ? and target.estimate_id = any(?::int[]) and a.state in (${undecided})`,
    [accountId, numberArray(ids)],
  );
  return rows.map(({ id }) => id);
}

/**
 * How many payments on the page of a document have failed since a time (real time): declined, or not authenticated. Lock the document
 * before: then no payment begins meanwhile.
 */
export async function declinesOnPage(
  em: EntityManager,
  { accountId, type, id }: PaidDocument,
  since: Date,
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from ${attemptsOf[type]} and a.origin = 'page' and a.started_at > ?
       and (a.state = 'failed' or a.interruption = 'unauthenticated')`,
    [accountId, id, since],
  );
  return row?.count ?? 0;
}
