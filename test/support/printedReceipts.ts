import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { RefundCopy } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { printableReceipt, printReceipt } from '../../present/printed/receipt.ts';
import { acme, northwind, sampleDiscount, sampleTax } from './printed.ts';

const PAID_AT = new Date('2027-01-05T06:00:00Z');

type ReceiptParts = Parameters<typeof printableReceipt>[0];

/** The receipt of a payment by card. */
function receiptOf(
  amounts: object,
  parts: Omit<ReceiptParts, 'payment' | 'source'>,
  language: string,
): PrintedDocument {
  const about = { id: 12, accountId: 1, date: PAID_AT, currency: 'usd', method: 'credit_card', reference: null };
  const payment = { ...about, ...amounts } as Plain<Payment>;
  const source = { id: 1, type: 'card', gatewayId: 'x', gatewayCustomer: null, last4: '4242', brand: 'visa' } as const;
  const between = { seller: acme, buyer: northwind, language, timeZone: 'America/Chicago' };
  return printReceipt(printableReceipt({ payment, source, ...parts }, between));
}

/** A receipt of money, a credit note and credit. */
export function receipt(): PrintedDocument {
  const lines = [
    { name: 'Gold plan', description: null, amount: '99.00' },
    { name: null, description: 'Support hour', amount: '300.00' },
  ];
  const invoice = { total: '406.91', tax: '22.28', lines, count: 3 };
  // 99.00 + 300.00 - 30.00 + 15.63 = 384.63; 384.63 + 22.28 = 406.91
  const sums = {
    lineDiscounts: [[], [sampleDiscount('Loyal customer', 10, '30.00')]],
    subtotal: '384.63',
    hasLineDiscounts: true,
    further: '15.63',
    discounts: [],
    taxes: [sampleTax('Sales tax', 8.25, '22.28')],
  };
  const applied = [
    { type: 'invoice', number: 'INV-00001', creditNote: null, amount: '300.00', invoice, sums },
    { type: 'credit_note', number: 'INV-00001', creditNote: 'CN-00003', amount: '106.91' },
    { type: 'credit', number: null, creditNote: null, amount: '50.00' },
  ] as const;
  return receiptOf({ amount: '500.00', balance: '43.09' }, { applied, refunds: [], convenienceFee: '0' }, 'en');
}

/** A receipt with a convenience fee, of which half is refunded. */
export function feeReceipt(language: string): PrintedDocument {
  const applied = [{ type: 'invoice', number: 'INV-00001', creditNote: null, amount: '100.00' }] as const;
  const refunds = [{ status: 'succeeded', amount: '51.50', createdAt: 1_801_000_000 }] as RefundCopy[];
  return receiptOf({ amount: '103.00', balance: '0.00' }, { applied, refunds, convenienceFee: '3.00' }, language);
}
