import { flag, group, list, optional, text } from './kinds.ts';

const currency = text('Currency: three-letter ISO 4217 code');
const method = optional('Payment method in words');
const amount = {
  amount: text('Amount, formatted'),
  amount_number: text('Amount, in major currency units'),
};

export const receiptVariables = {
  payment: group('Payment', {
    number: optional('Number of the receipt'),
    date: text('Date, in words'),
    date_on: text('Date: `2026-12-01`'),
    currency,
    ...amount,
    method,
    reference: optional('Reference'),
    url: text('Page of the receipt'),
  }),
  documents: list('Documents that it pays', { number: text('Number'), ...amount }),
} as const;

export const statementVariables = {
  statement: group('Account statement', {
    period: text('Its days, in words'),
    end_on: text('Its last day: `2026-12-31`'),
    currency,
    opening_balance: optional('Balance before its first day, formatted; missing in an open item statement'),
    balance: text('Balance at its end, formatted; negative: in favor of the customer'),
    balance_number: text('Balance at its end, in major currency units'),
    owed: flag('Whether the customer owes the balance'),
    in_favor: flag('Whether the balance is in favor of the customer'),
    outstanding: text('Open invoices, formatted'),
    credits: optional('Credit of the customer, formatted'),
    unapplied: optional('Payments that are not applied, formatted'),
    deposits: optional('Deposits, formatted'),
    url: optional('PDF of its latest statement'),
  }),
  ages: list('Open invoices by days past due', {
    label: text('Days in words'),
    amount: text('Amount, formatted'),
  }),
} as const;

export const refundVariables = {
  refund: group('Refund', { date: text('Date, in words'), currency, ...amount, method }),
} as const;

export const paymentFailedVariables = {
  invoice: group('Invoice', {
    number: text('Number'),
    currency,
    balance: text('Amount due, formatted'),
    balance_number: text('Amount due, in major currency units'),
    next_attempt: optional('Day of the next charge, in words'),
    due_date: optional('Due date, in words'),
  }),
  reason: text('The reason of the decline; in the words of the gateway if its code is unknown'),
  method,
  needs_customer: flag('Whether the customer has to confirm the payment'),
  source_url: text('Page that replaces the payment source'),
  pay_url: text('Page that pays the invoice'),
} as const;

export const cardExpiringVariables = {
  method: text('Card in words'),
  month: text('Last month in which it is valid'),
  source_url: text('Page that replaces the card'),
} as const;

export const sourceRemovedVariables = {
  method: text('Card or bank account in words'),
  source_url: text('Page that replaces the payment source'),
} as const;

export const paymentPlanVariables = {
  invoice: group('Invoice', { number: text('Number'), currency, url: text('Its page') }),
  installments: list('Unpaid installments', { date: text('Date, in words'), ...amount }),
  needs_approval: flag('Whether the customer has to approve the plan'),
  is_changed: flag('Whether the customer knows an earlier version of the plan'),
} as const;

export const reminderVariables = {
  invoices: list('Open invoices, at most thirty', {
    number: text('Number'),
    date: text('Date, in words'),
    due_date: optional('Due date, in words'),
    past_due: flag('Whether it is past due'),
    ...amount,
    url: text('Page that pays it, else its page'),
  }),
  past_due: flag('Whether an invoice is past due'),
} as const;

export const subscriptionVariables = {
  subscription: group('Subscription', {
    plan: text('Name of the plan'),
    quantity: optional('Quantity of the plan'),
    currency,
    price: text('Price of a period, formatted; "by usage" if nothing else is billed'),
    price_number: text('Price of a period, in major currency units'),
    interval: text('Length of a period'),
    next_bill: optional('Day of the next bill, in words'),
    url: optional('Its page'),
  }),
  day: optional('Day on which it renews, ends or has ended, in words'),
} as const;
