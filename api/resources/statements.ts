import { movementTypes, openItemTypes, statementItems, statementTypes } from '../../billing/documents/statement.ts';
import { statementPdf } from '../../commands/statements/printing.ts';
import { type AskedStatement, readStatement } from '../../commands/statements/reading.ts';
import { sendStatement } from '../../commands/statements/sending.ts';
import { Customer } from '../../db/schema/customer.ts';
import { presentStatement } from '../../present/customers/statement.ts';
import { presentEmail } from '../../present/mail/email.ts';
import { schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { refuseRepeated } from '../framework/parameterNames.ts';
import { readParameter } from '../framework/resource.ts';
import { found, pathId, type Route, reply, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { write } from '../writing/write.ts';
import { emails, sendingFields, sendingOf } from './emails.ts';
import { mailPreviewRoute } from './mailPreviews.ts';

const lineTypes = [...new Set([...movementTypes, ...openItemTypes])];

const line = shown.value('StatementLine', 'Movement or open item of a statement', {
  type: shown.choice(
    'Cause of the movement, or kind of the open item; `transfer`: money or credit that pays an invoice of another customer; `forfeit`: a credit note that was closed',
    ...lineTypes,
  ),
  date: shown.nullable(shown.timestamp('Date of the document or movement; null: a credit balance or a deposit')),
  due_date: shown.unset(shown.timestamp('Due date of the invoice')),
  days_past_due: shown.unset(shown.integer('Days past due at the end of the range, of an invoice', 12)),
  number: shown.nullable(
    shown.text(
      'Number of the invoice, the credit note or the receipt; reference of a payment whose receipt has no number',
      'INV-00001',
    ),
  ),
  invoice: shown.nullable(shown.id('Id of the invoice')),
  payment: shown.unset(shown.id('Id of the payment')),
  credit_note: shown.unset(shown.id('Id of the credit note')),
  refund: shown.unset(shown.id('Id of the refund that no gateway sent')),
  amount: shown.money('Amount: positive if the customer owes it, negative if it is its money or credit', 240),
  balance: shown.money('Balance after this line', 240),
});

const aging = shown.value('StatementAging', 'Open balances of invoices by days past due', {
  current: shown.money('Not past due', 240),
  days_1_30: shown.money('1 to 30 days past due', 0),
  days_31_60: shown.money('31 to 60 days past due', 0),
  days_61_90: shown.money('61 to 90 days past due', 0),
  over_90: shown.money('More than 90 days past due', 0),
});

const statement = shown.value('Statement', 'Statement of the account of a customer in one currency', {
  customer: shown.id('Id of the customer'),
  type: shown.choice(
    '`balance_forward`: the balance before a range and all movements in it; `open_item`: what is open at its end',
    ...statementTypes,
  ),
  items: shown.unset(shown.choice('Items of an open item statement', ...statementItems)),
  currency: shown.currency(),
  start: shown.nullable(shown.timestamp('Start of the range; null: it begins with the oldest item')),
  end: shown.timestamp('Last second of the range: the end of a day, or now'),
  opening_balance: shown.money('Balance before the range, or sum of the open items from before it', 0),
  earlier_count: shown.integer('Number of the earliest lines that are summed up, because only 1,000 are listed', 0),
  earlier_amount: shown.money('Sum of these lines', 0),
  lines: shown.listOf(line, 'Latest 1,000 lines of the range, oldest first'),
  closing_balance: shown.money(
    'Balance at the end: the opening balance, the earlier lines and all lines; negative: the customer has more than it owes',
    240,
  ),
  total_outstanding: shown.money('Sum of the open balances of invoices at the end', 240),
  available_credits: shown.money('Credit balance plus balances of open credit notes at the end', 0),
  unapplied_payments: shown.money('Money of payments that is not applied at the end', 0),
  deposits: shown.money('Deposits of estimates that have not paid an invoice at the end', 0),
  aging: shown.one(aging, 'Open balances of invoices by days past due at the end'),
});

/** The fields of a request for a statement, as parameters of the URL or as fields of a body. */
export const asked = {
  type: fields.described(
    fields.choice(...statementTypes),
    'Kind of statement: `balance_forward` (default) or `open_item`',
    'balance_forward',
  ),
  items: fields.described(
    fields.choice(...statementItems),
    'Items of an open item statement: all that is `open` (default), or invoices that are `past_due`',
    'open',
  ),
  currency: fields.described(
    fields.currency,
    'Currency: three-letter ISO 4217 code; default: the currency of the customer',
    'usd',
  ),
  start: fields.described(
    fields.timestamp,
    'Time on the first day, in the time zone of the account; default: the month of the end, or the oldest open item',
    1_796_083_200,
  ),
  end: fields.described(
    fields.timestamp,
    'Time on the last day, in the time zone of the account; default: now',
    1_798_675_200,
  ),
};

/** The fields of a request as they were read. Absent and null: the default. */
type Read = { [Name in keyof AskedStatement]?: AskedStatement[Name] | undefined };

export function askedStatement({ type, items, currency, start, end }: Read): AskedStatement {
  return {
    type: type ?? null,
    items: items ?? null,
    currency: currency ?? null,
    start: start ?? null,
    end: end ?? null,
  };
}

/** Reads the parameters of a URL. Refuses a repeated one and one that is not valid, naming it. */
function askedInQuery(query: URLSearchParams): AskedStatement {
  refuseRepeated(query);
  const read = <Value>(name: keyof typeof asked, field: fields.Field<Value>): Value | null => {
    const text = query.get(name) ?? '';
    return text === '' ? null : (readParameter(field, text, name) ?? null);
  };
  return {
    type: read('type', asked.type),
    items: read('items', asked.items),
    currency: read('currency', asked.currency),
    start: read('start', asked.start),
    end: read('end', asked.end),
  };
}

export const statementRoute: Route = {
  method: 'GET',
  path: '/customers/:id/statement',
  operationId: 'readCustomerStatement',
  permission: 'customers.read',
  summary: 'Read the account statement of a customer in one currency, as JSON or PDF',
  parameters: Object.fromEntries(Object.entries(asked).map(([name, field]) => [name, { schema: schemaOf(field) }])),
  media: ['pdf'],
  answer: { statusCode: 200, kind: { shape: statement } },
  handle: async (request) => {
    const { em, query, caller, deps } = request;
    const { account } = caller;
    const wanted = askedInQuery(query);
    const id = pathId(request, 'Customer');
    const row = await em.findOne(Customer, { accountId: account.id, id }, { populate: ['testClock'] });
    const customer = found(row, 'Customer', id);
    const now = customer.testClock?.frozenAt ?? deps.systemNow();
    const statement = await readStatement(em, { account, customer, now }, wanted);
    if (request.medium !== 'pdf') return reply(200, presentStatement(id, statement));
    const pdf = await statementPdf({ em, pdf: deps.pdf }, { account, customer, statement });
    return { statusCode: 200, json: null, pdf };
  },
};

export const sendStatementRoute: Route = withBody({
  method: 'POST',
  path: '/customers/:id/emails',
  operationId: 'sendCustomerStatement',
  permission: 'customers.write',
  summary: 'Send the account statement of a customer by email, with its PDF',
  body: object({ ...sendingFields, ...asked }),
  example: { to: [{ name: 'Ada Lovelace', email: 'ada@example.com' }], type: 'open_item', template: 'statement_email' },
  answer: { statusCode: 200, kind: emails, isArray: true },
  handle: (request, body) => {
    const id = pathId(request, 'Customer');
    return write(request, {
      statusCode: 200,
      command: (em, caller, now) =>
        sendStatement(em, { caller, id, sending: sendingOf(body), asked: askedStatement(body) }, now),
      present: (sent) => sent.map(presentEmail),
    });
  },
});

export const previewStatementMailRoute: Route = mailPreviewRoute({
  path: '/customers/:id/emails/preview',
  operationId: 'previewCustomerStatement',
  permission: 'customers.write',
  name: 'Customer',
  type: 'customer',
  summary: 'Preview the mail with the account statement of a customer; nothing is stored or sent',
  body: object({ ...sendingFields, ...asked }),
  example: { type: 'open_item', message: 'Please pay by Friday.' },
  send: (em, { caller, id, body }, now) =>
    sendStatement(em, { caller, id, sending: sendingOf(body), asked: askedStatement(body) }, now),
});
