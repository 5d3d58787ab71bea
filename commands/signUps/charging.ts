import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import { Refusal } from '../../billing/refusal.ts';
import { isEnded } from '../../billing/subscriptions/subscription.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { SignUp } from '../../db/schema/signUp.ts';
import { absolute } from '../../present/kernel/links.ts';
import { lockInvoices, replanInvoices, reschedule } from '../aggregates/invoice.ts';
import { chargeCustomer } from '../charges/charges.ts';
import type { AttemptTiming } from '../charges/newAttempt.ts';
import { isUnmade, planSignUp } from '../charges/signUpWaits.ts';
import { accountMoment, systemCaller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer } from '../kernel/lockedCustomer.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';

/** Milliseconds for which AutoPay leaves the first invoice to the visitor. It is voided before, if it stays unpaid. */
const DAY_MILLISECONDS = 86_400_000;

/** Starts the charge of the first invoice. AutoPay leaves it to the visitor. */
export async function chargeFirst(
  em: EntityManager,
  locked: LockedCustomer,
  first: AttemptTiming & { signUp: SignUp; invoice: Invoice; source: PaymentSource },
): Promise<Attempt> {
  const { signUp, source, lookUpDelay } = first;
  const targets = await lockInvoices(em, locked, [first.invoice.id]);
  for (const target of targets) reschedule(target, { kind: 'abandoned', wait: DAY_MILLISECONDS });
  await replanInvoices(em, targets);
  const { balance, currency, id: invoiceId } = first.invoice;
  const charge = await chargeCustomer(em, locked, {
    origin: 'page',
    method: signUp.method,
    currency,
    amount: balance,
    applications: [{ type: 'invoice', invoiceId, amount: balance }],
    instrument: { sourceId: source.id, type: source.type },
    payer: payerOf(signUp),
    vault: false,
    makeDefault: false,
    receiptEmail: null,
    lookUpDelay,
  });
  signUp.charge = charge;
  return charge;
}

/**
 * Starts the charge of the first invoice anew, if the earlier one was never made because a process had stopped. Refuses an invoice that cannot be
 * charged any more, and that of a subscription that has ended. Returns the charge to make; null: none.
 */
export async function chargeAgain(
  em: EntityManager,
  { accountId, id, lookUpDelay }: ProcessKey & AttemptTiming,
  systemNow: Date,
): Promise<Attempt | null> {
  const caller = await systemCaller(em, accountId);
  const read = await em.findOne(SignUp, { accountId, id });
  if (!read?.customer) return null;
  const locked = await lockCustomer(em, { caller, customerId: read.customer.id }, systemNow);
  const signUp = await lockRow(em, SignUp, { accountId, id });
  if (!signUp) return null;
  await em.populate(signUp, ['invoice', 'charge', 'charge.source', 'subscription']);
  const source = signUp.charge?.source;
  if (!isUnmade(signUp) || !signUp.invoice || !source) return null;
  if (!signUp.subscription || isEnded(signUp.subscription.status))
    throw new Refusal('state_conflict', 'The subscription has ended: its first invoice is not charged any more');
  const charge = await chargeFirst(em, locked, { signUp, invoice: signUp.invoice, source, lookUpDelay });
  signUp.updatedAt = systemNow;
  await planSignUp(em, accountMoment(caller, systemNow), { signUp, lookAt: systemNow.getTime() });
  return charge;
}

/** The visitor who waits. The deployment may have another origin since the sign-up began. */
function payerOf({ payer }: SignUp): PresentPayer | null {
  if (!payer) return null;
  const { pathname, search } = new URL(payer.returnUrl);
  return { ...payer, returnUrl: absolute(`${pathname}${search}`) };
}
