import type { BillToSnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import { epcCode } from '../../billing/look/epcCode.ts';
import {
  type BankDetails,
  bankDetailsFor,
  ibanInGroups,
  paymentReferenceOf,
  takesSepa,
} from '../../billing/payments/bankDetails.ts';
import type { PrintedFact, PrintedTransfer } from './document.ts';
import type { Pen } from './head.ts';

interface Transfer {
  seller: SellerSnapshot;
  buyer: BillToSnapshot | null;
  currency: string;
  /** The rest to pay. */
  amount: string;
  /** Number of the invoice. */
  number: string;
}

/** How an invoice is paid by bank transfer; null: the seller has no account for its currency. */
export function transferOf({ buyer, number, ...to }: Transfer, pen: Pen): PrintedTransfer | null {
  const named = { number, customerNumber: buyer?.number ?? '' };
  return transferTo({ ...to, reference: paymentReferenceOf(to.seller.paymentReference, named) }, pen);
}

/** How an amount is paid by bank transfer with a reference; null: the seller has no account for the currency. */
export function transferTo(
  { seller, currency, amount, reference }: Pick<Transfer, 'seller' | 'currency' | 'amount'> & { reference: string },
  pen: Pen,
): PrintedTransfer | null {
  const details = bankDetailsFor(seller.bankDetails ?? [], currency);
  if (!details) return null;
  const { accounting, labels } = pen;
  const holder = details.accountHolder ?? seller.name;
  const content = takesSepa(details) ? epcCode({ ...details, holder, amount, reference }) : null;
  return {
    title: accounting.transfer,
    rows: [...accountRows(details, holder, pen), { label: labels.reference, value: pen.own(reference) }],
    code: content === null ? null : { content, label: accounting.scan },
  };
}

function accountRows(details: BankDetails, holder: string, { accounting, own }: Pen): PrintedFact[] {
  const { bankName, iban, bic, accountNumber, routingNumber } = details;
  const given: [string, string | null][] = [
    [accounting.accountHolder, holder],
    [accounting.bank, bankName],
    ['IBAN', iban && ibanInGroups(iban)],
    ['BIC', bic],
    [accounting.accountNumber, accountNumber],
    [accounting.routingNumber, routingNumber],
  ];
  return given.flatMap(([label, value]) => (value ? [{ label, value: own(value) }] : []));
}
