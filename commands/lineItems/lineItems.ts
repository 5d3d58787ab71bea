import { whyUntaxed } from '../../billing/documents/tax.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Item } from '../../db/schema/item.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import { presentPendingLine } from '../../present/documents/lineItem.ts';
import { releaseRedemptions } from '../catalog/couponRedemptions.ts';
import { buildContent } from '../documents/content.ts';
import type { RequestedLine } from '../documents/lines.ts';
import { changesOf, computeContent } from '../documents/rows.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { recordOfCustomer } from '../kernel/record.ts';
import { updateLateUsageProblem } from './lateUsageProblem.ts';
import { insertPendingLine } from './pendingLines.ts';
import { closeUnbillableProblem } from './unbillable.ts';

export interface LineItemKey {
  caller: Caller;
  customerId: number;
  id: number;
}

/**
 * Adds a pending line to a customer for its next bill. Its currency is the first that is given: the requested one, the item's, the
 * customer's, the account's. Refuses content that `buildContent` refuses. Throws Missing.
 */
export async function createLineItem(
  em: EntityManager,
  input: { caller: Caller; customerId: number; line: RequestedLine; currency?: string | null | undefined },
  systemNow: Date,
): Promise<LineItem> {
  const locked = await lockCustomer(em, input, systemNow);
  const { customer, moment } = locked;
  refuseAnonymous(customer);
  const { accountId } = customer;
  const known = input.currency ?? (await currencyOf(em, accountId, input.line));
  const currency = known ?? customer.currency ?? moment.caller.account.currency;
  const { line_item: id } = await reserveIds(em, 'line_item');
  const line = await compute(em, locked, { id, currency, line: input.line, before: null });
  const lineItem = insertPendingLine(em, locked, { ...line, id, currency });
  recordOfCustomer(em, locked, { type: 'line_item.created', row: lineItem, shown: presentPendingLine(lineItem) });
  return lineItem;
}

/** Changes a pending line, if anything differs. Recomputes its amount and releases redemptions of removed coupons. Throws Missing. */
export async function updateLineItem(
  em: EntityManager,
  change: LineItemKey & { line: RequestedLine },
  systemNow: Date,
): Promise<LineItem> {
  const { locked, lineItem } = await findLineItem(em, change, systemNow);
  const { currency, id, position } = lineItem;
  const before = presentPendingLine(lineItem);
  const line = { ...change.line, id };
  const computed = await compute(em, locked, { id, currency, line, before: lineItem });
  const changes = changesOf(lineItem, { ...computed, position, currency });
  if (!changes) return lineItem;
  Object.assign(lineItem, changes, { updatedAt: locked.moment.now });
  recordOfCustomer(em, locked, {
    type: 'line_item.updated',
    row: lineItem,
    shown: presentPendingLine(lineItem),
    before,
  });
  await closeUnbillableProblem(em, locked, currency);
  await updateLateUsageProblem(em, locked, { currency, gone: [] });
  return lineItem;
}

/** Deletes a pending line and releases the redemptions of its coupons. Throws Missing. */
export async function deleteLineItem(em: EntityManager, key: LineItemKey, systemNow: Date): Promise<void> {
  const { locked, lineItem } = await findLineItem(em, key, systemNow);
  const { accountId, id } = lineItem;
  await releaseRedemptions(em, { accountId, type: 'line_item', id });
  recordOfCustomer(em, locked, { type: 'line_item.deleted', row: lineItem, shown: presentPendingLine(lineItem) });
  em.remove(lineItem);
  await closeUnbillableProblem(em, locked, lineItem.currency);
  await updateLateUsageProblem(em, locked, { currency: lineItem.currency, gone: [lineItem] });
}

/** The currency of its item; null: none. */
async function currencyOf(em: EntityManager, accountId: number, { itemCode }: RequestedLine): Promise<string | null> {
  if (!itemCode) return null;
  const item = await em.findOne(Item, { accountId, code: itemCode, archivedAt: null });
  return item?.currency ?? null;
}

/** Computes the line as if it were billed alone. The discounts and taxes of the bill are added later. */
async function compute(
  em: EntityManager,
  locked: LockedCustomer,
  asked: { id: number; currency: string; line: RequestedLine; before: LineItem | null },
) {
  const { id, currency, line, before: row } = asked;
  const before = row && { lines: [row], discounts: [], taxes: [] };
  const content = await buildContent(em, locked, {
    requested: { lines: [line] },
    currency,
    before,
    automaticRates: null,
    untaxed: whyUntaxed(locked.customer, true),
    redeemer: { type: 'line_item', id },
    isDraft: true,
    linePath: () => null,
  });
  const { lines } = await computeContent(em, content, {
    before,
    now: locked.moment.now,
    mayBeNegative: true,
    isLine: true,
  });
  const [computed] = lines;
  if (!computed) throw new Error('no line was computed');
  return computed;
}

async function findLineItem(
  em: EntityManager,
  key: LineItemKey,
  systemNow: Date,
): Promise<{ locked: LockedCustomer; lineItem: LineItem }> {
  const locked = await lockCustomer(em, key, systemNow);
  const lineItem = await em.findOne(LineItem, {
    accountId: locked.customer.accountId,
    id: key.id,
    customer: locked.customer,
  });
  if (!lineItem) throw new Missing('Line item', key.id);
  return { locked, lineItem };
}
