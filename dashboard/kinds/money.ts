import {
  asked,
  choice,
  code,
  currency,
  customer,
  dates,
  day,
  idIn,
  type Kind,
  money,
  ofCustomer,
  type Row,
  ranged,
  reference,
  text,
  textOf,
  time,
} from './kind.ts';

/** The invoices that a payment is applied to, as far as a filter takes their ids. */
function invoicesIn({ applied_to: parts }: Row): Readonly<Record<string, string>> | null {
  const ids = Array.isArray(parts) ? parts.flatMap((part: Row) => (part.invoice ? [idIn(part.invoice)] : [])) : [];
  const once = [...new Set(ids)].slice(0, MOST_IDS);
  return once.length > 0 ? { 'filter[id][in]': once.join(',') } : null;
}

const MOST_IDS = 50;

/** The documents that a payment is applied to have their numbers on its page. */
const PAYMENT_PARTS = 'customer,applied_to.invoice,applied_to.credit_note';

const payment: Kind = {
  object: 'payment',
  list: 'payments',
  read: (api, id, params) =>
    api.full('get', '/payments/{id}', { ...params, id: Number(id), include: 'applied_to', expand: PAYMENT_PARTS }),
  timeline: (api, id, part) => api.full('get', '/payments/{id}/timeline', { id: Number(id), ...part }),
  area: 'payments',
  title: (row) => textOf(row, 'receipt_number') || textOf(row, 'reference') || textOf(row, 'id'),
  fields: [
    text('receipt_number', { asked: ['equal'] }),
    ofCustomer,
    ranged(day('date')),
    choice('method', 'method'),
    currency('currency'),
    ranged(money('amount')),
    ranged(money('balance', { label: 'unapplied' })),
    money('credit'),
    money('amount_refunded'),
    code('reference'),
    asked('voided'),
    asked('matched'),
    reference('charge', 'charges'),
    text('notes'),
    ...dates,
  ],
  columns: ['customer', 'date', 'method', 'amount', 'balance', 'reference'],
  presets: [
    { name: 'this_month', query: { 'filter[date][within]': 'this_month' } },
    { name: 'unapplied', query: { 'filter[balance][gt]': '0' } },
  ],
  sort: 'date desc',
  searchable: false,
  expand: ['customer'],
  amount: 'amount',
  acts: [{ name: 'csv', permission: 'payments.read' }],
  related: [
    {
      list: 'invoices',
      query: (_id, row) => invoicesIn(row),
      columns: ['status', 'due_date', 'total', 'balance'],
    },
    { list: 'refunds', query: (id) => ({ 'filter[payment]': id }), columns: ['status', 'amount', 'date'] },
    {
      list: 'disputes',
      query: (_id, { charge }) => (charge ? { 'filter[charge]': idIn(charge) } : null),
      columns: ['status', 'amount', 'reason', 'evidence_due_at'],
    },
  ],
  example: `POST /payments { "customer": 1, "amount": 120, "method": "wire_transfer" }`,
};

const charge: Kind = {
  object: 'charge',
  list: 'charges',
  read: (api, id, params) => api.full('get', '/charges/{id}', { id: Number(id), ...params }),
  area: 'payments',
  title: (row) => textOf(row, 'gateway_id') || textOf(row, 'id'),
  fields: [
    text('gateway_id'),
    customer,
    choice('status', 'moneyStatus', false),
    text('currency'),
    money('amount'),
    money('amount_refunded'),
    text('gateway'),
    text('failure_message'),
    ...dates,
  ],
  columns: ['customer', 'status', 'amount', 'failure_message', 'created_at'],
  sort: 'created_at desc',
  searchable: false,
  expand: ['customer'],
  status: 'status',
  amount: 'amount',
  related: [
    { list: 'refunds', query: (id) => ({ 'filter[charge]': id }), columns: ['status', 'amount', 'date'] },
    { list: 'disputes', query: (id) => ({ 'filter[charge]': id }), columns: ['status', 'amount', 'evidence_due_at'] },
  ],
  example: `POST /charges { "customer": 1, "amount": 120, "method": "credit_card" }`,
};

const refund: Kind = {
  object: 'refund',
  list: 'refunds',
  read: (api, id, params) => api.full('get', '/refunds/{id}', { id: Number(id), ...params }),
  area: 'refunds',
  title: (row) => textOf(row, 'reference') || textOf(row, 'gateway_id') || textOf(row, 'id'),
  fields: [
    text('reference'),
    choice('status', 'moneyStatus', false),
    day('date'),
    money('amount'),
    choice('method', 'method', false),
    text('gateway'),
    text('gateway_id'),
    reference('payment', 'payments'),
    reference('charge', 'charges'),
    text('failure_message'),
    ...dates,
  ],
  columns: ['status', 'date', 'amount', 'method'],
  sort: 'created_at desc',
  searchable: false,
  expand: [],
  status: 'status',
  amount: 'amount',
  related: [],
  example: `POST /charges/1/refunds { "amount": 20 }`,
};

const dispute: Kind = {
  object: 'dispute',
  list: 'disputes',
  read: (api, id, params) => api.full('get', '/disputes/{id}', { id: Number(id), ...params }),
  area: 'payments',
  title: (row) => textOf(row, 'gateway_id'),
  fields: [
    text('gateway_id', { asked: ['equal'] }),
    customer,
    choice('status', 'disputeStatus'),
    money('amount'),
    money('amount_lost'),
    money('fee'),
    text('reason', { known: 'disputeReason' }),
    ranged(time('evidence_due_at')),
    text('gateway'),
    reference('charge', 'charges'),
    ...dates,
  ],
  columns: ['customer', 'status', 'amount', 'reason', 'evidence_due_at', 'created_at'],
  sort: 'created_at desc',
  searchable: false,
  expand: ['customer'],
  status: 'status',
  amount: 'amount',
  deadline: { name: 'evidence_due_at', isOpen: ({ status }) => status === 'open' },
  related: [
    {
      list: 'payments',
      query: (_, row) => ({ 'filter[charge]': textOf(row, 'charge') }),
      columns: ['date', 'method', 'amount', 'balance'],
    },
  ],
  example: 'GET /disputes',
};

export const moneyKinds: readonly Kind[] = [payment, charge, refund, dispute];
