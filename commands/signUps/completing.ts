import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { keepGatewayCustomer } from '../../db/queries/charges/gateways.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import { SignUp } from '../../db/schema/signUp.ts';
import { recordConsent } from '../charges/consents.ts';
import type { AttemptTiming } from '../charges/newAttempt.ts';
import type { Found } from '../charges/openAttempt.ts';
import { planSignUp } from '../charges/signUpWaits.ts';
import { writeSource } from '../charges/sourceOutcomes.ts';
import { createCustomer } from '../customers/customers.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import { accountMoment, systemCaller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer } from '../kernel/lockedCustomer.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { VaultedSource } from '../ports/ports.ts';
import { createSubscription } from '../subscriptions/changes/creating.ts';
import { mailConfirmation } from '../subscriptions/steps/mails.ts';
import { findPlan } from '../subscriptions/steps/plans.ts';
import { chargeFirst } from './charging.ts';
import { firstInvoice, newCustomer, newSubscription, type Order, refuseHeld, seenOf } from './orders.ts';

interface Stored extends ProcessKey, AttemptTiming {
  found: Found;
  /** Does nothing if the gateway may have been asked to store the source meanwhile. */
  onlyUnsent: boolean;
}

/**
 * Third step of a sign-up: records what became of the payment source. Stored: makes customer, source, subscription and invoice, and starts to charge it,
 * in one transaction. Otherwise forgets what the visitor entered. Idempotent. Refuses what can no longer be sold, and a price that differs from
 * the one that was shown. Returns the charge to make; null: none.
 */
export async function recordStored(em: EntityManager, input: Stored, systemNow: Date): Promise<Attempt | null> {
  const { accountId, id, found } = input;
  const signUp = await lockSignUp(em, input);
  if (!signUp) return null;
  if (input.onlyUnsent && signUp.reference) return null;
  const isWaiting = signUp.state === 'waiting';
  if (found.status === 'unknown' || found.status === 'pending' || (isWaiting && found.status === 'waiting'))
    return null;
  const moment = accountMoment(await systemCaller(em, accountId), systemNow);
  let charge: Attempt | null = null;
  if (found.status === 'waiting') {
    Object.assign(signUp, { state: 'waiting', sealedChallenge: found.sealedChallenge });
  } else if (found.status === 'succeeded' && found.source) {
    charge = await complete(em, signUp, { source: found.source, lookUpDelay: input.lookUpDelay }, systemNow);
  } else {
    const declined = found.status === 'failed' ? found : null;
    const why = found.status === 'abandoned' ? (found.why ?? 'not_made') : 'not_made';
    Object.assign(signUp, {
      state: declined ? 'declined' : 'abandoned',
      failureCode: declined?.code.slice(0, 64) ?? null,
      declineKind: declined?.kind ?? null,
      interruption: declined ? null : why,
    });
    forget(signUp, systemNow);
  }
  signUp.updatedAt = systemNow;
  await planSignUp(em, moment, { signUp, lookAt: systemNow.getTime() + input.lookUpDelay });
  if (charge) logActOfCustomer(em, actOf(signUp, id), systemNow);
  return charge;
}

const actOf = ({ accountId, customerKey }: SignUp, id: number) => ({
  accountId,
  customerId: customerKey,
  operation: 'signUp',
  object: { type: 'sign_up', id },
});

/** The locked sign-up while its source is being stored, after its customer if it has one. Null: it has an outcome. */
async function lockSignUp(em: EntityManager, { accountId, id }: ProcessKey): Promise<SignUp | null> {
  const read = await em.findOne(SignUp, { accountId, id });
  if (read?.customer)
    await lockCustomer(em, { caller: await systemCaller(em, accountId), customerId: read.customer.id }, read.startedAt);
  const signUp = await lockRow(em, SignUp, { accountId, id });
  return signUp && (signUp.state === 'storing' || signUp.state === 'waiting') ? signUp : null;
}

/** Forgets what a visitor entered. */
function forget(signUp: SignUp, now: Date): void {
  Object.assign(signUp, { details: null, ip: null, userAgent: null, trialKey: null, payer: null, endedAt: now });
  Object.assign(signUp, { sealedToken: null, sealedChallenge: null });
}

