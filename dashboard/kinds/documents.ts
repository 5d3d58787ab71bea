import {
  type Act,
  asked,
  choice,
  currency,
  customer,
  dates,
  day,
  type Kind,
  link,
  money,
  number,
  ofCustomer,
  type Row,
  ranged,
  reference,
  text,
  textOf,
  time,
} from './kind.ts';

/** A draft has no number yet. */
const numberOf = (row: Row): string => textOf(row, 'number') || textOf(row, 'name');

const ofAccount = {
  area: 'documents',
  title: numberOf,
  knownTitles: 'documentName',
  sort: 'date desc',
  searchable: true,
  status: 'status',
  amount: 'total',
} as const;

const send: Act = { name: 'send', permission: 'documents.write' };
const cancel: Act = { name: 'void', permission: 'corrections.write' };
const csv: Act = { name: 'csv', permission: 'documents.read' };

/** Statuses of issued invoices that are not paid. */
export const UNPAID = 'not_sent,sent,viewed,past_due,pending';

const items = '"items": [{ "name": "Consulting", "quantity": 2, "unit_cost": 100 }]';

const invoice: Kind = {
  ...ofAccount,
  object: 'invoice',
  list: 'invoices',
  read: (api, id, params) => api.full('get', '/invoices/{id}', { id: Number(id), ...params }),
  timeline: (api, id, part) => api.full('get', '/invoices/{id}/timeline', { id: Number(id), ...part }),
  fields: [
    text('number', { sort: 'number', asked: ['equal'] }),
    text('name', { asked: ['contains'], known: 'documentName' }),
    ofCustomer,
    choice('status', 'invoiceStatus'),
    ranged(day('date')),
    ranged(day('due_date', { asked: ['empty'] })),
    currency('currency'),
    money('subtotal'),
    ranged(money('total')),
    ranged(money('balance')),
    money('written_off'),
    text('payment_terms'),
    text('purchase_order', { asked: ['contains'] }),
    asked('autopay'),
    choice('expected_payment_status', 'promise'),
    choice('payment_failure', 'paymentFailure'),
    time('next_payment_attempt'),
    number('attempt_count'),
    reference('subscription', 'subscriptions'),
    link('url'),
    text('notes'),
    ...dates,
  ],
  columns: ['customer', 'status', 'date', 'due_date', 'total', 'balance'],
  presets: [
    { name: 'unpaid', query: { 'filter[status][in]': UNPAID } },
    {
      name: 'due_soon',
      query: { 'filter[status][in]': UNPAID, 'filter[due_date][within]': 'next_7_days', sort: 'due_date asc' },
    },
    { name: 'past_due', query: { 'filter[status]': 'past_due' } },
    {
      name: 'payment_failed',
      query: { 'filter[payment_failure][empty]': 'false', columns: 'customer,payment_failure:400,balance' },
    },
    { name: 'drafts', query: { 'filter[status]': 'draft' } },
    { name: 'paid', query: { 'filter[status]': 'paid' } },
  ],
  expand: ['customer'],
  acts: [
    send,
    { name: 'remind', permission: 'documents.write' },
    { name: 'write_off', permission: 'corrections.write' },
    cancel,
    csv,
  ],
  related: [
    { list: 'credit_notes', query: (id) => ({ 'filter[invoice]': id }), columns: ['status', 'date', 'total'] },
    {
      list: 'notes',
      query: (id) => ({ 'filter[invoice]': id, sort: 'created_at desc' }),
      columns: ['created_at'],
    },
  ],
  example: `POST /invoices { "customer": 1, ${items} }`,
};

const estimate: Kind = {
  ...ofAccount,
  object: 'estimate',
  list: 'estimates',
  read: (api, id, params) => api.full('get', '/estimates/{id}', { id: Number(id), ...params }),
  timeline: (api, id, part) => api.full('get', '/estimates/{id}/timeline', { id: Number(id), ...part }),
  fields: [
    text('number', { sort: 'number', asked: ['equal'] }),
    text('name', { known: 'documentName' }),
    ofCustomer,
    choice('status', 'estimateStatus'),
    ranged(day('date')),
    ranged(day('expiration_date', { asked: ['empty'] })),
    currency('currency'),
    money('subtotal'),
    ranged(money('total')),
    money('deposit'),
    text('payment_terms'),
    text('purchase_order'),
    reference('invoice', 'invoices'),
    link('url'),
    text('notes'),
    ...dates,
  ],
  columns: ['customer', 'status', 'date', 'expiration_date', 'total'],
  expand: ['customer'],
  acts: [send, cancel, csv],
  related: [],
  example: `POST /estimates { "customer": 1, ${items} }`,
};

const creditNote: Kind = {
  ...ofAccount,
  object: 'credit_note',
  list: 'credit_notes',
  read: (api, id, params) => api.full('get', '/credit_notes/{id}', { id: Number(id), ...params }),
  timeline: (api, id, part) => api.full('get', '/credit_notes/{id}/timeline', { id: Number(id), ...part }),
  area: 'corrections',
  fields: [
    text('number', { sort: 'number', asked: ['equal'] }),
    text('name', { known: 'documentName' }),
    ofCustomer,
    choice('status', 'creditNoteStatus'),
    ranged(day('date')),
    currency('currency'),
    money('subtotal'),
    ranged(money('total')),
    ranged(money('balance')),
    reference('invoice', 'invoices'),
    text('reason'),
    text('purchase_order'),
    link('url'),
    text('notes'),
    ...dates,
  ],
  columns: ['customer', 'status', 'date', 'total', 'balance'],
  expand: ['customer'],
  acts: [send, cancel, { ...csv, permission: 'corrections.read' }],
  related: [],
  example: `POST /credit_notes { "customer": 1, ${items} }`,
};

const note: Kind = {
  object: 'note',
  list: 'notes',
  read: (api, id, params) => api.full('get', '/notes/{id}', { id: Number(id), ...params }),
  area: 'customers',
  title: (row) => textOf(row, 'notes'),
  fields: [text('notes'), customer, reference('invoice', 'invoices'), ...dates],
  columns: ['customer', 'created_at'],
  sort: 'created_at desc',
  searchable: false,
  expand: ['customer'],
  related: [],
  example: `POST /notes { "customer_id": 1, "notes": "Pays by the 15th" }`,
};

export const documentKinds: readonly Kind[] = [invoice, estimate, creditNote, note];
