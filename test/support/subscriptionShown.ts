import type { BilledLine, Invoice, Line } from './subscriptionOracleInvoice.ts';
import { minorText } from './subscriptionOracleTerms.ts';
import { decimalsOf } from './totalsOracle.ts';

// Invoices of the oracle of subscriptions as lines of text.

/** A date of UTC, with its time unless it is midnight. */
export function dayText(at: number): string {
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000Z', 'Z');
}

/** `plan 2027-04-16/2027-05-01 1 x -15.00`. A prorated line ends with `prorated`. */
export function lineText(line: Line): string {
  const { component, periodStart, periodEnd, quantity, unitCost, prorated } = line;
  const span = `${dayText(periodStart)}/${dayText(periodEnd)}`;
  return `${component} ${span} ${quantity} x ${unitCost}${prorated ? ' prorated' : ''}`;
}

export interface ShownInvoice {
  date: string;
  lines: string[];
  discounts: string;
  taxes: string;
  total: string;
  /** Only a negative sum, and only credit that was used. */
  credited?: string;
  creditApplied?: string;
}

export function shownInvoice(invoice: Invoice, currency = 'usd'): ShownInvoice {
  const text = (minor: bigint) => minorText(minor, decimalsOf(currency));
  const { credited, creditApplied } = invoice;
  return {
    date: dayText(invoice.date),
    lines: invoice.lines.map((line) => billedText(line, text)),
    discounts: text(invoice.discountTotal),
    taxes: text(invoice.taxTotal),
    total: text(invoice.total),
    ...(credited > 0n ? { credited: text(credited) } : {}),
    ...(creditApplied > 0n ? { creditApplied: text(creditApplied) } : {}),
  };
}

function billedText(line: BilledLine, text: (minor: bigint) => string): string {
  const discount = line.discount === 0n ? '' : ` less ${text(line.discount)}`;
  return `${lineText(line)} = ${text(line.amount)}${discount}`;
}
