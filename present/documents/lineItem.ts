import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentLineItem(line: Plain<LineItem>): Presented {
  return {
    id: line.id,
    object: 'line_item',
    catalog_item: orNull(line.itemCode),
    type: orNull(line.type),
    name: orNull(line.name),
    description: orNull(line.description),
    quantity: number(line.quantity),
    unit_cost: number(line.unitCost),
    amount: number(line.amount),
    discountable: line.discountable,
    discounts: line.discounts.map(presentDiscount),
    taxable: line.taxable,
    taxes: line.taxes.map(presentTax),
    plan: orNull(line.planCode),
    ...(line.periodStartAt ? { period_start: unix(line.periodStartAt), period_end: unixOrNull(line.periodEndAt) } : {}),
    ...(line.prorated ? { prorated: true } : {}),
    metadata: line.metadata,
  };
}

/** A discount of a line or a document, with the coupon as it was when it was attached. */
export function presentDiscount(discount: AppliedDiscount): Presented {
  const { id, amount, coupon, expiresAt } = discount;
  return { id, object: 'discount', amount: number(amount), coupon, expires: expiresAt && unix(new Date(expiresAt)) };
}

/** A tax of a line or a document, with the rate as it was when it was chosen. */
export function presentTax(tax: AppliedTax): Presented {
  const { id, amount, taxRate, updatedAt } = tax;
  return { id, object: 'tax', amount: number(amount), tax_rate: taxRate, updated_at: unix(new Date(updatedAt)) };
}

/** Shipping details; null when there are none. */
export function presentShipTo(shipTo: ShipTo | null | undefined): Presented | null {
  if (!shipTo) return null;
  const { name, attentionTo, address1, address2, city, state, postalCode, country, updatedAt } = shipTo;
  return {
    name,
    attention_to: attentionTo,
    address1,
    address2,
    city,
    state,
    postal_code: postalCode,
    country,
    updated_at: unix(new Date(updatedAt)),
  };
}

/** A pending line, which is on no document yet. `customer` is an id; expanding replaces it. */
export function presentPendingLine(line: Plain<LineItem>): Presented {
  const { customer, currency, updatedAt } = line;
  return { ...presentLineItem(line), customer: customer?.id ?? null, currency, updated_at: unix(updatedAt) };
}
