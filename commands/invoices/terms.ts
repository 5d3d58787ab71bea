import { firstAttemptAt } from '../../billing/collection/autopay.ts';
import { isPastDue } from '../../billing/collection/collection.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { dueAt, parseTerms, refusePlanTerms, type Terms, termsText } from '../../billing/time/terms.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { schedule } from '../aggregates/collectionState.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { collectByPlan, hasPlanTerms } from '../aggregates/paymentPlan.ts';
import { assignChanges, isSameSecond, newTime } from '../kernel/changes.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

export interface TermsAsked {
  /** Date of the document. */
  date: Date;
  /** Time of issue; for a draft, of creation. */
  issuedAt: Date;
  autopay: boolean;
  /** Null: AutoPay terms if `autopay`, else the customer's terms, else the account's. */
  paymentTerms: string | null;
  /** Null: computed from the terms. */
  dueAt: Date | null;
  /** Additional days before the first automatic charge. */
  collectLaterDays: number;
}

/** Terms and due date of an invoice, and the time when AutoPay would charge it first, epoch milliseconds. Refuses invalid terms. */
export function collectionTerms({ customer, moment }: LockedCustomer, asked: TermsAsked) {
  const { account } = moment.caller;
  const { date, issuedAt, autopay } = asked;
  const text =
    asked.paymentTerms ?? (autopay ? 'AutoPay' : (customer.paymentTerms ?? setting(account, 'payment_terms')));
  const paymentTerms = termsText(refusePlanTerms(parseTerms(text)));
  const terms = effectiveTerms(account, { autopay, paymentTerms });
  const delayDays = customer.autopayDelayDays < 0 ? setting(account, 'autopay_delay_days') : customer.autopayDelayDays;
  const firstAt = firstAttemptAt({
    dateAt: date.getTime(),
    issuedAt: issuedAt.getTime(),
    delayDays: delayDays + asked.collectLaterDays,
    minimumDelaySeconds: setting(account, 'autopay_minimum_delay'),
    zone: account.timeZone,
  });
  const due = asked.dueAt ?? dueBy({ date, issuedAt, terms, timeZone: account.timeZone });
  return { paymentTerms, dueAt: due, firstAttemptAt: firstAt };
}

/** The effective terms. The account's terms replace AutoPay terms of an invoice without AutoPay, which would never become due. */
function effectiveTerms(account: Account, of: { autopay: boolean; paymentTerms: string }): Terms {
  const wanted = parseTerms(of.paymentTerms);
  return wanted.kind === 'autopay' && !of.autopay ? parseTerms(setting(account, 'payment_terms')) : wanted;
}

function dueBy(of: { date: Date; issuedAt: Date; terms: Terms; timeZone: string }): Date | null {
  const due = dueAt(Math.max(of.date.getTime(), of.issuedAt.getTime()), of.terms, of.timeZone);
  return due === null ? null : new Date(due);
}

/** Whether the due date is the one computed from the terms. It then changes with date and terms. */
export function isDueByTerms(account: Account, invoice: Invoice): boolean {
  const { date, issuedAt, createdAt, autopay, timeZone, paymentTerms } = invoice;
  if (!paymentTerms) return !invoice.dueAt;
  const terms = effectiveTerms(account, { autopay, paymentTerms });
  const due = dueBy({ date, issuedAt: issuedAt ?? createdAt, terms, timeZone });
  return due?.getTime() === invoice.dueAt?.getTime();
}

/** Requested changes of how an invoice is collected. A field that is left out stays as it is; null gives it its default. */
export interface TermsChange {
  date?: Date | undefined;
  dueAt?: Date | null | undefined;
  paymentTerms?: string | null | undefined;
  autopay?: boolean | null | undefined;
}

/** A planned change of terms. */
export interface TermsPlan {
  columns: Pick<Invoice, 'date' | 'autopay' | 'paymentTerms' | 'dueAt'>;
  /** When AutoPay would charge first, epoch milliseconds; null: its payment plan decides. */
  firstAt: number | null;
}

/**
 * Plans a change of date, terms, due date and AutoPay. A due date computed from the terms changes with date and terms. Refuses invalid terms,
 * and other terms or due dates than those of a payment plan. `name`: number or id of the invoice, for refusals.
 */
export function planTerms(locked: LockedInvoice, change: TermsChange, name: string | number): TermsPlan {
  const { invoice, customer } = locked;
  const date = newTime(change.date, invoice.date) ?? invoice.date;
  const autopay = change.autopay === undefined ? invoice.autopay : (change.autopay ?? customer.autopay);
  if (hasPlanTerms(invoice)) {
    refuseOtherTerms(invoice, change, name);
    const { paymentTerms, dueAt } = invoice;
    return { columns: { date, autopay, paymentTerms, dueAt }, firstAt: null };
  }
  const { firstAttemptAt: firstAt, ...terms } = wantedTerms(locked, { ...change, date, autopay });
  return { columns: { date, autopay, ...terms }, firstAt };
}

