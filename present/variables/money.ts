import { flag, group, list, optional, text } from './kinds.ts';

const page = 'https://billing.example/invoices/1/7/Example';
const currency = text('Currency: three-letter ISO 4217 code', 'usd');
const method = optional('Payment method in words', 'Visa ending in 4242');
const amount = {
  amount: text('Amount, formatted', '$249.00'),
  amount_number: text('Amount, in major currency units', '249.00'),
};

export const receiptVariables = {
  payment: group('Payment', {
    date: text('Date, in words', 'December 1, 2026'),
    date_on: text('Date: `2026-12-01`', '2026-12-01'),
    currency,
    ...amount,
    method,
    reference: optional('Reference', '1001'),
    url: text('Page of the receipt', page),
  }),
  documents: list('Documents that it pays', { number: text('Number', 'INV-00042'), ...amount }),
} as const;

export const statementVariables = {
  statement: group('Account statement', {
    period: text('Its days, in words', 'Dec 1 – 31, 2026'),
    end_on: text('Its last day: `2026-12-31`', '2026-12-31'),
    currency,
    opening_balance: optional('Balance before its first day, formatted; missing in an open item statement', '$100.00'),
    balance: text('Balance at its end, formatted; negative: in favor of the customer', '$249.00'),
    balance_number: text('Balance at its end, in major currency units', '249.00'),
    owed: flag('Whether the customer owes the balance', true),
    in_favor: flag('Whether the balance is in favor of the customer', false),
    outstanding: text('Open invoices, formatted', '$299.00'),
    credits: optional('Credit of the customer, formatted', '$20.00'),
    unapplied: optional('Payments that are not applied, formatted', '$30.00'),
    deposits: optional('Deposits, formatted', '$10.00'),
    url: optional('PDF of its latest statement', page),
  }),
  ages: list('Open invoices by days past due', {
    label: text('Days in words', '1 to 30 days past due'),
    amount: text('Amount, formatted', '$299.00'),
  }),
} as const;

export const refundVariables = {
  refund: group('Refund', { date: text('Date, in words', 'December 1, 2026'), currency, ...amount, method }),
} as const;

export const paymentFailedVariables = {
  invoice: group('Invoice', {
    number: text('Number', 'INV-00042'),
    currency,
    balance: text('Amount due, formatted', '$249.00'),
    balance_number: text('Amount due, in major currency units', '249.00'),
    next_attempt: optional('Day of the next charge, in words', 'December 4, 2026'),
    due_date: optional('Due date, in words', 'December 31, 2026'),
  }),
  reason: text(
    'The reason of the decline; in the words of the gateway if its code is unknown',
    'There is not enough money on the account, or a limit is reached.',
  ),
  method,
  needs_customer: flag('Whether the customer has to confirm the payment', false),
  source_url: text('Page that replaces the payment source', page),
  pay_url: text('Page that pays the invoice', page),
} as const;

export const cardExpiringVariables = {
  method: text('Card in words', 'Visa ending in 4242'),
  month: text('Last month in which it is valid', 'December 2026'),
  source_url: text('Page that replaces the card', page),
} as const;

export const paymentPlanVariables = {
  invoice: group('Invoice', { number: text('Number', 'INV-00042'), currency, url: text('Its page', page) }),
  installments: list('Unpaid installments', { date: text('Date, in words', 'December 31, 2026'), ...amount }),
  needs_approval: flag('Whether the customer has to approve the plan', false),
  is_changed: flag('Whether the customer knows an earlier version of the plan', false),
} as const;

export const reminderVariables = {
  invoices: list('Open invoices, at most thirty', {
    number: text('Number', 'INV-00042'),
    date: text('Date, in words', 'December 1, 2026'),
    due_date: optional('Due date, in words', 'December 31, 2026'),
    past_due: flag('Whether it is past due', true),
    ...amount,
    url: text('Page that pays it, else its page', page),
  }),
  past_due: flag('Whether an invoice is past due', true),
} as const;

export const subscriptionVariables = {
  subscription: group('Subscription', {
    plan: text('Name of the plan', 'Gold'),
    quantity: optional('Quantity of the plan', '1'),
    currency,
    price: text('Price of a period, formatted; "by usage" if nothing else is billed', '$249.00'),
    price_number: text('Price of a period, in major currency units', '249.00'),
    interval: text('Length of a period', '1 month'),
    next_bill: optional('Day of the next bill, in words', 'December 31, 2026'),
    url: optional('Its page', page),
  }),
  day: optional('Day on which it renews, ends or has ended, in words', 'December 31, 2026'),
} as const;
