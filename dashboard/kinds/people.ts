import {
  asked,
  choice,
  code,
  currency,
  customer,
  dates,
  day,
  type Kind,
  type Mark,
  member,
  money,
  owed,
  type Row,
  ranged,
  reference,
  text,
  textOf,
} from './kind.ts';

/** Whether another customer has taken over everything of this one. */
export const isMerged = ({ merged_into: other = null }: Row): boolean => other !== null;

function marksOf(row: Row): Mark[] {
  if (isMerged(row)) return ['merged'];
  return [
    ...(row.active === false ? ['inactive' as const] : []),
    ...(row.credit_hold === true ? ['onHold' as const] : []),
  ];
}

const customers: Kind = {
  object: 'customer',
  list: 'customers',
  read: (api, id, params) => api.full('get', '/customers/{id}', { id: Number(id), ...params }),
  timeline: (api, id, part) => api.full('get', '/customers/{id}/timeline', { id: Number(id), ...part }),
  area: 'customers',
  title: (row) => textOf(row, 'name'),
  marks: marksOf,
  isOver: isMerged,
  fields: [
    text('name', { sort: 'name', asked: ['contains'] }),
    text('number', { sort: 'number', asked: ['equal'] }),
    text('email', { pixels: 190, sort: 'email', asked: ['equal', 'contains'] }),
    owed(money('balance')),
    owed(money('overdue')),
    owed(day('oldest_due_date')),
    text('phone'),
    text('attention_to'),
    text('address'),
    asked('active'),
    choice('type', 'customerType'),
    currency('currency'),
    text('country', { asked: ['equal'] }),
    text('language'),
    text('payment_terms'),
    asked('autopay'),
    text('payment_source'),
    asked('credit_hold'),
    money('credit_limit'),
    asked('chase'),
    text('chasing_cadence'),
    member('owner'),
    text('tax_id'),
    reference('parent_customer', 'customers'),
    reference('merged_into', 'customers'),
    text('test_clock'),
    text('notes'),
    ...dates,
  ],
  include: 'balances',
  columns: ['number', 'email', 'balance', 'overdue', 'oldest_due_date'],
  presets: [
    { name: 'owing', query: { 'filter[balance][gt]': '0', sort: 'balance desc' } },
    { name: 'overdue', query: { 'filter[overdue][gt]': '0', sort: 'overdue desc' } },
    { name: 'on_hold', query: { 'filter[credit_hold]': 'true' } },
  ],
  sort: 'name asc',
  searchable: true,
  expand: ['parent_customer', 'merged_into'],
  acts: [
    { name: 'assign', permission: 'customers.write' },
    { name: 'statement', permission: 'customers.write' },
    { name: 'csv', permission: 'customers.read' },
  ],
  related: [
    {
      list: 'invoices',
      query: (id) => ({ 'filter[customer]': id, sort: 'date desc' }),
      columns: ['status', 'date', 'due_date', 'total', 'balance'],
    },
    {
      list: 'payments',
      query: (id) => ({ 'filter[customer]': id, sort: 'date desc' }),
      columns: ['date', 'method', 'amount', 'balance'],
    },
    {
      list: 'subscriptions',
      query: (id) => ({ 'filter[customer]': id, sort: 'id desc' }),
      columns: ['status', 'plan', 'quantity', 'period_end'],
    },
    {
      list: 'credit_notes',
      query: (id) => ({ 'filter[customer]': id, sort: 'date desc' }),
      columns: ['status', 'date', 'total', 'balance'],
    },
    {
      list: 'estimates',
      query: (id) => ({ 'filter[customer]': id, sort: 'date desc' }),
      columns: ['status', 'date', 'total'],
    },
    {
      list: 'disputes',
      query: (id) => ({ 'filter[customer]': id, sort: 'created_at desc' }),
      columns: ['status', 'amount', 'reason', 'evidence_due_at'],
    },
    {
      list: 'emails',
      query: (id) => ({ 'filter[customer]': id, sort: 'created_at desc' }),
      columns: ['email', 'state', 'created_at'],
    },
  ],
  example: `POST /customers { "name": "Ann", "email": "ann@example.com" }`,
};

const task: Kind = {
  object: 'task',
  list: 'tasks',
  read: (api, id, params) => api.full('get', '/tasks/{id}', { id: Number(id), ...params }),
  area: 'collections',
  title: (row) => textOf(row, 'name'),
  fields: [
    text('name', { sort: 'name' }),
    customer,
    choice('action', 'taskAction'),
    ranged(day('due_date')),
    asked('complete'),
    asked('held'),
    text('outcome'),
    ...dates,
  ],
  columns: ['customer', 'action', 'due_date', 'complete'],
  sort: 'due_date asc',
  opening: { 'filter[complete]': 'false' },
  presets: [
    { name: 'to_do', query: { 'filter[complete]': 'false' } },
    { name: 'due_now', query: { 'filter[complete]': 'false', 'filter[due_date][within]': 'through_today' } },
    { name: 'done', query: { 'filter[complete]': 'true' } },
  ],
  searchable: true,
  expand: ['customer'],
  related: [],
  example: `POST /tasks { "name": "Call Ann", "action": "phone", "customer_id": 1, "due_date": 1790000000 }`,
};

const email: Kind = {
  object: 'email',
  list: 'emails',
  read: (api, id, params) => api.full('get', '/emails/{id}', { id: Number(id), ...params }),
  area: 'documents',
  title: (row) => textOf(row, 'subject'),
  fields: [
    text('subject'),
    code('email', { sort: 'email' }),
    customer,
    choice('state', 'emailState'),
    code('template', { known: 'emailTemplate' }),
    ...dates,
  ],
  columns: ['email', 'state', 'template', 'created_at'],
  sort: 'created_at desc',
  searchable: false,
  expand: ['customer'],
  status: 'state',
  related: [],
  example: 'POST /invoices/1/emails',
};

export const peopleKinds: readonly Kind[] = [customers, task, email];
