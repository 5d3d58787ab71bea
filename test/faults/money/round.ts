import { runAttempt } from '../../../commands/charges/attempts.ts';
import { startCharge } from '../../../commands/charges/charges.ts';
import type { Outcome } from '../../../commands/charges/lockedAttempt.ts';
import { startVault } from '../../../commands/charges/paymentSources.ts';
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
  return { ...written, caller, accountId, customerId, sourceIds, outcome, now };
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
  const attempt = await deps.em.fork().findOneOrFail(Attempt, { accountId, id }, { populate: ['source'] });
  const { key, amount, currency, source, customer } = attempt;
  if (!gateway || !amount || !currency || !source) throw new Error('not a charge of a stored source');
  const operation = {
    kind: 'charge',
    instrument: { reference: source.gatewayId },
    vault: false,
    description: '',
  } as const;
  const at = deps.systemNow().getTime();
  const signal = AbortSignal.timeout(60_000);
  const asked = { ...operation, key, amount, currency, accountId, customerId: customer.id };
  const { reference } = await gateway.prepare(asked, at, signal);
  await deps.em.fork().nativeUpdate(Attempt, { accountId, id }, { reference });
  return gateway.confirm(reference, at, signal);
}
