import { smallDifference } from '../../billing/collection/writeOff.ts';
import { add, type Money, negate, roundMoney, subtract } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Moment } from '../kernel/caller.ts';
import { ledger, post } from '../kernel/posting.ts';
import { addWriteOff, type NewWriteOff, postWrittenOff, reverseRow, writeOffsOf } from './badDebt.ts';
import { schedule } from './collectionState.ts';
import { type LockedInvoice, reschedule } from './invoice.ts';
import { followBalance } from './paymentPlan.ts';

/** Writes off the balance of an invoice as bad debt and stops its collection. The caller records events and replans wake-ups. */
export function writeOff(em: EntityManager, locked: LockedInvoice, reason: string | null = null): void {
  const { invoice, moment } = locked;
  addWriteOff(em, locked, { amount: invoice.balance, kind: 'whole', reason });
  Object.assign(invoice, { writtenOffAt: moment.now, closed: true });
  schedule(invoice, { kind: 'other' }, moment.now);
}

/** Reverses a write-off: the balance is owed and collected again. The caller records events and replans wake-ups. */
export function reverseWriteOff(em: EntityManager, locked: LockedInvoice): void {
  takeWholeBack(em, locked, 'reopen');
  locked.invoice.writtenOffAt = null;
  reopen(locked);
}

/** Takes back all that is written off of an invoice that is voided. */
export function takeAllBack(em: EntityManager, locked: LockedInvoice): void {
  const { invoice } = locked;
  if (invoice.writtenOffAt) takeWholeBack(em, locked, 'void');
  for (const row of writeOffsOf(invoice)) reverseRow(em, locked, { row, reason: 'void' });
}

/** Earlier versions wrote off without a row, as bad debt. */
function takeWholeBack(em: EntityManager, locked: LockedInvoice, reason: 'reopen' | 'void'): void {
  const whole = writeOffsOf(locked.invoice).filter(({ kind }) => kind === 'whole');
  const known = add('0', ...whole.map(({ amount }) => amount));
  for (const row of whole) reverseRow(em, locked, { row, reason });
  const amount = subtract(locked.invoice.balance, known);
  postWrittenOff(em, locked, { account: ledger.badDebt(''), amount, reason });
}

/** Writes off an amount that a written-off invoice owes in addition. */
export function postWriteOff(em: EntityManager, locked: LockedInvoice, amount: Money): void {
  addWriteOff(em, locked, { amount, kind: 'whole' });
}

/** Writes off a part of what an invoice owes. A payment plan loses its last installments. The caller updates the status. */
export function writeOffPart(em: EntityManager, locked: LockedInvoice, part: NewWriteOff): void {
  const { invoice } = locked;
  addWriteOff(em, locked, part);
  invoice.balance = subtract(invoice.balance, part.amount);
  followBalance(em, locked, part.amount);
}

/** Takes the write-off of a part back: it is owed again. The caller updates the status. */
export function takePartBack(
  em: EntityManager,
  locked: LockedInvoice,
  row: ReturnType<typeof writeOffsOf>[number],
): void {
  const { invoice } = locked;
  reverseRow(em, locked, { row, reason: 'reopen' });
  invoice.balance = add(invoice.balance, row.amount);
  if (invoice.paid) reopen(locked);
  followBalance(em, locked, negate(row.amount));
}

/** Takes the write-offs of all parts back, so that a credit note credits no more than was paid and is owed. The caller updates the status. */
export function takePartsBack(em: EntityManager, locked: LockedInvoice): void {
  for (const row of writeOffsOf(locked.invoice)) if (row.kind !== 'whole') takePartBack(em, locked, row);
}

/** The highest difference in the currency of an invoice that its account tolerates; zero: none. */
export function toleranceOf({ invoice, moment }: Pick<LockedInvoice, 'invoice' | 'moment'>): Money {
  return String(setting(moment.caller.account, 'write_off_tolerance')[invoice.currency] ?? 0);
}

/** Writes off what a payment that came up short left of an invoice, if the account tolerates it. `paid`: what it paid. Returns whether it was. */
export function writeOffDifference(
  em: EntityManager,
  locked: LockedInvoice,
  { payment, paid }: { payment: Pick<Payment, 'id'>; paid: Money },
): boolean {
  const { invoice } = locked;
  if (invoice.closed) return false;
  const amount = smallDifference(invoice.balance, { tolerance: toleranceOf(locked), paid });
  if (amount === null) return false;
  writeOffPart(em, locked, { amount, kind: 'difference', payment });
  return true;
}

/** Takes the difference back that was written off because a payment came up short, when the payment no longer pays the invoice. */
export function takeDifferenceBack(em: EntityManager, locked: LockedInvoice, payment: Payment): void {
  const own = writeOffsOf(locked.invoice).filter(
    ({ kind, paymentId }) => kind === 'difference' && paymentId === payment.id,
  );
  for (const row of own) takePartBack(em, locked, row);
}

/** Reopens an invoice. AutoPay charges it after the account's minimum delay. Without AutoPay, the invoice gets a due date. */
export function reopen(locked: LockedInvoice): void {
  const { invoice, moment } = locked;
  Object.assign(invoice, { paid: false, closed: false });
  const minimumDelaySeconds = setting(moment.caller.account, 'autopay_minimum_delay');
  reschedule(locked, { kind: 'reopened', minimumDelaySeconds });
}

/** Forfeits the balance of a credit note that a request closes. The caller updates its status and records its event. */
export function forfeitCreditNote(em: EntityManager, moment: Moment, creditNote: CreditNote): void {
  if (creditNote.forfeitedAt) return;
  creditNote.forfeitedAt = moment.now;
  postForfeit(em, { moment, creditNote, reason: 'write_off' });
}

/** Reverses the forfeit of a credit note's balance. Does nothing when nothing was forfeited. */
export function reverseForfeit(em: EntityManager, moment: Moment, creditNote: CreditNote): void {
  if (!creditNote.forfeitedAt) return;
  creditNote.forfeitedAt = null;
  postForfeit(em, { moment, creditNote, reason: 'reopen' });
}

function postForfeit(
  em: EntityManager,
  what: { moment: Moment; creditNote: CreditNote; reason: 'write_off' | 'reopen' },
): void {
  const { moment, creditNote, reason } = what;
  const { accountId, currency, id: creditNoteId, date: documentAt } = creditNote;
  const about = { customerId: creditNote.customer.id, invoiceId: null, paymentId: null, creditNoteId };
  const amount = roundMoney(creditNote.balance, currency);
  const { creditNotes, forfeitedCredits } = ledger;
  const [debit, credit] = reason === 'write_off' ? [creditNotes, forfeitedCredits] : [forfeitedCredits, creditNotes];
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt: moment.now }, [{ debit, credit, amount }]);
}
