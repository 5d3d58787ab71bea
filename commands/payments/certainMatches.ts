import { areReadWhole, MOST_CANDIDATES, namedNumbers } from '../../billing/documents/referenceText.ts';
import { roundMoney } from '../../billing/money/money.ts';
import { certainMatch, MOST_CERTAIN } from '../../billing/payments/certainMatch.ts';
import type { Suggestion } from '../../billing/payments/paymentMatching.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { issuedInvoicesOfNumbers } from '../../db/queries/invoices/openInvoices.ts';
import { Account } from '../../db/schema/account.ts';
import { Payment } from '../../db/schema/payment.ts';
import { accountMoment, type Caller, systemCallerOf } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue, wakeupsOf } from '../kernel/waking.ts';
import { updatePayment } from './changes.ts';
import { hintedCustomers } from './matches.ts';
import { endMatching, invoicePrefixes, isWhole, textsOf } from './matching.ts';
import { lockPayment } from './payments.ts';

/** Applies a new payment to the invoices that it names, or leaves it to a person. */
export function advancePayment(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'payment', systemNow }, async () => {
    const caller = systemCallerOf(await em.findOneOrFail(Account, key.accountId));
    const applied = setting(caller.account, 'auto_apply_matches')
      ? await applyCertain(em, { caller, id: key.id }, systemNow)
      : null;
    await endMatching(em, accountMoment(caller, systemNow), key);
    const did = applied ? `applied to ${applied.parts.length} of its invoices` : 'left to a person: nothing is certain';
    return { ...NOTHING, did };
  });
}

/** Applies a payment if it is certain what it pays, also once everything is locked. Returns what it pays; null: nothing is certain. */
async function applyCertain(
  em: EntityManager,
  who: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Suggestion | null> {
  const { caller, id } = who;
  const accountId = caller.account.id;
  const found = await em.findOne(Payment, { accountId, id });
  if (!found) throw new Missing('Payment', id);
  const prefixes = await invoicePrefixes(em, accountId);
  const match = await certainMatchOf(em, found, prefixes);
  if (!match) return null;
  const { customerId, parts } = match;
  const invoiceIds = parts.map(({ invoiceId }) => invoiceId);
  const { payment } = await lockPayment(em, { caller, id, payerId: customerId, invoiceIds }, systemNow);
  const planned = await wakeupsOf(em, { accountId, process: 'payment', ids: [id] });
  if (planned.length === 0) return null; // somebody has changed it meanwhile
  const stillCertain = await certainMatchOf(em, payment, prefixes);
  if (JSON.stringify(stillCertain) !== JSON.stringify(match)) return null;
  const applications = parts.map((part) => ({ type: 'invoice' as const, ...part }));
  await updatePayment(em, { caller, id, customerId, fields: {}, applications, reason: 'match_certain' }, systemNow);
  return match;
}

/** What a payment pays for certain; null: nothing, it is applied already, or its suggestions were refused. `prefixes`: those of the account's invoice numbers. */
export async function certainMatchOf(
  em: EntityManager,
  payment: Payment,
  prefixes: readonly string[],
): Promise<Suggestion | null> {
  if (!isWhole(payment) || payment.matchesRefused) return null;
  const { accountId, currency, customer } = payment;
  const texts = textsOf(payment);
  const keys = namedNumbers(texts, prefixes);
  if (keys.length >= MOST_CANDIDATES || !areReadWhole(texts)) return null; // there may be more numbers
  const named = await issuedInvoicesOfNumbers(em, { accountId, keys, most: MOST_CERTAIN + 1 });
  if (named.length === 0) return null;
  const hinted = await hintedCustomers(em, payment, texts);
  const amount = roundMoney(payment.balance, currency);
  return certainMatch({ amount, currency, payerId: customer?.id ?? null }, { texts, named, ...hinted });
}
