import { nextLook } from '../../billing/signUps/signUp.ts';
import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { soldByInvoices } from '../../db/queries/signUps/sold.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import { SignUp } from '../../db/schema/signUp.ts';
import {
  invoiceEventObject,
  type LockedInvoice,
  lockInvoices,
  recordInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { subscriptionOf } from '../aggregates/subscription.ts';
import { writeOff } from '../aggregates/writeOff.ts';
import { voidLocked, whyNotRevocable } from '../invoices/voiding.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { updateAfterBalanceChange } from '../payments/applying.ts';
import { withOwners } from '../payments/takingBack.ts';
import { mailConfirmation } from '../subscriptions/steps/mails.ts';
import { planSignUp } from './signUpWaits.ts';

/**
 * Follows the outcome of a charge of invoices that pages have sold: the first invoice of a sign-up that is paid, or accepted by the bank, confirms
 * it, and if the charge was never made, its process makes it; the invoice of a payment link whose payment failed is voided.
 */
export async function followSales(
  em: EntityManager,
  targets: readonly LockedInvoice[],
  outcome: 'taken' | 'failed' | 'abandoned',
): Promise<void> {
  const [first] = targets;
  if (!first) return;
  const { accountId } = first.invoice;
  const sold = await soldByInvoices(em, { accountId, ids: targets.map(({ invoice }) => invoice.id) });
  for (const { invoiceId, signUpId } of sold) {
    const target = targets.find(({ invoice }) => invoice.id === invoiceId);
    if (target && signUpId !== null && outcome === 'taken') await confirm(em, target, signUpId);
    if (target && signUpId !== null && outcome === 'abandoned') await chargeLater(em, target, signUpId);
    if (target && signUpId === null && outcome !== 'taken') await withdraw(em, target);
  }
}

async function confirm(em: EntityManager, target: LockedInvoice, id: number): Promise<void> {
  const { accountId } = target.invoice;
  const [signUp] = await lockRows(em, SignUp, { accountId, ids: [id] });
  if (signUp?.state !== 'charging' || !(target.invoice.paid || target.invoice.pending)) return;
  Object.assign(signUp, { state: 'done', updatedAt: target.moment.systemNow });
  const waiter = { process: 'sign_up' as const, subjectId: id, clockId: null };
  const existing = await wakeupsOf(em, { accountId, process: 'sign_up', ids: [id] });
  await setWakeups(em, target.moment, { waiter, waits: [], existing });
  const locked = await subscriptionOf(em, target);
  if (locked) await mailConfirmation(em, locked);
}

/** Wakes the process of a sign-up whose charge was never made: at once after the first one, later with growing waits. */
async function chargeLater(em: EntityManager, { invoice, moment }: LockedInvoice, id: number): Promise<void> {
  const { accountId } = invoice;
  const [signUp] = await lockRows(em, SignUp, { accountId, ids: [id] });
  if (!signUp) return;
  await em.populate(signUp, ['charge']);
  const now = moment.systemNow.getTime();
  const tries = await em.count(AttemptInvoice, { accountId, invoice: [accountId, invoice.id] });
  await planSignUp(em, moment, { signUp, lookAt: tries > 1 ? nextLook(signUp.startedAt.getTime(), now) : now });
}

/**
 * Ends the invoices of payment links that are owed again because a bank took their money back. The customer with the payer's email may be somebody
 * else, so nobody is asked for it: what nothing has paid is voided, the rest of a part is bad debt.
 */
export async function withdrawLost(em: EntityManager, locked: LockedCustomer, ids: readonly number[]): Promise<void> {
  await em.write();
  const { accountId } = locked.customer;
  const sold = ids.length > 0 ? await soldByInvoices(em, { accountId, ids }) : [];
  const links = sold.flatMap(({ invoiceId, signUpId }) => (signUpId === null ? [invoiceId] : []));
  const targets = links.length > 0 ? await lockInvoices(em, await withOwners(em, locked, links), links) : [];
  for (const target of targets) {
    await withdraw(em, target);
    if (target.invoice.closed) continue;
    const before = invoiceEventObject(target);
    writeOff(em, target);
    updateInvoiceStatus(target.invoice, target.moment.now);
    recordInvoice(em, target, { type: 'invoice.updated', before });
    await updateAfterBalanceChange(em, [target]);
  }
}

async function withdraw(em: EntityManager, target: LockedInvoice): Promise<void> {
  await em.write();
  const isOpen = !target.invoice.closed && !target.invoice.voidedAt;
  if (isOpen && (await whyNotRevocable(em, target, 'voided')) === null) await voidLocked(em, [target]);
}
