import { nextLook, nextSignUpStep } from '../../billing/signUps/signUp.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import { SignUp } from '../../db/schema/signUp.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import { lockInvoices } from '../aggregates/invoice.ts';
import { isOver, lockSubscription, replanSubscription } from '../aggregates/subscription.ts';
import { numberDocuments } from '../bills/bills.ts';
import { factsOf, planSignUp } from '../charges/signUpWaits.ts';
import { voidLocked, whyNotRevocable } from '../invoices/voiding.ts';
import { accountMoment, type Moment, systemCaller } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { takeDueSteps } from '../subscriptions/steps/billing.ts';
import { cancelNow } from '../subscriptions/steps/ending.ts';
import { mailConfirmation } from '../subscriptions/steps/mails.ts';

const HOUR_MILLISECONDS = 3_600_000;

/**
 * Takes the due step of a sign-up: plans the next look-up, which the worker has made, or the next try to charge the first invoice; gives an unpaid
 * subscription up; or forgets a sign-up of which nothing was kept.
 */
export function advanceSignUp(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'sign_up', systemNow }, () => takeStep(em, key, systemNow));
}

async function takeStep(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const caller = await systemCaller(em, accountId);
  const existing = await wakeupsOf(em, { accountId, process: 'sign_up', ids: [id] });
  const read = await em.findOne(SignUp, { accountId, id });
  const customerId = read?.customer?.id ?? null;
  if (customerId !== null) await lockCustomer(em, { caller, customerId }, systemNow);
  const signUp = await lockRow(em, SignUp, { accountId, id });
  const moment = accountMoment(caller, systemNow);
  if (signUp) await em.populate(signUp, ['charge']);
  if (!signUp) return endProcess(em, moment, { id, existing, did: 'gone with its customer' });
  const now = systemNow.getTime();
  const planned = existing.find(({ rule }) => rule === 'look_up')?.at.getTime() ?? now;
  const { due } = nextSignUpStep(factsOf(signUp, planned), now);
  if (due?.kind === 'forget') {
    em.remove(signUp);
    return endProcess(em, moment, { id, existing, did: 'forgotten' });
  }
  const isBeingPaid = due?.kind === 'give_up' && (await hasOpenCharge(em, signUp));
  const isLook = due?.kind === 'look_up';
  let did = isLook ? 'looked up' : null;
  if (due?.kind === 'give_up')
    did = isBeingPaid ? 'its first invoice is being paid' : await giveUp(em, signUp, systemNow);
  const lookAt = isLook ? nextLook(signUp.startedAt.getTime(), now) : planned;
  const keptUntil = isBeingPaid ? now + HOUR_MILLISECONDS : null;
  const plan = await planSignUp(em, moment, { signUp, lookAt, keptUntil, inside: true, existing });
  return { ...NOTHING, ...plan, did };
}

/** Ends the process of a sign-up that is no longer there. */
async function endProcess(
  em: EntityManager,
  moment: Moment,
  { id, existing, did }: { id: number; existing: Wakeup[]; did: string },
): Promise<StepOutcome> {
  const waiter = { process: 'sign_up' as const, subjectId: id, clockId: null };
  await setWakeups(em, moment, { waiter, waits: [], existing, inside: true });
  return { ...NOTHING, did };
}

/** Whether a charge of the first invoice has no outcome yet. Its customer is locked, so none begins meanwhile. */
async function hasOpenCharge(em: EntityManager, { accountId, invoice }: SignUp): Promise<boolean> {
  if (!invoice) return false;
  return (await em.count(AttemptInvoice, { accountId, invoice: [accountId, invoice.id], undecided: true })) > 0;
}

/** Voids the first invoice and cancels the subscription, unless it is paid or was changed by somebody. */
async function giveUp(em: EntityManager, signUp: SignUp, systemNow: Date): Promise<string> {
  const { accountId } = signUp;
  const caller = await systemCaller(em, accountId);
  const locked = await lockSubscription(em, { caller, id: signUp.subscription?.id ?? 0 }, systemNow);
  const [target] = await lockInvoices(em, locked, [signUp.invoice?.id ?? 0]);
  if (!target || isOver(locked.subscription)) {
    end(signUp, 'given_up', systemNow);
    return 'nothing was left to give up';
  }
  const { invoice } = target;
  if (invoice.paid) {
    end(signUp, 'done', systemNow);
    await mailConfirmation(em, locked);
    return 'its first invoice is paid';
  }
  if (invoice.closed || (await whyNotRevocable(em, target, 'voided')) !== null) {
    end(signUp, 'done', systemNow);
    return 'its first invoice was changed';
  }
  await voidLocked(em, [target]);
  const { bills } = await takeDueSteps(em, locked);
  const written = await cancelNow(em, locked, { cause: 'failed_payment' });
  await replanSubscription(em, locked, {});
  await numberDocuments(em, locked, { bills: [...bills, ...written.bills], credit: written.credit });
  end(signUp, 'given_up', systemNow);
  return 'canceled: its first invoice was not paid';
}

function end(signUp: SignUp, state: 'done' | 'given_up', now: Date): void {
  Object.assign(signUp, { state, updatedAt: now });
}
