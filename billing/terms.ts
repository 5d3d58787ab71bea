import { addDays, capAtLatest } from './calendar.ts';
import { Refusal } from './refusal.ts';

export type Terms = { kind: 'net'; days: number } | { kind: 'due_on_receipt' } | { kind: 'autopay' };

/** Parses payment terms: "NET 30", "Due on receipt", "AutoPay" (any case). Throws a Refusal that names payment_terms. */
export function parseTerms(text: string): Terms {
  const net = /^net (\d{1,3})$/i.exec(text.trim());
  if (net) return { kind: 'net', days: Number(net[1]) };
  if (/^due on receipt$/i.test(text.trim())) return { kind: 'due_on_receipt' };
  if (/^autopay$/i.test(text.trim())) return { kind: 'autopay' };
  if (/^payment plan$|%/i.test(text))
    throw new Refusal(`Payment terms are not supported yet: ${text}`, 'payment_terms');
  throw new Refusal(`Payment terms must be NET <days>, Due on receipt or AutoPay: ${text}`, 'payment_terms');
}

/** Due date of an invoice with these terms from a date on (`from`), epoch milliseconds; null: AutoPay charges it, and it has none. */
export function dueAt(from: number, terms: Terms, zone: string): number | null {
  switch (terms.kind) {
    case 'net':
      return capAtLatest(addDays(from, terms.days, zone));
    case 'due_on_receipt':
      return from;
    case 'autopay':
      return null;
  }
}
