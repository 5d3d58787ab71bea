import { runAttempt } from '../../../commands/charges/attempts.ts';
import { startCharge } from '../../../commands/charges/charges.ts';
import type { Outcome } from '../../../commands/charges/lockedAttempt.ts';
import { operationOf } from '../../../commands/charges/operations.ts';
import { startVault } from '../../../commands/charges/paymentSources.ts';
import { startRefund } from '../../../commands/charges/refunds.ts';
import { createCreditBalanceAdjustment } from '../../../commands/credit/adjustments.ts';
import { createCreditNote } from '../../../commands/creditNotes/creditNotes.ts';
import { createEstimate } from '../../../commands/estimates/estimates.ts';
import { createInvoice } from '../../../commands/invoices/invoices.ts';
import { type Caller, systemCaller } from '../../../commands/kernel/caller.ts';
import { createLineItem } from '../../../commands/lineItems/lineItems.ts';
import { createPayment } from '../../../commands/payments/payments.ts';
import { createSubscription } from '../../../commands/subscriptions/creating.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Attempt } from '../../../db/schema/attempt.ts';
import { AttemptRefund } from '../../../db/schema/attemptRefund.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createPayer } from '../../support/business.ts';
import type { Product } from '../../support/product.ts';
import { token } from './payers.ts';
import { adjusted, charged, credited, estimated, line, nth, onInvoice, paid, type Round, subscribed } from './verbs.ts';

/** Creates a new customer with objects for every command in `verbs`. */
export async function prepareRound(product: Product): Promise<Round> {
  const { accountId, deps } = product;
  const now = deps.systemNow();
  const caller = await systemCaller(deps.em.fork(), accountId);
  const run = <T>(work: (em: EntityManager) => Promise<T>) => inTransaction(deps.em, work);
  const customerId = await createPayer(product, 'racer');
  await storeCard(product, caller, customerId);
  const sources = await product.rows<{ id: number }>(
    `select id from payment_source where customer_id = ${customerId} order by id`,
  );
  const sourceIds = sources.map(({ id }) => id);
  const written = await run(async (em) => {
    const invoiceIds: number[] = [];
    for (let count = 0; count < 6; count++) {
      const { invoice } = await createInvoice(
        em,
        { caller, customerId, currency: null, content: { lines: [line] } },
        now,
      );
      await em.write();
      invoiceIds.push(invoice.id);
    }
    const applications = [onInvoice(nth(invoiceIds, 0), '1')];
    const payment = await createPayment(em, { ...paid, caller, customerId, applications }, now);
    const given = { ...adjusted, caller, customerId, amount: '50' };
    const adjustment = await createCreditBalanceAdjustment(em, given, now);
    const creditNoteIds: number[] = [];
    for (const _ of [1, 2]) {
      const asked = { ...credited, caller, customerId, content: { lines: [line] } };
      creditNoteIds.push((await createCreditNote(em, asked, now)).creditNote.id);
    }
    const content = { lines: [line] };
    const { estimate } = await createEstimate(em, { ...estimated, caller, customerId, content }, now);
    const lineItem = await createLineItem(em, { caller, customerId, line }, now);
    await em.write(); // the next command reads the customer again
    const undecided = [onInvoice(nth(invoiceIds, 4), '20')];
    const instrument = { sourceId: nth(sourceIds, 0), type: 'card' as const };
    const attempt = await startCharge(em, { ...charged, caller, customerId, applications: undecided, instrument }, now);
    const unasked = { ...charged, caller, customerId, applications: [onInvoice(nth(invoiceIds, 5), '20')] };
    const unconfirmed = await startCharge(em, { ...unasked, instrument }, now);
    const before = new Date(now.getTime() - 1); // the first bill takes the line item and the credit, so it must be due in the race only
    const { subscription } = await createSubscription(em, { ...subscribed, caller, customerId, startAt: now }, before);
    return {
      invoiceIds,
      paymentId: payment.id,
      adjustmentId: adjustment.id,
      creditNoteIds,
      estimateId: estimate.id,
      lineItemId: lineItem.id,
      attemptId: attempt.id,
      unconfirmedId: unconfirmed.id,
      subscriptionId: subscription.id,
    };
  });
  const outcome = await askGateway(product, written.attemptId);
  const refund = await chargeAndRefund(product, caller, { customerId, sourceId: nth(sourceIds, 0) });
  const { gateways } = deps;
  return { ...written, ...refund, gateways, caller, accountId, customerId, sourceIds, outcome, now };
}

/** Charges 20.00 for the credit balance, and confirms a refund of 5.00 at the gateway without recording its outcome. */
async function chargeAndRefund(
  product: Product,
  caller: Caller,
  { customerId, sourceId }: { customerId: number; sourceId: number },
): Promise<Pick<Round, 'chargeId' | 'refundId' | 'refundOutcome'>> {
  const { deps, accountId } = product;
  const { gateways } = deps;
  const now = deps.systemNow();
  const applications = [{ type: 'credit' as const, invoiceId: null, amount: '20' }];
  const instrument = { sourceId, type: 'card' as const };
  const asked = { ...charged, caller, customerId, applications, instrument };
  const { id } = await inTransaction(deps.em, (em) => startCharge(em, asked, now));
  await runAttempt(deps, { accountId, id });
  const [charge] = await product.rows<{ id: number }>(`select id from charge where attempt_id = ${id}`);
  const chargeId = charge?.id ?? 0;
  const wanted = { caller, chargeId, gateways, amount: '5', lookUpDelay: deps.lookUpDelay };
  const attempt = await inTransaction(deps.em, (em) => startRefund(em, wanted, now));
  return { chargeId, refundId: attempt.id, refundOutcome: await askGateway(product, attempt.id) };
}

async function storeCard(product: Product, caller: Caller, customerId: number): Promise<void> {
  const { deps, accountId } = product;
  const source = { method: 'credit_card' as const, sealedToken: deps.cipher.encrypt(token.pays), gateway: 'test' };
  const wanted = { ...source, caller, customerId, makeDefault: false, lookUpDelay: deps.lookUpDelay };
  const { id } = await inTransaction(deps.em, (em) => startVault(em, wanted, deps.systemNow()));
  await runAttempt(deps, { accountId, id });
}

/** Confirms an attempt at the gateway and returns the outcome without recording it. */
async function askGateway(product: Product, id: number): Promise<Outcome> {
  const { deps, accountId } = product;
  const gateway = deps.gateways.get('test');
  const em = deps.em.fork();
  const attempt = await em.findOneOrFail(Attempt, { accountId, id }, { populate: ['source'] });
  const link = await em.findOne(AttemptRefund, { accountId, attempt }, { populate: ['charge'] });
  if (!gateway) throw new Error('no test gateway');
  const operation = operationOf(deps.cipher, { attempt, refundedCharge: link?.charge.gatewayId ?? null });
  const at = deps.systemNow().getTime();
  const signal = AbortSignal.timeout(60_000);
  const { reference } = await gateway.prepare(operation, at, signal);
  await deps.em.fork().nativeUpdate(Attempt, { accountId, id }, { reference });
  return gateway.confirm(reference, at, signal);
}
