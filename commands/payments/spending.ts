import { compare, isPositive, type Money } from '../../billing/money/money.ts';
import {
  type CreditPiece,
  type CreditUse,
  NOTHING_WITHHELD,
  type OpenDebt,
  spendCredit,
  unspentParts,
} from '../../billing/payments/creditSpending.ts';
import { setting } from '../../billing/settings.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type CreditKey, hasCredit, spendableCredit } from '../../db/queries/credit/creditBalance.ts';
import {
  latestAdditions,
  lineCounts,
  openDebts,
  openNotes,
  withholdBalance,
} from '../../db/queries/credit/spending.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { type LockedInvoice, lockInvoices, updateInvoiceStatus } from '../aggregates/invoice.ts';
import { creditKeyOf } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { applyPart, applyPayment, updateAfterBalanceChange } from './applying.ts';
import { type PaidUse, payByCredit, totalOf } from './creditPayments.ts';

/** Credit that was applied to invoices. */
export interface SpentCredit {
  amount: Money;
  currency: string;
  invoices: number;
}

/** The most credit notes, additions to the credit balance and open invoices that are looked at. */
const MOST = 1000;
/** The most invoices that one transaction pays, so that others wait for the customer's lock for less than their patience. */
const MOST_PAID = 200;
/** The most invoices before a charge by request or a reminder, which need all of them. */
export const MOST_BEFORE = 1000;
/** The most lines that these invoices have together, for each of them. */
const MOST_LINES = 20;

/**
 * Pays open invoices of a locked customer in a currency from its credit, by payments without money: credit in the order of its arrival,
 * invoices by their due dates. It pays no invoice of another customer, and none that `openDebts` leaves out. Makes no query if the customer
 * has no credit. If there are more than `most` invoices, the process of one of them continues. `unrecorded`: a credit note whose event the
 * caller records. Returns null if nothing was applied.
 */
export async function payOpenInvoices(
  em: EntityManager,
  locked: LockedCustomer,
  asked: { currency: string; unrecorded?: CreditNote | null; most?: number },
): Promise<SpentCredit | null> {
  const { customer, moment } = locked;
  const { currency, unrecorded = null, most = MOST_PAID } = asked;
  if (!spendsCredit(locked)) return null;
  await em.write();
  const key = creditKeyOf(customer, currency);
  const pieces = await piecesOf(em, locked, key);
  if (pieces.length === 0) return null;
  const debts = await openDebts(em, key, { only: null, most: MOST });
  const planned = spendCredit(pieces, debts, { now: moment.now.getTime(), currency });
  if (planned.length === 0) return null;
  const uses = await withinBounds(em, customer.accountId, { uses: planned, most });
  const targets = await lockInvoices(em, locked, idsOf(uses));
  const total = totalOf(uses, currency);
  const isLeft = compare(totalOf(pieces, currency), total) > 0;
  const isCut = uses.length < planned.length || pieces.length >= MOST || (isLeft && debts.length === MOST);
  const last = targets.find(({ invoice }) => invoice.id === uses.at(-1)?.invoiceId);
  if (last && isCut) last.invoice.creditReviewAt = moment.now;
  await payByCredit(em, locked, {
    uses,
    currency,
    unrecorded,
    apply: (payment, own) => payTargets(em, targets, { payment, uses: own }),
    update: () => updateAfterBalanceChange(em, targets),
  });
  await withholdAgain(em, key, { debts, uses, targets });
  await failpoint('credit.applied');
  return { amount: total, currency, invoices: targets.length };
}

/**
 * Pays an invoice at issue from the customer's credit, by payments without money. Makes no query if the customer has no credit. The caller
 * records the invoice's event.
 */
