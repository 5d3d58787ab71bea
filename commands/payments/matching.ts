import { namedNumbers } from '../../billing/documents/referenceText.ts';
import { compare, isPositive } from '../../billing/money/money.ts';
import { matchedSources } from '../../billing/payments/paymentMatching.ts';
import { setting } from '../../billing/settings.ts';
import { stepTexts } from '../../billing/stepTexts.ts';
import type { Wait } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { withDescendants } from '../../db/queries/customers/tree.ts';
import { placesWithInvoice } from '../../db/queries/invoices/openInvoices.ts';
import { Numbering } from '../../db/schema/numbering.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Moment } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { setWakeups, wakeupsOf } from '../kernel/waking.ts';

/** Rule of the only wake-up of a payment. None is planned later, so a payment that somebody takes back from its invoices stays so. */
const RULE = 'match';

/** Maximum number of customers of a family whose invoices are suggested. */
const MOST_PAYERS = 50;

/** Texts of a payment that may name invoices and customers. */
export function textsOf({ reference, notes }: Pick<Payment, 'reference' | 'notes'>): string[] {
  return [reference, notes].flatMap((text) => text || []);
}

/** Beginnings of the keys of an account's invoice numbers, former ones included. */
export async function invoicePrefixes(em: EntityManager, accountId: number): Promise<string[]> {
  const series = await em.findOne(Numbering, { accountId, series: 'invoice' });
  return series ? [series.prefixKey, ...series.past.map(({ key }) => key)] : [];
}

/** Ids of the customers whose invoices a payment may pay: its customer and the descendants; null: all customers. */
export async function payersOf(em: EntityManager, { accountId, customer }: Payment): Promise<number[] | null> {
  return customer ? withDescendants(em, { accountId, id: customer.id, most: MOST_PAYERS }) : null;
}

/** Whether invoices may be suggested for a payment: it was keyed or imported, and money of it is not applied. */
function isOpen({ source, charge, voided, balance }: Payment): boolean {
  return matchedSources.includes(source) && !charge && !voided && isPositive(balance);
}

/**
 * Sets `matched` after a payment was created or changed, and forgets that suggestions were refused. An open invoice of the same amount is a
 * suggestion, and one that the payment names. `isApplied`: whether balances of invoices have changed, which are then written.
 */
export async function updateMatched(
  em: EntityManager,
  payment: Payment,
  { isApplied }: { isApplied: boolean },
): Promise<void> {
  payment.matchesRefused = false;
  payment.matched = false;
  if (!isOpen(payment)) return;
  if (isApplied) await em.write();
  payment.matched = await hasInvoice(em, payment);
}

async function hasInvoice(em: EntityManager, payment: Payment): Promise<boolean> {
  const { accountId, currency, balance: amount } = payment;
  const texts = textsOf(payment);
  const prefixes = texts.length === 0 ? [] : await invoicePrefixes(em, accountId);
  const wanted = [{ currency, amount, keys: namedNumbers(texts, prefixes) }];
  const { all } = await placesWithInvoice(em, { accountId, payers: await payersOf(em, payment) }, wanted);
  return all.size > 0;
}

/** Lets new payments be applied by themselves if their account wants it. They name invoices; their process decides whether that is certain. */
export async function planMatching(
  em: EntityManager,
  { moment, clockId }: Pick<LockedCustomer, 'moment' | 'clockId'>,
  payments: readonly Payment[],
): Promise<void> {
  if (!setting(moment.caller.account, 'auto_apply_matches')) return;
  const waits: Wait[] = [{ rule: RULE, at: moment.now.getTime(), step: stepTexts.match }];
  for (const payment of payments.filter(isWhole))
    await setWakeups(em, moment, {
      waiter: { process: 'payment', subjectId: payment.id, clockId },
      waits,
      existing: [],
    });
}

/** Whether all of the money of a payment waits for its invoices. */
export function isWhole(payment: Payment): boolean {
  return isOpen(payment) && compare(payment.balance, payment.amount) === 0;
}

/** Ends the process of a payment and closes its problem: it was decided, or somebody has changed it and decides. */
export async function endMatching(
  em: EntityManager,
  moment: Moment,
  { accountId, id }: { accountId: number; id: number },
): Promise<void> {
  const existing = await wakeupsOf(em, { accountId, process: 'payment', ids: [id] });
  if (existing.length === 0) return;
  const waiter = { process: 'payment' as const, subjectId: id, clockId: null };
  await setWakeups(em, moment, { waiter, waits: [], existing, inside: true });
}