/**
 * Writes planned terms. Returns whether they differ. Switching AutoPay on plans a first charge as for a new invoice. Switching it off sets a
 * due date by the terms. An invoice that is past due stays so only if its new due date has passed. The caller replans the wake-ups.
 */
export function writeTerms(locked: LockedInvoice, { columns, firstAt }: TermsPlan): boolean {
  const { invoice, moment } = locked;
  const isSwitched = columns.autopay !== invoice.autopay;
  const isDated = columns.date !== invoice.date;
  if (!assignChanges(invoice, columns)) return false;
  if (firstAt === null) {
    if (isSwitched) collectByPlan(locked, 0);
    return true;
  }
  if (isSwitched)
    schedule(invoice, invoice.autopay ? { kind: 'switched_on', firstAt } : { kind: 'switched_off' }, moment.now);
  else if (isDated) schedule(invoice, { kind: 'dated', firstAt }, moment.now);
  const { dueAt, timeZone: zone } = invoice;
  if (invoice.pastDue) invoice.pastDue = isPastDue({ dueAt: dueAt?.getTime() ?? null, zone }, moment.now.getTime());
  return true;
}

/** Refuses other terms and due dates than those that a payment plan has decided. */
function refuseOtherTerms(invoice: Invoice, { paymentTerms, dueAt }: TermsChange, name: string | number): void {
  const refuse = (param: string): never => {
    throw new Refusal('state_conflict', `Invoice ${name} has a payment plan: change or cancel the plan`, param);
  };
  if (paymentTerms !== undefined && paymentTerms !== invoice.paymentTerms) refuse('payment_terms');
  if (dueAt !== undefined && !isSameDue(dueAt, invoice.dueAt ?? null)) refuse('due_date');
}

function isSameDue(wanted: Date | null, due: Date | null): boolean {
  return wanted && due ? isSameSecond(wanted, due) : wanted === due;
}

/** The terms and due date after a change, and the time of a first charge. `change` has the date and AutoPay after it. */
function wantedTerms(locked: LockedInvoice, change: TermsChange & { date: Date; autopay: boolean }) {
  const { invoice, moment } = locked;
  const { date, autopay, paymentTerms: requestedTerms, dueAt: requestedDue } = change;
  const [paymentTerms, due] = [invoice.paymentTerms ?? null, invoice.dueAt ?? null];
  const isSwitched = autopay !== invoice.autopay;
  const isOther = requestedTerms !== undefined && requestedTerms !== paymentTerms;
  const dueFollowsDate = date !== invoice.date && isDueByTerms(moment.caller.account, invoice);
  const isByTerms = requestedDue === undefined && (isOther || isSwitched || dueFollowsDate);
  return collectionTerms(locked, {
    date,
    autopay,
    issuedAt: invoice.issuedAt ?? invoice.createdAt,
    collectLaterDays: 0,
    // Switching AutoPay on replaces the terms. Switching it off replaces only AutoPay terms.
    paymentTerms:
      requestedTerms !== undefined
        ? requestedTerms
        : isSwitched && isAutopay(paymentTerms, autopay)
          ? null
          : paymentTerms,
    dueAt:
      requestedDue === undefined
        ? isByTerms
          ? null
          : due
        : requestedDue && isSameSecond(requestedDue, due)
          ? due
          : requestedDue,
  });
}

function isAutopay(paymentTerms: string | null, isWanted: boolean): boolean {
  return isWanted || /^autopay$/i.test(paymentTerms ?? '');
}

/**
 * Terms of a draft that moves to another customer. Requested values take precedence. A value that equals the default of the former customer
 * is replaced by the default of the new one. Any other value stays. `locked`: the draft before the move.
 */
export function termsForNewCustomer(locked: LockedInvoice, change: TermsChange): TermsChange {
  const { invoice, customer, moment } = locked;
  const { date, autopay, createdAt, dueAt } = invoice;
  const byItself = collectionTerms(locked, {
    date,
    autopay,
    issuedAt: createdAt,
    paymentTerms: null,
    dueAt: null,
    collectLaterDays: 0,
  });
  const isTermed = invoice.paymentTerms !== byItself.paymentTerms;
  const isTimed = !isDueByTerms(moment.caller.account, invoice);
  return {
    date: change.date,
    autopay: change.autopay === undefined ? (autopay === customer.autopay ? null : autopay) : change.autopay,
    paymentTerms: change.paymentTerms === undefined ? (isTermed ? undefined : null) : change.paymentTerms,
    dueAt: change.dueAt === undefined && isTimed ? dueAt : change.dueAt,
  };
}
