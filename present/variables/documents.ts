import { flag, group, list, optional, text } from './kinds.ts';

/** A day, as text and as `2026-12-31` for the helper `date`. */
const day = { date: text('Date, in words'), date_on: text('Date: `2026-12-01`') };

const currency = text('Currency: three-letter ISO 4217 code');

const total = {
  total: text('Total, formatted'),
  total_number: text('Total, in major currency units'),
};

export const lineVariables = {
  name: text('Name'),
  quantity: optional('Quantity'),
  unit_cost: optional('Price of one unit'),
  amount: text('Amount'),
  discounts: list('Its discounts', { label: text('Name'), value: text('Negative amount') }),
} as const;

export const sumVariables = {
  label: text('Words, such as those for the subtotal'),
  value: text('Amount'),
} as const;

const content = {
  lines: list('Lines of the document', lineVariables),
  sums: list('Sums of the document, from the subtotal of its lines to what is due', sumVariables),
};

export const invoiceVariables = {
  ...content,
  invoice: group('Invoice', {
    number: text('Number'),
    ...day,
    due_date: optional('Due date, in words'),
    due_on: optional('Due date: `2026-12-31`'),
    purchase_order: optional('Purchase order number'),
    currency,
    ...total,
    balance: text('Amount due, formatted'),
    balance_number: text('Amount due, in major currency units'),
    due_now: text('Part of the amount due that is asked for now, formatted; less than it on a payment plan'),
    due_now_number: text('The same, in major currency units'),
    installments: list('Installments of its payment plan', {
      date: text('Date, in words'),
      amount: text('Amount, formatted'),
      state: text('State, in words; can be empty'),
    }),
    paid: flag('Whether it is paid'),
    past_due: flag('Whether it is past due'),
    url: text('Its page'),
    pay_url: optional('Page that pays it; missing when AutoPay charges it or it cannot be paid'),
  }),
} as const;

export const estimateVariables = {
  ...content,
  estimate: group('Estimate', {
    number: text('Number'),
    ...day,
    expires: optional('Last day on which it is valid, in words'),
    purchase_order: optional('Purchase order number'),
    currency,
    ...total,
    deposit: optional('Requested deposit, formatted'),
    url: text('Its page'),
    pay_url: optional('Page that pays its deposit; missing until it is approved, and when the deposit cannot be paid'),
  }),
} as const;

export const creditNoteVariables = {
  ...content,
  credit_note: group('Credit note', {
    number: text('Number'),
    ...day,
    purchase_order: optional('Purchase order number'),
    currency,
    ...total,
    balance: text('Amount that can still be used, formatted'),
    balance_number: text('Amount that can still be used, in major currency units'),
    story: text('Sentences that say what became of it'),
    url: text('Its page'),
  }),
} as const;
