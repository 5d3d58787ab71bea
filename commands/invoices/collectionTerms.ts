import { firstAttemptAt } from '../../billing/collection/autopay.ts';
import { setting } from '../../billing/settings.ts';
import { dueAt, parseTerms, refusePlanTerms, type Terms, termsText } from '../../billing/time/terms.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
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
