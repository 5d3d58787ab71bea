import { add, isPositive, type Money, minimum, roundMoney, subtract, zero } from '../../billing/money/money.ts';
import { planTakingBack } from '../../billing/subscriptions/takingBack.ts';
import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { changesSince, writeCreditChanges } from '../../db/queries/credit/creditBalance.ts';
import { ownersOf } from '../../db/queries/invoices/paidParts.ts';
import { Payment } from '../../db/schema/payment.ts';
import { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { type LockedEstimate, lockEstimates } from '../aggregates/estimate.ts';
import { lockInvoices } from '../aggregates/invoice.ts';
import { creditKeyOf } from '../credit/creditBalance.ts';
import { type LockedCustomer, lockCustomer } from '../kernel/lockedCustomer.ts';
import { reduceApplication, unapplyPart, updateAfterBalanceChange } from './applying.ts';
import { recordDepositChanges } from './deposits.ts';
import { paymentEventObject, recordPayment } from './paymentEvents.ts';

/** An application that spent credit or a deposit, and the part of it that is taken back. */
interface Spending {
  application: PaymentApplication;
  by: Money;
}

/**
 * Takes credit back from the newest spendings, so that added credit can leave the credit balance. Their invoices are owed again, and their
 * payments shrink. `application`: the one that added the credit. Returns the amount that can leave, at most `amount`. The caller removes it
 * and recomputes the credit balance.
 */
export async function takeBackCredit(
  em: EntityManager,
  locked: LockedCustomer,
  { application, amount, currency }: { application: PaymentApplication; amount: Money; currency: string },
): Promise<{ removable: Money; invoices: number[] }> {
  const key = creditKeyOf(locked.customer, currency);
  const { removable, parts } = planTakingBack(await changesSince(em, key, application.id), amount, currency);
  const byId = new Map(parts.map((part) => [part.spending, part.amount]));
  const found = await spendingsOf(em, locked, { id: { $in: [...byId.keys()] } });
  const spendings = found.map((one) => ({ application: one, by: byId.get(one.id) ?? zero(currency) }));
  const invoices = await reduceSpendings(em, locked, spendings);
  await em.write();
  const paymentIds = spendings.map((spending) => spending.application.payment.id);
  await writeCreditChanges(em, key, [...new Set(paymentIds)]);
  return { removable, invoices };
}

/** Takes money of a deposit back from the invoice that it paid, newest application first. Returns the invoices. */
async function takeBackDeposit(
  em: EntityManager,
  locked: LockedCustomer,
  { estimate, amount }: { estimate: LockedEstimate['estimate']; amount: Money },
): Promise<number[]> {
  if (!isPositive(amount)) return [];
  const { accountId, id, currency } = estimate;
  const found = await spendingsOf(em, locked, { type: 'deposit', estimate: [accountId, id] as const });
  let left = amount;
  const spendings: Spending[] = [];
  for (const application of found.toReversed()) {
    const by = roundMoney(minimum(left, application.amount), currency);
    if (!isPositive(by)) break;
    spendings.push({ application, by });
    left = subtract(left, by);
  }
  return reduceSpendings(em, locked, spendings);
}

/** Frees an amount of deposits of an estimate, so that it can be taken. Returns the invoices that it had paid. */
export function freeDeposit(
  em: EntityManager,
  locked: LockedCustomer,
  { estimate, amount }: { estimate: LockedEstimate['estimate']; amount: Money },
): Promise<number[]> {
  return takeBackDeposit(em, locked, { estimate, amount: subtract(amount, estimate.depositLeft) });
}

type Wanted = { id: { $in: number[] } } | { type: 'deposit'; estimate: readonly [number, number] };

function spendingsOf(em: EntityManager, locked: LockedCustomer, wanted: Wanted): Promise<PaymentApplication[]> {
  return em.find(PaymentApplication, { accountId: locked.customer.accountId, ...wanted }, { orderBy: { id: 'asc' } });
}

/** Reverses parts of applications that spent credit or deposits, and takes them out of their payments. Returns the invoices. */
async function reduceSpendings(
  em: EntityManager,
  payer: LockedCustomer,
  spendings: readonly Spending[],
): Promise<number[]> {
  if (spendings.length === 0) return [];
  const { accountId } = payer.customer;
  const applications = spendings.map(({ application }) => application);
  const invoiceIds = [...new Set(applications.flatMap(({ invoice }) => invoice?.id ?? []))];
  const locked = await withOwners(em, payer, invoiceIds);
  const deposits = applications.filter(({ invoice }) => !invoice).flatMap(({ estimate }) => estimate?.id ?? []);
  const reopened = await freeDeposits(em, locked, { spendings, deposits });
  const payments = await lockRows(em, Payment, { accountId, ids: applications.map(({ payment }) => payment.id) });
  await em.populate(payments, ['charge']);
  const shrunk = payments.map((payment) => ({
    payment,
    before: paymentEventObject(locked, payment, payment.charge ?? null),
  }));
  const estimateIds = applications.flatMap(({ estimate }) => estimate?.id ?? []);
  const estimates = await lockEstimates(em, locked, [...new Set(estimateIds)]);
  const targets = await lockInvoices(em, locked, invoiceIds);
  await recordDepositChanges(em, estimates, () => {
    for (const { application, by } of spendings) {
      const payment = payments.find(({ id }) => id === application.payment.id);
      const target = targets.find(({ invoice }) => invoice.id === application.invoice?.id);
      if (!payment) throw new Error(`payment ${application.payment.id} is gone`);
      if (target) unapplyPart(em, target, { payment, application, by });
      else reduceApplication(em, locked.moment, { payment, application, by });
      Object.assign(payment, { amount: subtract(payment.amount, by), balance: subtract(payment.balance, by) });
    }
  });
  for (const { payment, before } of shrunk) recordShrunk(em, locked, { payment, before });
  await updateAfterBalanceChange(em, targets);
  return [...invoiceIds, ...reopened];
}

/**
 * Makes the deposits available whose credit is to be taken back. If a deposit has paid invoices, takes the amount back from them. Returns
 * the ids of these invoices.
 */
async function freeDeposits(
  em: EntityManager,
  locked: LockedCustomer,
  { spendings, deposits }: { spendings: readonly Spending[]; deposits: readonly number[] },
): Promise<number[]> {
  const reopened: number[] = [];
  for (const { estimate } of await lockEstimates(em, locked, [...new Set(deposits)])) {
    const own = spendings.filter(({ application }) => !application.invoice && application.estimate?.id === estimate.id);
    const amount = own.reduce((all, { by }) => add(all, by), zero(estimate.currency));
    reopened.push(...(await freeDeposit(em, locked, { estimate, amount })));
  }
  return reopened;
}

/** Records a payment from which spent credit was taken back. It is voided when nothing is left of it. */
function recordShrunk(
  em: EntityManager,
  locked: LockedCustomer,
  { payment, before }: { payment: Payment; before: ReturnType<typeof paymentEventObject> },
): void {
  const isEmpty = !isPositive(payment.amount);
  Object.assign(payment, { voided: isEmpty, updatedAt: locked.moment.now });
  const type = isEmpty ? 'payment.deleted' : 'payment.updated';
  recordPayment(em, locked, { payment, charge: payment.charge ?? null, type, before });
}

/** Locks the owners of invoices that are not locked yet. The transaction is retried if that deadlocks. */
export async function withOwners(
  em: EntityManager,
  locked: LockedCustomer,
  invoiceIds: readonly number[],
): Promise<LockedCustomer> {
  const { accountId, id } = locked.customer;
  const owners = await ownersOf(em, { accountId, invoiceIds, besides: id });
  const family = new Map(locked.family);
  for (const customerId of owners.toSorted((one, other) => one - other)) {
    if (family.has(customerId)) continue;
    family.set(
      customerId,
      await lockCustomer(em, { caller: locked.moment.caller, customerId }, locked.moment.systemNow),
    );
  }
  return { ...locked, family };
}