/** Records that a sign-up was refused after its source was stored, which is then deleted at the gateway. */
export async function recordRefused(
  em: EntityManager,
  refused: Stored & { refusal: Refusal },
  systemNow: Date,
): Promise<void> {
  const { accountId, found, refusal } = refused;
  const signUp = await lockSignUp(em, refused);
  if (!signUp) return;
  const storedReference = found.status === 'succeeded' ? (found.source?.reference ?? null) : null;
  const param = (refusal.param ?? '').slice(0, 64);
  Object.assign(signUp, { state: 'refused', refusedParam: param, storedReference, updatedAt: systemNow });
  forget(signUp, systemNow);
  const moment = accountMoment(await systemCaller(em, accountId), systemNow);
  await planSignUp(em, moment, { signUp, lookAt: systemNow.getTime() });
}

type Storing = AttemptTiming & { source: VaultedSource };

async function complete(
  em: EntityManager,
  signUp: SignUp,
  { source: vaulted, lookUpDelay }: Storing,
  systemNow: Date,
): Promise<Attempt | null> {
  const { accountId, choice, language } = signUp;
  await em.populate(signUp, ['page']);
  const caller = await systemCaller(em, accountId);
  const known = signUp.customer?.id ?? null;
  const order: Order = {
    caller,
    page: signUp.page,
    choice,
    details: signUp.details ?? null,
    customerId: known,
    language,
  };
  if (!signUp.page.enabled || signUp.page.deletedAt)
    throw new Refusal('state_conflict', 'The sign-up page is closed', 'page');
  const plan = await findPlan(em, { accountId, code: choice.plan });
  const asked = newCustomer(order, plan, { id: signUp.customerKey, number: null });
  const customerId = known ?? (await createCustomer(em, asked, systemNow)).id;
  await em.write();
  const locked = await lockCustomer(em, { caller, customerId }, systemNow);
  signUp.customer = locked.customer;
  const source = await keepSource(em, locked, { signUp, vaulted });
  if (!source.chargeable)
    throw new Refusal('parameter_invalid', 'This bank account cannot be charged at once', 'method');
  await em.write(); // the subscription locks the customer, and reads it anew
  const created = await createSubscription(em, newSubscription(order, customerId), systemNow);
  const invoice = await firstInvoice(em, created);
  if (invoice) refuseHeld(invoice);
  const { recurringTotal } = created.subscription;
  const { trialDays } = signUp.page;
  const due = invoice?.balance ?? '0';
  if (seenOf({ currency: plan.currency, due, recurringTotal, trialDays }) !== signUp.seen)
    throw new Refusal('precondition_failed', 'The price has changed since it was shown', 'seen');
  const isDue = invoice !== null && !invoice.paid;
  const kept = { subscription: created.subscription, invoice: isDue ? invoice : null, endedAt: systemNow };
  Object.assign(signUp, { ...kept, state: isDue ? 'charging' : 'done', sealedChallenge: null, sealedToken: null });
  if (!isDue) {
    await mailConfirmation(em, created);
    return null;
  }
  return chargeFirst(em, created, { signUp, invoice, source, lookUpDelay });
}

/** Writes the stored source with the operation that stored it, and the visitor's consent to automatic payment. */
async function keepSource(
  em: EntityManager,
  locked: LockedCustomer,
  { signUp, vaulted }: { signUp: SignUp; vaulted: VaultedSource },
): Promise<PaymentSource> {
  const { accountId, gateway, method, key, reference = null, startedAt, sentAt = null, consent } = signUp;
  const { now } = locked.moment;
  const { attempt: id } = await reserveIds(em, 'attempt');
  const attempt = em.create(Attempt, {
    accountId,
    id,
    kind: 'vault',
    origin: 'page',
    customer: locked.customer,
    clockId: locked.clockId,
    state: 'succeeded',
    key,
    gateway,
    method,
    reference,
    sentAt,
    makeDefault: true,
    startedAt,
    endedAt: now,
    createdAt: now,
    updatedAt: now,
  });
  const page = 'sign_up' as const;
  const { ip, userAgent = null } = signUp;
  await em.write();
  await recordConsent(em, locked, { attempt, consent: { ...consent, page, ip: ip ?? '', userAgent } });
  const source = await writeSource(em, { ...locked, attempt, isWritten: false, isRecovered: false }, vaulted);
  attempt.source = source;
  const there = { accountId, customerId: locked.customer.id, gateway };
  await keepGatewayCustomer(em, there, { reference: vaulted.customerReference, generation: 0 });
  return source;
}
