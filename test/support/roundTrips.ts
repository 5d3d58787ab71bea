import { expect } from '@jest/globals';

/** When they are made, in UNIX seconds. */
export const MADE_AT = Date.UTC(2027, 2, 1) / 1000;

/** What an object is sent, and how it is shown. */
export interface Trip {
  path: string;
  created: object;
  /** What the answer has in place of what was sent. */
  shown?: object;
  changed?: object;
  /** What the answer has once each of them was sent as null. */
  cleared?: object;
}

const customerText = {
  ...{ attention_to: 'the buyer', address1: 'first line', address2: 'second line', city: 'Köln', state: 'NRW' },
  ...{ postal_code: '50667', phone: '+49 221 1', tax_id: 'DE 81', notes: 'a note\nof two lines' },
  ...{ taxengine_entity_use_code: 'G', taxengine_exemption_number: '123' },
};
const customerNull = {
  ...{ email: null, payment_terms: null, country: null, language: null, currency: null },
  ...Object.fromEntries(Object.keys(customerText).map((name) => [name, null])),
};

/** An object of each kind with every field that may be written, and values that no other field has. */
export const trips: Record<string, Trip> = {
  'a customer': {
    path: '/customers',
    created: {
      ...{ name: 'Whole', number: 'C-1', email: 'a@b.example', autopay: true, autopay_delay_days: 4 },
      ...{ payment_terms: 'NET 9', country: 'DE', language: 'de', currency: 'eur', type: 'person' },
      ...{ active: false, credit_hold: true, credit_limit: 12.5, taxable: false, bill_to_parent: true },
      ...{ consolidated: true, disabled_payment_methods: ['ach', 'check'] },
      ...{ ...customerText, metadata: { color: 'red' } },
    },
    changed: {
      ...{ name: 'Other', number: 'C-2', email: 'c@d.example', autopay: false, autopay_delay_days: 0 },
      ...{ payment_terms: 'Due on receipt', country: 'AT', language: 'fr', currency: 'chf', type: 'company' },
      ...{ attention_to: 'b0', address1: 'b1', address2: 'b2', city: 'b3', state: 'b4', postal_code: 'b5' },
      ...{ phone: 'b6', tax_id: 'b7', notes: 'b8', metadata: { size: 'L' } },
      ...{ taxengine_entity_use_code: 'b9', taxengine_exemption_number: 'ba', active: true, credit_hold: false },
      ...{ credit_limit: 13, taxable: true, bill_to_parent: false, consolidated: false, disabled_payment_methods: [] },
    },
    cleared: {
      ...{
        active: true,
        credit_hold: false,
        credit_limit: null,
        taxable: true,
        bill_to_parent: false,
        consolidated: false,
      },
      ...{ disabled_payment_methods: [], owner: null, parent_customer: null, taxes: [] },
      ...customerNull,
      autopay: false,
      autopay_delay_days: -1,
      type: 'company',
      metadata: {},
    },
  },
  'an item': {
    path: '/items',
    created: {
      ...{ id: 'whole', name: 'Whole', currency: 'eur', unit_cost: 1.25, description: 'd', type: 't' },
      ...{ gl_account: '4100', taxable: false, discountable: false, taxengine_tax_code: 'tc', taxes: ['base'] },
      ...{ taxengine_location_code: 'lc', metadata: { color: 'red' } },
    },
    shown: { taxes: [expect.objectContaining({ object: 'tax_rate', id: 'base', value: 5 })] },
    changed: { name: 'Other', description: 'e', type: 'u', metadata: { size: 'L' } },
    cleared: { description: null, type: null, metadata: {} },
  },
  'a plan': {
    path: '/plans',
    created: {
      ...{ id: 'whole', name: 'Whole', catalog_item: 'base', currency: 'eur', amount: 7.5 },
      ...{ interval: 'week', interval_count: 6, metadata: { color: 'red' } },
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a plan with tiers': {
    path: '/plans',
    created: {
      ...{
        id: 'by-tiers',
        name: 'Whole',
        catalog_item: null,
        currency: 'eur',
        pricing_mode: 'volume',
        interval: 'year',
      },
      tiers: [{ max_qty: 2.5, unit_cost: 4 }, { min_qty: 3.5, max_qty: 7, unit_cost: 0.125 }, { unit_cost: 0 }],
    },
    shown: {
      ...{ amount: null, quantity_type: 'constant' },
      tiers: [
        { max_qty: 2.5, unit_cost: 4 },
        { min_qty: 3.5, max_qty: 7, unit_cost: 0.125 },
        { min_qty: 8, unit_cost: 0 },
      ],
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a plan without a price': {
    path: '/plans',
    created: { id: 'agreed', name: 'Whole', pricing_mode: 'custom', amount: null, tiers: null, interval: 'day' },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a coupon': {
    path: '/coupons',
    created: {
      ...{ id: 'whole', name: 'Whole', currency: 'eur', value: 7.5, is_percent: false, exclusive: true },
      ...{ expiration_date: MADE_AT + 70, max_redemptions: 9, duration: 5, metadata: { color: 'red' } },
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a tax rate': {
    path: '/tax_rates',
    created: {
      ...{ id: 'whole', name: 'Whole', currency: 'eur', value: 7.125, is_percent: true, inclusive: true },
      metadata: { color: 'red' },
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a tax rule': {
    path: '/tax_rules',
    created: { tax_rate: 'base', country: 'DE', state: 'BY' },
    changed: { tax_rate: 'other', country: 'US', state: 'CA' },
    cleared: { country: null, state: null },
  },
  'a subscription': {
    path: '/subscriptions',
    created: {
      ...{ plan: 'gold', quantity: 3, start_date: MADE_AT + 86_400, cycles: 8, paused: true },
      ...{ cancel_at_period_end: true, metadata: { color: 'red' } },
    },
    changed: { paused: false, cancel_at_period_end: false, metadata: { size: 'L' } },
    cleared: { paused: false, cancel_at_period_end: false, metadata: {} },
  },
  'a subscription with a price of its own': {
    path: '/subscriptions',
    created: {
      ...{ plan: 'own', amount: 7.125, quantity: 2, start_date: MADE_AT + 86_400 },
      ...{ discounts: ['third'], taxes: ['base', 'other'] },
    },
    // 2 x 7.125 = 14.25, less 33.3 % of it, 4.75: 9.50; twice 5 % of that, rounded from 0.475: 0.48
    shown: {
      ...{ recurring_total: 10.46, mrr: 9.5, discounts: [expect.objectContaining({ object: 'coupon', id: 'third' })] },
      taxes: ['base', 'other'].map((id) => expect.objectContaining({ object: 'tax_rate', id, value: 5 })),
    },
    changed: { metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a credit balance adjustment': {
    path: '/credit_balance_adjustments',
    created: { currency: 'eur', amount: 12.5, date: MADE_AT - 50, notes: 'n' },
    changed: { amount: 13.5, date: MADE_AT - 40, notes: 'm' },
    cleared: { notes: null },
  },
  'a credit note': {
    path: '/credit_notes',
    created: {
      ...{ name: 'Whole', number: 'C-1', currency: 'eur', purchase_order: 'PO-1', date: MADE_AT - 50, notes: 'n' },
      items: [{ name: 'L', description: 'd', type: 't', quantity: 2.5, unit_cost: 4, metadata: { line: '1' } }],
      ...{ discounts: ['third'], taxes: ['base'], metadata: { color: 'red' } },
    },
    // 10.00 less 33.3 %, 3.33: 6.67; 5 % of it: 0.33
    shown: {
      items: [expect.objectContaining({ name: 'L', description: 'd', type: 't', amount: 10, quantity: 2.5 })],
      discounts: [expect.objectContaining({ object: 'discount', amount: 3.33 })],
      taxes: [expect.objectContaining({ object: 'tax', amount: 0.33 })],
      ...{ subtotal: 10, total: 7, balance: 7 },
    },
    changed: {
      ...{ name: 'Other', number: 'C-2', currency: 'chf', purchase_order: 'PO-2', date: MADE_AT - 40, notes: 'm' },
      metadata: { size: 'L' },
    },
    cleared: { name: 'Credit Note', purchase_order: null, notes: null, metadata: {} },
  },
  'an invoice': {
    path: '/invoices',
    created: {
      ...{ name: 'Whole', number: 'I-1', currency: 'eur', autopay: true, payment_terms: 'NET 9' },
      ...{ purchase_order: 'PO-1', date: MADE_AT - 50, due_date: MADE_AT + 50, notes: 'n', metadata: { color: 'red' } },
      items: [{ name: 'L', description: 'd', type: 't', quantity: 2.5, unit_cost: 4, metadata: { line: '1' } }],
      ...{ discounts: ['third'], taxes: ['base'], disabled_payment_methods: ['ach'] },
      ship_to: {
        name: 's1',
        attention_to: 's2',
        address1: 's3',
        address2: 's4',
        city: 's5',
        state: 's6',
        postal_code: 's7',
        country: 'DE',
      },
    },
    // 10.00 less 33.3 %, 3.33: 6.67; 5 % of it: 0.33
    shown: {
      items: [expect.objectContaining({ name: 'L', description: 'd', type: 't', amount: 10, quantity: 2.5 })],
      discounts: [expect.objectContaining({ object: 'discount', amount: 3.33 })],
      taxes: [expect.objectContaining({ object: 'tax', amount: 0.33 })],
      ...{ subtotal: 10, total: 7, balance: 7 },
    },
    changed: {
      ...{ name: 'Other', number: 'I-2', currency: 'chf', autopay: false, payment_terms: 'Due on receipt' },
      ...{ purchase_order: 'PO-2', date: MADE_AT - 40, due_date: MADE_AT + 60, notes: 'm', metadata: { size: 'L' } },
      disabled_payment_methods: ['check'],
    },
    cleared: {
      ...{ name: 'Invoice', autopay: false, payment_terms: 'NET 30', purchase_order: null, notes: null, metadata: {} },
      ...{ items: [], discounts: [], taxes: [], ship_to: null, disabled_payment_methods: [], total: 0 },
    },
  },
  'an estimate': {
    path: '/estimates',
    created: {
      ...{ name: 'Whole', number: 'E-1', currency: 'eur', payment_terms: 'NET 9', purchase_order: 'PO-1' },
      ...{ date: MADE_AT - 50, expiration_date: MADE_AT + 50, notes: 'n', deposit: 2.5, deposit_paid: true },
      ...{ disabled_payment_methods: ['ach'], metadata: { color: 'red' } },
      items: [{ name: 'L', description: 'd', type: 't', quantity: 2.5, unit_cost: 4, metadata: { line: '1' } }],
    },
    shown: { items: [expect.objectContaining({ name: 'L', description: 'd', type: 't', amount: 10, quantity: 2.5 })] },
    changed: {
      ...{ name: 'Other', number: 'E-2', currency: 'usd', payment_terms: 'Due on receipt', purchase_order: 'PO-2' },
      ...{ date: MADE_AT - 40, expiration_date: MADE_AT + 90_000, notes: 'm', deposit: 3, deposit_paid: false },
      ...{ disabled_payment_methods: ['check'], metadata: { size: 'L' } },
    },
    cleared: {
      ...{
        name: 'Estimate',
        payment_terms: null,
        purchase_order: null,
        expiration_date: null,
        notes: null,
        deposit: 0,
      },
      ...{ ship_to: null, disabled_payment_methods: [], discounts: [], taxes: [], metadata: {} },
    },
  },
  'a payment': {
    path: '/payments',
    created: {
      ...{ date: MADE_AT - 70, method: 'wire_transfer', currency: 'eur', amount: 12.34, reference: 'r-1' },
      ...{ ach_sender_id: 'ach-1', source: 'bank_feed', notes: 'n', metadata: { color: 'red' } },
    },
  },
  'a webhook': {
    path: '/webhooks',
    created: {
      ...{ url: 'http://127.0.0.1:9/a', events: ['invoice.paid'], enabled: false, description: 'd' },
      api_version: '2026-11-01',
    },
    changed: { url: 'http://127.0.0.1:9/b', events: ['customer.created'], enabled: true, description: 'e' },
    cleared: { events: '*', enabled: true, description: null },
  },
};
