import { Charge } from '../../../db/schema/charge.ts';
import { PHONE_DIGITS } from '../../../db/schema/indexes.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { charges } from '../charges/resource.ts';
import { contacts } from '../contacts.ts';
import { coupons } from '../coupons.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { customers } from '../customers/resource.ts';
import { disputes } from '../disputes.ts';
import { estimates } from '../estimates/resource.ts';
import { events } from '../events.ts';
import { invoices } from '../invoices/resource.ts';
import { items } from '../items.ts';
import { paymentLinks } from '../paymentLinks.ts';
import { payments } from '../payments/resource.ts';
import { plans } from '../plans.ts';
import { refunds } from '../refunds/routes.ts';
import { signUpPages } from '../signUpPages.ts';
import { subscriptions } from '../subscriptions/resource.ts';
import { tasks } from '../tasks.ts';
import { kind, type SearchKind } from './kinds.ts';

const document = { number: 'number_key', amounts: ['total', 'balance'] };

/** Customers are looked for first: the newest objects of those that are found are hits, too. */
export const customerKind = kind({
  object: 'customer',
  resource: customers,
  words: ['cust', 'client'],
  columns: {
    number: 'number_key',
    series: 'customer',
    email: 'lower(email)',
    phone: PHONE_DIGITS,
    lowerName: 'lower(name) = ? and anonymized_at is null and merged_into_id is null',
  },
  facts: ({ id, name, email, number }) => ({ id, title: name, customerId: id, email: email ?? number }),
});

/** All types of objects that the search finds, in the order in which equally good hits stand. */
export const searchKinds: readonly SearchKind[] = [
  customerKind,
  kind({
    object: 'invoice',
    resource: invoices,
    words: ['inv'],
    columns: { ...document, series: 'invoice' },
    facts: ({ id, number, name, customer, total, currency, status }) => ({
      id,
      title: number ?? name,
      customerId: customer.id,
      amount: total,
      currency,
      status,
    }),
  }),
  kind({
    object: 'estimate',
    resource: estimates,
    words: ['est', 'quote'],
    columns: { ...document, amounts: ['total'], series: 'estimate' },
    facts: ({ id, number, name, customer, total, currency, status }) => ({
      id,
      title: number ?? name,
      customerId: customer.id,
      amount: total,
      currency,
      status,
    }),
  }),
  kind({
    object: 'credit_note',
    resource: creditNotes,
    words: ['cn', 'credit'],
    columns: { ...document, series: 'credit_note' },
    facts: ({ id, number, name, customer, total, currency, status }) => ({
      id,
      title: number ?? name,
      customerId: customer.id,
      amount: total,
      currency,
      status,
    }),
  }),
  kind({
    object: 'payment',
    resource: payments,
    words: ['pmt', 'pay', 'receipt'],
    isOfCustomers: true,
    columns: {
      number: 'receipt_number_key',
      series: 'receipt',
      amounts: ['amount', 'balance'],
      reference: 'reference',
    },
    facts: ({ id, receiptNumber, reference, customer, amount, balance, currency, voided }) => ({
      id,
      title: receiptNumber ?? reference ?? String(id),
      customerId: customer?.id ?? null,
      amount,
      currency,
      status: voided ? 'voided' : Number(balance) > 0 ? 'unapplied' : 'applied',
    }),
  }),
  kind({
    object: 'subscription',
    resource: subscriptions,
    words: ['sub'],
    isOfCustomers: true,
    related: { row: Plan, idOf: ({ plan }) => plan.id },
    facts: ({ id, customer, status }, plan) => ({
      id,
      title: plan instanceof Object && 'name' in plan ? String(plan.name) : String(id),
      customerId: customer.id,
      status,
    }),
  }),
  kind({
    object: 'charge',
    resource: charges,
    isOfCustomers: true,
    columns: { amounts: ['amount'], gateways: true },
    facts: ({ id, gatewayId, customer, amount, currency, status }) => ({
      id,
      title: gatewayId ?? String(id),
      customerId: customer.id,
      amount,
      currency,
      status,
    }),
  }),
  kind({
    object: 'refund',
    resource: refunds,
    columns: { amounts: ['amount'], gateways: true },
    related: { row: Payment, idOf: ({ payment }) => payment?.id ?? null },
    facts: ({ id, reference, gatewayId, amount, currency, status }, payment) => ({
      id,
      title: reference ?? gatewayId ?? String(id),
      customerId: customerOf(payment),
      amount,
      currency,
      status,
    }),
  }),
  kind({
    object: 'dispute',
    resource: disputes,
    columns: { amounts: ['amount'], gateways: true },
    related: { row: Charge, idOf: ({ charge }) => charge.id },
    facts: ({ id, gatewayId, amount, currency, status }, charge) => ({
      id,
      title: gatewayId,
      customerId: customerOf(charge),
      amount,
      currency,
      status,
    }),
  }),
  kind({
    object: 'contact',
    resource: contacts,
    columns: { phone: PHONE_DIGITS },
    facts: ({ id, name, email, customer }) => ({ id, title: name, customerId: customer.id, email: email ?? null }),
  }),
  kind({
    object: 'task',
    resource: tasks,
    facts: ({ id, name, customer, complete }) => ({
      id,
      title: name,
      customerId: customer.id,
      status: complete ? 'complete' : 'open',
    }),
  }),
  kind({
    object: 'plan',
    resource: plans,
    columns: { hasCode: true },
    facts: ({ code, name, amount, currency }) => ({ id: code, title: name, customerId: null, amount, currency }),
  }),
  kind({
    object: 'item',
    resource: items,
    columns: { hasCode: true },
    facts: ({ code, name, unitCost, currency }) => ({
      id: code,
      title: name,
      customerId: null,
      amount: currency ? unitCost : null,
      currency,
    }),
  }),
  kind({
    object: 'coupon',
    resource: coupons,
    columns: { hasCode: true },
    facts: ({ code, name }) => ({ id: code, title: name, customerId: null }),
  }),
  kind({
    object: 'payment_link',
    resource: paymentLinks,
    facts: ({ id, name, amount, currency }) => ({ id, title: name, customerId: null, amount, currency }),
  }),
  kind({
    object: 'sign_up_page',
    resource: signUpPages,
    facts: ({ id, name }) => ({ id, title: name, customerId: null }),
  }),
  kind({
    object: 'event',
    resource: events,
    isTyped: true,
    facts: ({ id, type }) => ({ id, title: type, customerId: null }),
  }),
];

/** The customer of a payment or charge. */
function customerOf(row: object | undefined): number | null {
  const customer: unknown = row && 'customer' in row ? row.customer : null;
  return customer instanceof Object && 'id' in customer && typeof customer.id === 'number' ? customer.id : null;
}

/** Types by the words that name them. */
export const typesByWord: ReadonlyMap<string, string> = new Map(
  searchKinds.flatMap(({ object, words }) => words.map((word) => [word, object] as const)),
);
