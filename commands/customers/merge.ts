import type { ErrorCode } from '../../billing/errorCodes.ts';
import { roundMoney } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { dropDoubleGatewayCustomers } from '../../db/queries/charges/gateways.ts';
import { oldestDebts } from '../../db/queries/credit/spending.ts';
import { creditsOf, moveRows, stopChasing } from '../../db/queries/customers/merge.ts';
import { childrenOf, levelsBelow, lineOf, lockCustomerTree } from '../../db/queries/customers/tree.ts';
import { Contact } from '../../db/schema/contact.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { presentCustomer, presentWholeCustomer } from '../../present/customers/customer.ts';
import { planChasingAnew } from '../aggregates/chasing.ts';
import { lockInvoices, replanInvoices } from '../aggregates/invoice.ts';
import { recomputeCredit } from '../credit/creditBalance.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, MergedCustomer } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { ledger, transfer } from '../kernel/posting.ts';
import { MOST_CONTACTS } from './contacts.ts';
import { recordCustomer } from './customers.ts';
import { makeDefault } from './defaultSource.ts';
import { planExpiryNotice } from './expiryNotice.ts';
import { lockCustomers, MOST_LEVELS } from './parents.ts';

export interface Merge {
  caller: Caller;
  /** The customer that stays. */
  id: number;
  /** The customer that is merged into it, and whose objects it takes over. */
  mergedId: number;
}

/**
 * Merges a customer into another, which takes over all its objects. Locks both and the children of the merged customer, in the order of
 * their ids, so that concurrent commands run entirely before or after. Refuses an anonymized target, customers of different test clocks, a
 * customer that is an ancestor of the target, more levels than a family may have, and more contacts than one customer may have. Throws
 * Missing.
 */
export async function mergeCustomers(em: EntityManager, input: Merge, systemNow: Date): Promise<Customer> {
  const { caller, id, mergedId } = input;
  if (id === mergedId)
    throw new Refusal('parameter_invalid', `Customer ${id} cannot be merged into itself`, 'customer');
  await lockCustomerTree(em, caller.account.id);
  const { into, from, children } = await lockAll(em, input, systemNow);
  await check(em, into, from);
  const source = from.customer.defaultSource ?? null;
  const before = presentCustomer(from.customer, source);
  const { accountId } = from.customer;
  const credits = await creditsOf(em, { accountId, customerId: mergedId });
  if (source) source.customer = into.customer;
  if (from.customer.hasCredit) into.customer.hasCredit = true;
  if (from.customer.hasPendingLines) into.customer.hasPendingLines = true;
  Object.assign(from.customer, {
    defaultSource: null,
    parent: null,
    theme: null,
    hasCredit: false,
    hasPendingLines: false,
    active: false,
  });
  Object.assign(from.customer, { mergedInto: into.customer, updatedAt: from.moment.now });
  recordCustomer(em, from.moment, { customer: from.customer, type: 'customer.merged', before });
  for (const child of children) moveChild(em, child, into.customer);
  await em.write();
  await stopChasing(em, { accountId, id: mergedId, into: id });
  await dropDoubleGatewayCustomers(em, { accountId, from: mergedId, to: id });
  await moveRows(em, { accountId, from: mergedId, to: id, now: from.moment.now });
  for (const { currency, balance, since } of credits) {
    const refuse = () => {
      throw new Error(`customers ${id} and ${mergedId} have a negative credit balance in ${currency} together`);
    };
    await recomputeCredit(em, into.customer, { currency, from: since, refuse });
    const amount = roundMoney(balance, currency);
    const times = { documentAt: from.moment.now, postedAt: from.moment.now };
    const posting = { accountId, currency, reason: 'merge' as const, invoiceId: null, paymentId: null, ...times };
    transfer(em, posting, { ledgerAccount: ledger.customerCredits, amount, from: mergedId, to: id });
  }
  if (source && !into.customer.defaultSource) await makeDefault(em, into, { source, isConsented: false });
  else if (source) await planExpiryNotice(em, into, source);
  await planChasingAnew(em, into);
  await planCredit(em, into);
  return into.customer;
}

/** Lets the oldest open invoice in each currency have credit applied, because credit and invoices have come together. */
async function planCredit(em: EntityManager, into: LockedCustomer): Promise<void> {
  const { customer, moment } = into;
  if (!customer.hasCredit || !setting(moment.caller.account, 'apply_credits_at_issue')) return;
  const { accountId, id: customerId } = customer;
  await em.write();
  const targets = await lockInvoices(em, into, await oldestDebts(em, { accountId, customerId }));
  for (const { invoice } of targets) invoice.creditReviewAt = moment.now;
  await replanInvoices(em, targets);
}

function moveChild(em: EntityManager, { customer, moment }: LockedCustomer, parent: Customer): void {
  const before = presentWholeCustomer(customer);
  Object.assign(customer, { parent, updatedAt: moment.now });
  recordCustomer(em, moment, { customer, type: 'customer.updated', before });
}

/** Locks both customers, and the children of the merged one, which get another parent. */
async function lockAll(
  em: EntityManager,
  { caller, id, mergedId }: Merge,
  systemNow: Date,
): Promise<{ into: LockedCustomer; from: LockedCustomer; children: LockedCustomer[] }> {
  const childIds = await childrenOf(em, { accountId: caller.account.id, id: mergedId });
  const locked = await lockCustomers(em, { caller, ids: [id, mergedId, ...childIds] }, systemNow).catch((error) => {
    const isOfBody = error instanceof Missing && error.id === mergedId;
    throw isOfBody || error instanceof MergedCustomer
      ? new Refusal(isOfBody ? 'resource_missing' : 'state_conflict', error.message, 'customer')
      : error;
  });
  const [into, from] = [locked.get(id), locked.get(mergedId)];
  if (!into || !from) throw new Error('both customers must be locked');
  const children = [...locked.values()].filter(({ customer }) => customer.parent?.id === mergedId);
  return { into, from, children };
}

async function check(em: EntityManager, into: LockedCustomer, from: LockedCustomer): Promise<void> {
  const refuse = (code: ErrorCode, message: string): never => {
    throw new Refusal(code, message, 'customer');
  };
  const { accountId, id } = into.customer;
  const mergedId = from.customer.id;
  if (into.customer.anonymizedAt)
    refuse('state_conflict', `Customer ${id} was anonymized: nothing can be merged into it`);
  if (into.clockId !== from.clockId)
    refuse('state_conflict', `Customer ${mergedId} is on another test clock than customer ${id}`);
  const line = await lineOf(em, { accountId, id });
  if (line.includes(mergedId))
    refuse(
      'state_conflict',
      `Customer ${id} is a descendant of customer ${mergedId}: merge customer ${id} into customer ${mergedId} instead`,
    );
  const levels = line.length - 1 + (await levelsBelow(em, { accountId, id: mergedId }));
  if (levels > MOST_LEVELS) refuse('limit_exceeded', `A family can have at most ${MOST_LEVELS} levels, not ${levels}`);
  const contacts = await em.count(Contact, { accountId, customer: { id: { $in: [id, mergedId] } } });
  if (contacts > MOST_CONTACTS)
    refuse('limit_exceeded', `Together the customers have ${contacts} contacts, more than ${MOST_CONTACTS}`);
}
