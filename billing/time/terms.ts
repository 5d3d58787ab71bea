import { isPositive } from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import { addDays, capAtLatest } from './calendar.ts';

/** A discount for those who pay early. */
export interface EarlyDiscountTerms {
  /** Decimal text without zeros at its end. */
  percent: string;
  /** Days after the date of the invoice. The discount holds until the last one has ended. */
  days: number;
}

export type Terms =
  | { kind: 'net'; days: number; discount: EarlyDiscountTerms | null }
  | { kind: 'due_on_receipt' }
  | { kind: 'autopay' }
  | { kind: 'payment_plan' };

/** Terms of an invoice whose payment plan is active. */
export const PAYMENT_PLAN_TERMS = 'Payment Plan';

/** The terms that a request can name. */
export const TERMS = 'NET <days>, <percent>% <days> NET <days>, Due on receipt or AutoPay';
const NET = /^(?:(\d{1,2}(?:\.\d{1,4})?) ?% (\d{1,3}) )?net (\d{1,3})$/i;

/**
 * Parses payment terms, in any case: "NET 30", "2% 10 NET 30", "Due on receipt", "AutoPay", "Payment Plan". Throws a Refusal that names
 * payment_terms.
 */
export function parseTerms(text: string): Terms {
  const wanted = text.trim();
  const net = NET.exec(wanted);
  if (net) return netTerms(net, wanted);
  if (/^due on receipt$/i.test(wanted)) return { kind: 'due_on_receipt' };
  if (/^autopay$/i.test(wanted)) return { kind: 'autopay' };
  if (/^payment plan$/i.test(wanted)) return { kind: 'payment_plan' };
  throw new Refusal('parameter_invalid', `Payment terms must be ${TERMS}: ${text}`, 'payment_terms');
}

function netTerms([, percent, within, days]: RegExpExecArray, text: string): Terms {
  const net = Number(days);
  if (percent === undefined) return { kind: 'net', days: net, discount: null };
  if (!isPositive(percent))
    throw new Refusal(
      'parameter_invalid',
      `The discount of payment terms must be more than 0%: ${text}`,
      'payment_terms',
    );
  if (Number(within) > net)
    throw new Refusal(
      'parameter_invalid',
      `The discount of payment terms must end by the due date: ${text}`,
      'payment_terms',
    );
  return { kind: 'net', days: net, discount: { percent: shortest(percent), days: Number(within) } };
}

/** The same number without zeros at its beginning and at the end of its decimals. */
function shortest(decimal: string): string {
  const [whole = '', decimals = ''] = decimal.split('.');
  const kept = decimals.replace(/0+$/, '');
  return `${Number(whole)}${kept === '' ? '' : `.${kept}`}`;
}

/** Parses terms that are stored; null: they are none, or cannot be read. */
export function storedTerms(text: string | null | undefined): Terms | null {
  try {
    return text ? parseTerms(text) : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Terms in the one spelling in which they are stored: "2% 10 NET 30". */
export function termsText(terms: Terms): string {
  switch (terms.kind) {
    case 'net': {
      const { days, discount } = terms;
      return discount ? `${discount.percent}% ${discount.days} NET ${days}` : `NET ${days}`;
    }
    case 'due_on_receipt':
      return 'Due on receipt';
    case 'autopay':
      return 'AutoPay';
    case 'payment_plan':
      return PAYMENT_PLAN_TERMS;
  }
}

/** Refuses the terms of a payment plan, which only an invoice with an active plan has. */
export function refusePlanTerms(terms: Terms): Exclude<Terms, { kind: 'payment_plan' }> {
  if (terms.kind !== 'payment_plan') return terms;
  const how = 'Give an invoice a payment plan by PUT /invoices/:id/payment_plan';
  throw new Refusal(
    'parameter_invalid',
    `${how}: payment terms must be ${TERMS}: ${PAYMENT_PLAN_TERMS}`,
    'payment_terms',
  );
}

/** Due date of an invoice with these terms from a date on (`from`), epoch milliseconds; null: AutoPay charges it, or a payment plan decides. */
export function dueAt(from: number, terms: Terms, zone: string): number | null {
  switch (terms.kind) {
    case 'net':
      return capAtLatest(addDays(from, terms.days, zone));
    case 'due_on_receipt':
      return from;
    case 'autopay':
    case 'payment_plan':
      return null;
  }
}
