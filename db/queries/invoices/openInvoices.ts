import type { NamedInvoice } from '../../../billing/payments/certainMatch.ts';
import { LOOKUP_SCHEMA } from '../../lookups.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray, textArray } from '../kernel/sql.ts';

/** An open invoice: issued, neither paid nor closed. */
export interface FoundInvoice {
  id: number;
  customerId: number;
  number: string;
  balance: string;
  /** UNIX seconds; null: it has no due date. */
  dueAt: number | null;
}

interface InAccount {
  accountId: number;
  currency: string;
  /** Only invoices of these customers; null: of all. */
  payers: readonly number[] | null;
  /** Maximum number of invoices. */
  most: number;
}

const COLUMNS =
  'i.id, i.customer_id as "customerId", i.number, i.balance, extract(epoch from i.due_at)::bigint as "dueAt"';

const OPEN = 'not i.closed and i.issued_at is not null';

/** Customers without personal data can be billed no more, and get no payments. */
const OF_CUSTOMER =
  'join customer c on c.account_id = i.account_id and c.id = i.customer_id and c.anonymized_at is null';

/** Open invoices with these keys of numbers, the oldest first. */
export function openInvoicesOfNumbers(
  em: EntityManager,
  { accountId, currency, payers, most }: InAccount,
  keys: readonly string[],
): Promise<FoundInvoice[]> {
  if (keys.length === 0) return Promise.resolve([]);
  const of = payers && numberArray(payers);
  return em.execute<FoundInvoice[]>(
    `select ${COLUMNS} from invoice i ${OF_CUSTOMER}
     where i.account_id = ? and i.number_key = any(?::text[]) and i.currency = ? and ${OPEN} and i.balance > 0
       and (?::int[] is null or i.customer_id = any(?::int[]))
     order by i.id limit ?`,
    [accountId, textArray(keys), currency, of, of, most],
  );
}

/** Issued invoices with these keys of numbers, paid and voided ones too, in any currency. */
export function issuedInvoicesOfNumbers(
  em: EntityManager,
  { accountId, keys, most }: { accountId: number; keys: readonly string[]; most: number },
): Promise<NamedInvoice[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return em.execute<NamedInvoice[]>(
    `select ${COLUMNS}, i.currency,
       not i.closed and i.balance > 0 and not i.pending and i.deleted_at is null and c.anonymized_at is null
         and not exists (select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided)
         as "isOpen"
     from invoice i join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where i.account_id = ? and i.number_key = any(?::text[]) and i.issued_at is not null
     order by i.id limit ?`,
    [accountId, textArray(keys), most],
  );
}

/** Open invoices with one of these balances, the oldest of each first. */
export function openInvoicesOfBalances(
  em: EntityManager,
  { accountId, currency, payers, most }: InAccount,
  balances: readonly string[],
): Promise<FoundInvoice[]> {
  const currencies = textArray(balances.map(() => currency));
  return em.execute<FoundInvoice[]>(
    `select ${COLUMNS}
     from ${LOOKUP_SCHEMA}.open_invoices_of_balances(?::text[], ?::numeric[], ?::int[], ?::int) as found
     join invoice i on i.account_id = ? and i.id = found.found_id
     order by found.wanted_place, i.id`,
    [currencies, numberArray(balances), payers && numberArray(payers), most, accountId],
  );
}

/** Open invoices of these customers, the oldest of each first. */
export function openInvoicesOfCustomers(
  em: EntityManager,
  { accountId, currency, most }: Omit<InAccount, 'payers'>,
  customerIds: readonly number[],
): Promise<FoundInvoice[]> {
  if (customerIds.length === 0) return Promise.resolve([]);
  return em.execute<FoundInvoice[]>(
    `select i.* from unnest(?::int[]) with ordinality as wanted(id, place) cross join lateral (
       select ${COLUMNS} from invoice i ${OF_CUSTOMER}
       where i.account_id = ? and i.customer_id = wanted.id and i.currency = ? and ${OPEN} and i.balance > 0
       order by i.id limit ?
     ) i order by wanted.place, i.id`,
    [numberArray(customerIds), accountId, currency, most],
  );
}

