import { movementTypes, openItemTypes, statementItems, statementTypes } from '../../../billing/statement.ts';
import * as fields from '../../framework/shape.ts';

const lineTypes = [...new Set([...movementTypes, ...openItemTypes])];

const line = fields.value('StatementLine', 'Movement or open item of a statement', {
  type: fields.choice(
    'Cause of the movement, or kind of the open item; `transfer`: money or credit that pays an invoice of another customer; `forfeit`: a credit note that was closed',
    ...lineTypes,
  ),
  date: fields.nullable(fields.timestamp('Date of the document or movement; null: a credit balance or a deposit')),
  due_date: fields.unset(fields.timestamp('Due date of the invoice')),
  days_past_due: fields.unset(fields.integer('Days past due at the end of the range, of an invoice', 12)),
  number: fields.nullable(
    fields.text(
      'Number of the invoice, the credit note or the receipt; reference of a payment whose receipt has no number',
      'INV-00001',
    ),
  ),
  invoice: fields.nullable(fields.id('Id of the invoice')),
  payment: fields.unset(fields.id('Id of the payment')),
  credit_note: fields.unset(fields.id('Id of the credit note')),
  refund: fields.unset(fields.id('Id of the refund that no gateway sent')),
  amount: fields.money('Amount: positive if the customer owes it, negative if it is its money or credit', 240),
  balance: fields.money('Balance after this line', 240),
});

const aging = fields.value('StatementAging', 'Open balances of invoices by days past due', {
  current: fields.money('Not past due', 240),
  days_1_30: fields.money('1 to 30 days past due', 0),
  days_31_60: fields.money('31 to 60 days past due', 0),
  days_61_90: fields.money('61 to 90 days past due', 0),
  over_90: fields.money('More than 90 days past due', 0),
});

export const statement = fields.value('Statement', 'Statement of the account of a customer in one currency', {
  customer: fields.id('Id of the customer'),
  type: fields.choice(
    '`balance_forward`: the balance before a range and all movements in it; `open_item`: what is open at its end',
    ...statementTypes,
  ),
  items: fields.unset(fields.choice('Items of an open item statement', ...statementItems)),
  currency: fields.currency(),
  start: fields.nullable(fields.timestamp('Start of the range; null: it begins with the oldest item')),
  end: fields.timestamp('Last second of the range: the end of a day, or now'),
  opening_balance: fields.money('Balance before the range, or sum of the open items from before it', 0),
  earlier_count: fields.integer('Number of the earliest lines that are summed up, because only 1,000 are listed', 0),
  earlier_amount: fields.money('Sum of these lines', 0),
  lines: fields.listOf(line, 'Latest 1,000 lines of the range, oldest first'),
  closing_balance: fields.money(
    'Balance at the end: the opening balance, the earlier lines and all lines; negative: the customer has more than it owes',
    240,
  ),
  total_outstanding: fields.money('Sum of the open balances of invoices at the end', 240),
  available_credits: fields.money('Credit balance plus balances of open credit notes at the end', 0),
  unapplied_payments: fields.money('Money of payments that is not applied at the end', 0),
  deposits: fields.money('Deposits of estimates that have not paid an invoice at the end', 0),
  aging: fields.one(aging, 'Open balances of invoices by days past due at the end'),
});
