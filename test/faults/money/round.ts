import { startCharge } from '../../../commands/charges/charges.ts';
import { createCreditNote } from '../../../commands/creditNotes/creditNotes.ts';
import { updateCustomer } from '../../../commands/customers/customers.ts';
import { createEstimate } from '../../../commands/estimates/estimates.ts';
import { createInvoice } from '../../../commands/invoices/invoices.ts';
import { type Caller, systemCaller } from '../../../commands/kernel/caller.ts';
import { createLineItem } from '../../../commands/lineItems/lineItems.ts';
import { createCreditBalanceAdjustment } from '../../../commands/payments/adjustments.ts';
import { createPayment } from '../../../commands/payments/payments.ts';
import { createSubscription } from '../../../commands/subscriptions/changes/creating.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createPayer } from '../../support/business.ts';
import type { Product } from '../../support/product.ts';
import { adjusted, charged, credited, estimated, line, nth, onInvoice, paid, type Round, subscribed } from './asked.ts';
import { token } from './payers.ts';
import { askGateway, chargeAndRefund, debit, storeSource, verifyAccount } from './roundCharges.ts';

/** Creates a new customer with objects for every command in `verbs`. */
export async function prepareRound(product: Product, { applies = false } = {}): Promise<Round> {
  const { accountId, deps } = product;
  const now = deps.systemNow();
  await applyCredits(product, false); // else its credit pays its invoices
  const caller = await systemCaller(deps.em.fork(), accountId);
  const run = <T>(work: (em: EntityManager) => Promise<T>) => inTransaction(deps.em, work);
  const customerId = await createPayer(product, 'racer');
  await storeSource(product, { caller, customerId, method: 'credit_card', token: token.pays });
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
  const who = { caller, customerId };
  const made = {
    ...written,
    ...(await chargeAndRefund(product, { ...who, sourceId: nth(sourceIds, 0) })),
    ...(await debit(product, { ...who, invoiceId: nth(written.invoiceIds, 2) })),
    ...(await verifyAccount(product, who)),
    ...(await payAround(product, who)),
  };
  if (applies) await applyCredits(product, true);
  return {
    ...made,
    cipher: deps.cipher,
    caller: applies ? await systemCaller(deps.em.fork(), accountId) : caller,
    accountId,
    customerId,
    sourceIds,
    outcome,
    now,
  };
}

async function applyCredits(product: Product, value: boolean): Promise<void> {
  await product.call('PATCH', '/account', { apply_credits_at_issue: value });
}

/** Writes a payment without a customer, and a child with an open invoice. */
async function payAround(
  product: Product,
  { caller, customerId }: { caller: Caller; customerId: number },
): Promise<Pick<Round, 'keyedId' | 'childInvoiceId'>> {
  const childId = await createPayer(product, 'child');
  const now = product.deps.systemNow();
  return inTransaction(product.deps.em, async (em) => {
    const keyed = { ...paid, caller, customerId: null, amount: '20', source: 'keyed', applications: [] };
    const payment = await createPayment(em, keyed, now);
    await updateCustomer(em, { caller, id: childId, parentId: customerId, fields: {} }, now);
    await em.write(); // the invoice finds the parent
    const asked = { caller, customerId: childId, currency: null, content: { lines: [line] } };
    const { invoice } = await createInvoice(em, asked, now);
    return { keyedId: payment.id, childInvoiceId: invoice.id };
  });
}
