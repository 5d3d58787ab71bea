import { flag, group, list, optional, text } from './kinds.ts';

const page = 'https://billing.example/invoices/1/7/Example';

/** A day, as text and as `2026-12-31` for the helper `date`. */
const day = { date: text('Date, in words', 'December 1, 2026'), date_on: text('Date: `2026-12-01`', '2026-12-01') };

const currency = text('Currency: three-letter ISO 4217 code', 'usd');

const total = {
  total: text('Total, formatted', '$249.00'),
  total_number: text('Total, in major currency units', '249.00'),
};

export const lineVariables = {
  name: text('Name', 'Gold plan'),
  quantity: optional('Quantity', '1'),
  unit_cost: optional('Price of one unit', '$249.00'),
  amount: text('Amount', '$249.00'),
} as const;

const lines = list('Lines of the document', lineVariables);

export const invoiceVariables = {
  lines,
  invoice: group('Invoice', {
    number: text('Number', 'INV-00042'),
    ...day,
    due_date: optional('Due date, in words', 'December 31, 2026'),
    due_on: optional('Due date: `2026-12-31`', '2026-12-31'),
    purchase_order: optional('Purchase order number', 'PO-7'),
    currency,
    ...total,
    balance: text('Amount due, formatted', '$249.00'),
    balance_number: text('Amount due, in major currency units', '249.00'),
    paid: flag('Whether it is paid', false),
    past_due: flag('Whether it is past due', false),
    url: text('Its page', page),
    pay_url: optional('Page that pays it; missing when AutoPay charges it or it cannot be paid', page),
  }),
} as const;

export const estimateVariables = {
  lines,
  estimate: group('Estimate', {
    number: text('Number', 'EST-00007'),
    ...day,
    expires: optional('Last day on which it is valid, in words', 'December 31, 2026'),
    purchase_order: optional('Purchase order number', 'PO-7'),
    currency,
    ...total,
    deposit: optional('Requested deposit, formatted', '$50.00'),
    url: text('Its page', page),
  }),
} as const;

export const creditNoteVariables = {
  lines,
  credit_note: group('Credit note', {
    number: text('Number', 'CN-00003'),
    ...day,
    purchase_order: optional('Purchase order number', 'PO-7'),
    currency,
    ...total,
    balance: text('Amount that can still be used, formatted', '$249.00'),
    balance_number: text('Amount that can still be used, in major currency units', '249.00'),
    url: text('Its page', page),
  }),
} as const;
