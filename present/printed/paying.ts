import type { Installment } from '../../billing/collection/paymentPlan.ts';
import type { InstallmentState } from '../../billing/collection/planProgress.ts';
import { whyNoReceipt } from '../../billing/documents/receipt.ts';
import { compare } from '../../billing/money/money.ts';
import type { PaidPart } from '../../db/queries/invoices/paidParts.ts';
import type { ChargedSource } from '../../db/schema/charge.ts';
import type { PayingWords } from '../../words/paying/wording.ts';
import { fill } from '../../words/text.ts';
import { documentUrl } from './../kernel/links.ts';
import type { PrintedInstallment } from './document.ts';
import type { Pen } from './head.ts';

/** Prints the installments of a payment plan. */
export function printInstallments(
  installments: readonly { installment: Omit<Installment, 'id'>; state: InstallmentState }[],
  { formats }: Pick<Pen, 'formats'>,
  words: PayingWords,
): PrintedInstallment[] {
  const said = {
    paid: [words.installmentPaid],
    missed: [words.installmentMissed],
    next: [words.installmentNext],
    later: [],
  } as const satisfies Record<InstallmentState, string[]>;
  return installments.map(({ installment: { date, amount, balance }, state }) => {
    const isPart = state !== 'paid' && compare(balance, amount) < 0;
    const left = isPart ? [fill(words.installmentLeft, { amount: formats.money(balance) })] : [];
    return { day: formats.day(new Date(date)), amount: formats.money(amount), notes: [...said[state], ...left] };
  });
}

/** A payment of an invoice or of a deposit, as the page of the document lists it. */
export interface PrintedPayment {
  day: string;
  amount: string;
  /** URL of its receipt; null: it has none, or the receipt names other documents, which the link of the document does not show. */
  receipt: string | null;
}

/** Prints the payments of a document. */
export function printPayments(accountId: number, parts: readonly PaidPart[], { formats }: Pen): PrintedPayment[] {
  return parts.map((part) => {
    const { date, amount, paid, voided, credit, chargeStatus, paysOthers, paymentId: id, token } = part;
    const isWithheld = whyNoReceipt({ voided, amount: paid, credit }, chargeStatus) !== null;
    const receipt = isWithheld || paysOthers ? null : documentUrl('payment', { accountId, id, token });
    return { day: formats.day(date), amount: formats.money(amount), receipt };
  });
}

/** A payment source, as far as pages and mails name it. */
export type NamedSource = Pick<ChargedSource, 'type' | 'brand' | 'bankName' | 'last4'>;

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  mastercard: 'Mastercard',
  visa: 'Visa',
  discover: 'Discover',
};

/** The brand of a card, or the bank of an account. */
export function sourceName(
  { type, brand, bankName }: NamedSource,
  words: Pick<PayingWords, 'card' | 'bankAccount'>,
): string {
  if (type === 'bank_account') return bankName ?? words.bankAccount;
  return brand ? (BRANDS[brand.toLowerCase()] ?? brand) : words.card;
}

/** A payment source in short: "Mastercard 5454". */
export function sourceInShort(source: NamedSource, words: Pick<PayingWords, 'card' | 'bankAccount'>): string {
  return `${sourceName(source, words)} ${source.last4}`;
}
