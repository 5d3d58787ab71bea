import { namedNumbers, namesIn } from '../../billing/documents/referenceText.ts';
import { isPositive, roundMoney } from '../../billing/money/money.ts';
import { MOST_SUMMED } from '../../billing/money/sumsOfBalances.ts';
import { spelledNames } from '../../billing/payments/payerNames.ts';
import {
  MOST_SUGGESTIONS,
  matchedSources,
  type Suggestion,
  suggestionsFor,
  withExchangedDigits,
} from '../../billing/payments/paymentMatching.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { customersOfNames, customersOfSender } from '../../db/queries/customers/tree.ts';
import {
  openInvoicesOfBalances,
  openInvoicesOfCustomers,
  openInvoicesOfNumbers,
} from '../../db/queries/invoices/openInvoices.ts';
import { Payment } from '../../db/schema/payment.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { applicationsOf } from './applications.ts';
import { endMatching, invoicePrefixes, payersOf, textsOf } from './matching.ts';
import { paymentEventObject, recordPayment } from './paymentEvents.ts';
import { lockPaymentOfPayer } from './payments.ts';

/** Maximum number of customers that a sender or a text points to. */
const MOST_HINTED = 5;

/** The suggestions for a payment, and the applications that it has already. */
export interface PaymentMatches {
  applied: PaymentApplication[];
  suggestions: Suggestion[];
}

/**
 * The invoices that a payment may be meant for, the likeliest first. None: nothing fits, all of the money is applied, or the suggestions
 * were refused. Refuses payments that are voided, were made by a charge, or were recorded by a program. Throws Missing.
 */
export async function matchesOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<PaymentMatches> {
  const payment = await em.findOne(Payment, { accountId, id });
  if (!payment) throw new Missing('Payment', id);
  refuseUnmatched(payment);
  if (payment.matchesRefused || !isPositive(payment.balance)) return { applied: [], suggestions: [] };
  const suggestions = await suggestionsOf(em, payment);
  return { applied: suggestions.length === 0 ? [] : await applicationsOf(em, payment), suggestions };
}

/** Refuses the suggestions for a payment until it changes. Refuses payments as `matchesOf` does. Throws Missing. */
export async function refuseMatches(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Payment> {
  const { payment, payer } = await lockPaymentOfPayer(em, key, systemNow);
  refuseUnmatched(payment);
  if (payment.matchesRefused) return payment;
  const before = paymentEventObject(payer, payment, null);
  await endMatching(em, payer.moment, payment);
  Object.assign(payment, { matched: false, matchesRefused: true, updatedAt: payer.moment.now });
  recordPayment(em, payer, { payment, charge: null, type: 'payment.updated', before });
  return payment;
}

function refuseUnmatched({ voided, charge, source }: Payment): void {
  if (voided) throw new Refusal('state_conflict', 'Payment is voided');
  if (charge) throw new Refusal('state_conflict', 'A charge made this payment: its invoices are known');
  if (matchedSources.includes(source)) return;
  throw new Refusal(
    'state_conflict',
    `Only payments with the source ${matchedSources.join(' or ')} have suggestions, not ${source}`,
  );
}

async function suggestionsOf(em: EntityManager, payment: Payment): Promise<Suggestion[]> {
  const { accountId, currency, customer = null } = payment;
  const amount = roundMoney(payment.balance, currency);
  const texts = textsOf(payment);
  const payers = await payersOf(em, payment);
  const among = { accountId, currency, payers, most: MOST_SUGGESTIONS };
  const keys = namedNumbers(texts, texts.length === 0 ? [] : await invoicePrefixes(em, accountId));
  const named = await openInvoicesOfNumbers(em, among, keys);
  const alike = await openInvoicesOfBalances(em, among, [amount, ...withExchangedDigits(amount, currency)]);
  const { sent, called } = customer ? { sent: [], called: [] } : await hintedCustomers(em, payment, texts);
  const likely = payers ?? [...new Set([...sent, ...called])];
  const theirs = await openInvoicesOfCustomers(em, { accountId, currency, most: MOST_SUMMED }, likely);
  const invoices = [...new Map([...named, ...alike, ...theirs].map((invoice) => [invoice.id, invoice])).values()];
  return suggestionsFor(
    { amount, currency, payerId: customer?.id ?? null },
    {
      invoices,
      named: new Set(named.map(({ id }) => id)),
      sent: new Set(sent),
      called: new Set(called),
    },
  );
}

/** Ids of the customers to whom the sender and the texts of a payment point. */
export async function hintedCustomers(
  em: EntityManager,
  { accountId, achSenderId }: Payment,
  texts: readonly string[],
): Promise<{ sent: number[]; called: number[] }> {
  const senderId = achSenderId ?? '';
  return {
    sent: senderId === '' ? [] : await customersOfSender(em, { accountId, senderId, most: MOST_HINTED }),
    called: await customersOfNames(em, { names: [...namesIn(texts), ...spelledNames(texts)], most: MOST_HINTED }),
  };
}