/** The money of a payment that is looked for among the open invoices, and the keys of numbers that the payment may name. */
export interface Wanted {
  currency: string;
  amount: string;
  keys: readonly string[];
}

/** Places of payments in a list: those that name an open invoice, and those with the amount of one or with its number. */
export interface Matched {
  named: ReadonlySet<number>;
  all: ReadonlySet<number>;
}

/**
 * Places in `wanted` of payments that have an open invoice: with the same amount, or one that they name. Two statements for any number of
 * payments. `payers`: only these customers' invoices count; null: everybody's do.
 */
export async function placesWithInvoice(
  em: EntityManager,
  { accountId, payers }: { accountId: number; payers: readonly number[] | null },
  wanted: readonly Wanted[],
): Promise<Matched> {
  if (wanted.length === 0) return { named: new Set(), all: new Set() };
  const of = payers && numberArray(payers);
  const currencies = textArray(wanted.map(({ currency }) => currency));
  const amounts = numberArray(wanted.map(({ amount }) => amount));
  const equal = await em.execute<{ place: number }[]>(
    `select wanted_place - 1 as place
     from ${LOOKUP_SCHEMA}.open_invoices_of_balances(?::text[], ?::numeric[], ?::int[], 1)`,
    [currencies, amounts, of],
  );
  const named = wanted.flatMap(({ currency, keys }, place) => keys.map((key) => ({ place, currency, key })));
  if (named.length === 0) return { named: new Set(), all: new Set(equal.map(({ place }) => place)) };
  const found = await em.execute<{ place: number }[]>(
    `select distinct w.place from unnest(?::int[], ?::text[], ?::text[]) as w(place, currency, key)
     join invoice i on i.account_id = ? and i.number_key = w.key and i.currency = w.currency ${OF_CUSTOMER}
     where ${OPEN} and i.balance > 0 and (?::int[] is null or i.customer_id = any(?::int[]))`,
    [
      numberArray(named.map(({ place }) => place)),
      textArray(named.map(({ currency }) => currency)),
      textArray(named.map(({ key }) => key)),
      accountId,
      of,
      of,
    ],
  );
  return {
    named: new Set(found.map(({ place }) => place)),
    all: new Set([...equal, ...found].map(({ place }) => place)),
  };
}

/** Ids of the subscriptions that have a past-due invoice that is not closed. */
export async function withPastDueInvoices(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<Set<number>> {
  const rows = await em.execute<{ id: number }[]>(
    `select distinct subscription_id as id from invoice
     where account_id = ? and subscription_id = any(?::int[]) and past_due and not closed`,
    [accountId, `{${ids.join()}}`],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Numbers of a customer's open invoices with a balance, at most three, oldest first. */
export async function openNumbersOfBalance(
  em: EntityManager,
  of: { accountId: number; customerId: number; currency: string; balance: string },
): Promise<string[]> {
  const rows = await em.execute<{ number: string }[]>(
    `select number from invoice where account_id = ? and customer_id = ? and currency = ? and balance = ?
     and not closed and issued_at is not null and deleted_at is null order by id limit 3`,
    [of.accountId, of.customerId, of.currency, of.balance],
  );
  return rows.map(({ number }) => number);
}

/**
 * SQL: when the first due step of a customer's subscriptions became due, UNIX time in milliseconds. Steps that are due for more than an hour or
 * whose process is stuck do not count. Null: there is none. Takes the account, the customer, and the time twice.
 */
export const SUBSCRIPTION_DUE_AT = `(
  select (extract(epoch from min(w.at)) * 1000)::float8 from subscription s
  join wakeup w on w.account_id = s.account_id and w.process = 'subscription' and w.subject_id = s.id
  where s.account_id = ? and s.customer_id = ? and s.status not in ('finished', 'canceled')
    and w.at <= ? and w.at > ?::timestamptz - interval '1 hour'
    and not exists (select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process
      and p.subject_id = w.subject_id and p.rule = 'problem'))`;
