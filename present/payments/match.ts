import { add } from '../../billing/money.ts';
import type { Suggestion } from '../../billing/paymentMatching.ts';
import { number, type Presented } from '../kernel/values.ts';
import { presentApplications } from './payment.ts';

type Applied = Parameters<typeof presentApplications>[0];

/**
 * A suggestion for a payment. `applied_to` has the present applications, too, so that a client can accept it by sending `customer` and
 * `applied_to` back. `rank`: 1 is the likeliest.
 */
export function presentMatch(suggestion: Suggestion, rank: number, applied: Applied): Presented {
  const { customerId, parts, reasons } = suggestion;
  const isAlsoPaid = ({ type, invoice }: Applied[number]) =>
    type === 'invoice' && parts.some(({ invoiceId }) => invoiceId === invoice?.id);
  const kept = presentApplications(applied.filter((one) => !isAlsoPaid(one))).map(
    ({ id: _id, object: _object, ...application }) => application,
  );
  const made = parts.map(({ invoiceId, amount }) => {
    const paid = applied.find(({ type, invoice }) => type === 'invoice' && invoice?.id === invoiceId)?.amount ?? '0';
    const whole = number(add(paid, amount));
    const others = { estimate: null, credit_note: null, document_type: null };
    return { type: 'invoice', amount: whole, invoice: invoiceId, ...others };
  });
  return { object: 'payment_match', rank, reasons: [...reasons], customer: customerId, applied_to: [...kept, ...made] };
}