export async function payFromCredit(em: EntityManager, locked: LockedCustomer, invoice: Invoice): Promise<void> {
  const { customer, moment } = locked;
  const { currency, id: invoiceId, balance, date, dueAt } = invoice;
  if (!isPositive(balance) || !spendsCredit(locked)) return;
  const pieces = await piecesOf(em, locked, creditKeyOf(customer, currency));
  const issued = { invoiceId, balance, date: date.getTime(), dueAt: (dueAt ?? date).getTime() };
  const debt: OpenDebt = { ...issued, installments: null, withheld: NOTHING_WITHHELD };
  const uses = spendCredit(pieces, [debt], { now: moment.now.getTime(), currency });
  if (uses.length === 0) return;
  await payByCredit(em, locked, {
    uses,
    currency,
    apply: (payment, own) => {
      for (const use of own) expectWhole(applyPart(em, { moment, invoice }, { payment, part: use.part }), use);
    },
    update: () => updateInvoiceStatus(invoice, moment.now),
  });
}

function spendsCredit({ customer, moment }: LockedCustomer): boolean {
  return customer.hasCredit && setting(moment.caller.account, 'apply_credits_at_issue');
}

/** The credit that can be spent now. Notes on the customer when it has none at all. */
async function piecesOf(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  key: CreditKey,
): Promise<CreditPiece[]> {
  const { now } = moment;
  const notes = await openNotes(em, key, { now, most: MOST });
  const spendable = await spendableCredit(em, key, now);
  const { currency } = key;
  const { balance, additions } = await latestAdditions(em, key, { now, most: MOST });
  const pieces = [...notes, ...unspentParts(additions, { balance, spendable, currency })];
  if (pieces.length === 0) customer.hasCredit = await hasCredit(em, key);
  return pieces;
}

/** The first uses that one transaction carries out: their invoices and the lines of these are bounded, because each event has all lines. */
async function withinBounds(
  em: EntityManager,
  accountId: number,
  { uses, most }: { uses: CreditUse[]; most: number },
): Promise<CreditUse[]> {
  const ids = idsOf(uses);
  const counts = ids.length > 1 ? await lineCounts(em, { accountId, invoiceIds: ids }) : null;
  const within = new Set<number>();
  let lines = 0;
  for (const id of ids) {
    lines += counts?.get(id) ?? 0;
    if (within.size > 0 && (lines > MOST_LINES * most || within.size === most)) break;
    within.add(id);
  }
  const end = uses.findIndex(({ invoiceId }) => !within.has(invoiceId));
  return end < 0 ? uses : uses.slice(0, end);
}

function payTargets(
  em: EntityManager,
  targets: readonly LockedInvoice[],
  { payment, uses }: { payment: Payment; uses: readonly PaidUse[] },
): void {
  const byInvoice = Map.groupBy(uses, ({ invoiceId }) => invoiceId);
  for (const target of targets) {
    const own = byInvoice.get(target.invoice.id) ?? [];
    if (own.length === 0) continue;
    const parts = own.map(({ part }) => part);
    const applied = applyPayment(em, target, { payment, parts, reason: 'credit_applied' });
    for (const [index, use] of own.entries()) expectWhole(applied[index] ?? '0', use);
  }
}

/** The customer is locked, so what was read can be applied. */
function expectWhole(applied: Money, { amount, invoiceId }: CreditUse): void {
  if (compare(applied, amount) !== 0) throw new Error(`invoice ${invoiceId} was paid from credit that is not there`);
}

/** An invoice from which credit is withheld took all other credit there was: of what is left, as much is withheld as before. */
async function withholdAgain(
  em: EntityManager,
  key: CreditKey,
  paid: { debts: readonly OpenDebt[]; uses: readonly CreditUse[]; targets: readonly LockedInvoice[] },
): Promise<void> {
  const { debts, uses, targets } = paid;
  const took = new Set(uses.filter(({ noteId }) => noteId === null).map(({ invoiceId }) => invoiceId));
  const open = new Set(targets.filter(({ invoice }) => !invoice.paid).map(({ invoice }) => invoice.id));
  const again = debts.filter(({ invoiceId: id, withheld }) => withheld.balance && took.has(id) && open.has(id));
  const nothingMore = again.map(({ invoiceId }) => ({ invoiceId, amount: '0' }));
  if (nothingMore.length > 0) await withholdBalance(em, key, nothingMore);
}

function idsOf(uses: readonly CreditUse[]): number[] {
  return [...new Set(uses.map(({ invoiceId }) => invoiceId))];
}
