import { amountText, isPositive, roundMoney, sum } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { presentCharge } from '../../present/payments/charge.ts';
import { lockInvoices } from '../aggregates/invoice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger } from '../kernel/posting.ts';
import { record } from '../kernel/record.ts';
import { takeLoss, voidReturned } from '../payments/losses.ts';
import { withOwners } from '../payments/takingBack.ts';
import type { GatewayReturn } from '../ports/ports.ts';
import { writeTask } from '../tasks/tasks.ts';
import { invoicesAfterFailure } from './declines.ts';
import { withdrawLost } from './pageSales.ts';
import { type PaidCharge, recordFee } from './rows.ts';
import { endSource } from './sourceOutcomes.ts';

/**
 * Records that a bank took a debit back after it had succeeded: the payment is voided, its invoices are owed again, and AutoPay treats the
 * charge as declined. A bank account that is closed, or whose owner did not allow the debit, is not charged again. Idempotent. Returns
 * descriptions of the changes.
 */
export async function recordReturn(
  em: EntityManager,
  locked: LockedCustomer,
  { attempt, told, ...paid }: PaidCharge & { attempt: Attempt; told: GatewayReturn },
): Promise<string[]> {
  const { charge, payment } = paid;
  if (charge.returnedAt) return [];
  const { currency, gateway } = charge;
  const { now } = locked.moment;
  const amount = roundMoney(charge.amount, currency);
  const loss = { payment, charge, amount, from: ledger.clearing(gateway), reason: 'return' as const };
  const { expense, invoices } = await takeLoss(em, locked, loss);
  await voidReturned(em, locked, payment);
  recordFee(em, locked, { ...paid, before: '0', told: told.fee });
  const message = told.message.slice(0, 255);
  const amountLost = sum([charge.amountLost, amount], currency);
  Object.assign(charge, { status: 'failed', failureMessage: message, returnedAt: now, amountLost, updatedAt: now });
  const failure = { declineKind: told.kind, failureCode: told.code.slice(0, 64), failureMessage: message };
  Object.assign(attempt, { ...failure, updatedAt: now });
  const subject = { type: 'charge', id: charge.id, row: charge };
  record(em, locked.moment, { type: 'charge.failed', subject, object: presentCharge(charge) });
  if (told.kind === 'hard') await endSourceOf(em, locked, attempt);
  await collectAgain(em, locked, { ...paid, attempt, invoices });
  await withdrawLost(em, locked, invoices);
  if (isPositive(expense)) {
    const name = `Charge ${charge.id} was returned after a refund: ${amountText(expense, currency)} are lost`;
    await writeTask(em, locked, { name, action: 'review' });
  }
  return [`debit of ${amountText(amount, currency)} was returned: ${told.code}`];
}

/** Marks the bank account of an attempt as one that cannot be charged any more. */
async function endSourceOf(em: EntityManager, locked: LockedCustomer, attempt: Attempt): Promise<void> {
  if (!attempt.source) return;
  const { accountId, failureCode } = attempt;
  const source = await em.findOneOrFail(PaymentSource, { accountId, id: attempt.source.id });
  if (source.chargeable) await endSource(em, locked, { source, reason: failureCode ?? 'returned' });
}

/**
 * Plans the collection of the invoices that the attempt had charged and that are owed again because of its return, as after a decline. Its
 * attempt is counted already.
 */
async function collectAgain(
  em: EntityManager,
  locked: LockedCustomer,
  { attempt, charge, invoices: reopened }: PaidCharge & { attempt: Attempt; invoices: readonly number[] },
): Promise<void> {
  const { accountId, id } = attempt;
  const charged = await em.find(AttemptInvoice, { accountId, attempt: [accountId, id] as const });
  const ids = charged.map(({ invoice }) => invoice.id).filter((invoice) => reopened.includes(invoice));
  const invoices = await lockInvoices(em, await withOwners(em, locked, ids), ids);
  const owed = invoices.filter(({ invoice }) => !invoice.paid && !invoice.closed);
  await invoicesAfterFailure(em, owed, { attempt, source: charge.source ?? null, isCounted: true });
}
