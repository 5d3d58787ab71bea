import {
  asked,
  choice,
  code,
  currency,
  dates,
  day,
  flag,
  type Kind,
  link,
  type Mark,
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

const COLUMNS = 'customer,status,quantity,recurring_total';

/** What a biller has to know about a subscription before anything else. */
function marksOf(row: Row): Mark[] {
  if (row.status === 'canceled' || row.status === 'finished') return [];
  const marks = {
    paused: 'paused',
    pausing: 'pause_at_period_end',
    ending: 'cancel_at_period_end',
    waiting: 'pending_renewal',
  } as const;
  return (['paused', 'pausing', 'ending', 'waiting'] as const).filter((mark) => row[marks[mark]] === true);
}

const subscription: Kind = {
  object: 'subscription',
  list: 'subscriptions',
  read: (api, id, params) => api.full('get', '/subscriptions/{id}', { id: Number(id), ...params }),
  timeline: (api, id, part) => api.full('get', '/subscriptions/{id}/timeline', { id: Number(id), ...part }),
  area: 'subscriptions',
  title: (row) => {
    const { plan } = row;
    return typeof plan === 'object' && plan !== null ? textOf({ ...plan }, 'name') : textOf(row, 'plan');
  },
  fields: [
    reference('plan', 'plans', { asked: ['equal'] }),
    ofCustomer,
    choice('status', 'subscriptionStatus'),
    number('quantity'),
    money('recurring_total'),
    { ...money('mrr'), sort: 'mrr', asked: ['range'], pixels: 190 },
    day('start_date'),
    ranged(day('period_end')),
    ranged(day('trial_end')),
    ranged(day('contract_period_end')),
    asked('cancel_at_period_end'),
    day('canceled_at'),
    asked('paused'),
    link('url'),
    ...dates,
  ],
  columns: ['customer', 'status', 'quantity', 'recurring_total', 'mrr', 'period_end'],
  marks: marksOf,
  presets: [
    {
      name: 'renewing',
      query: {
        'filter[status]': 'active',
        'filter[cancel_at_period_end]': 'false',
        'filter[period_end][within]': 'next_7_days',
        sort: 'period_end asc',
      },
    },
    { name: 'past_due', query: { 'filter[status]': 'past_due', sort: 'period_end asc' } },
    {
      name: 'in_trial',
      query: { 'filter[trial_end][within]': 'from_today', sort: 'trial_end asc', columns: `${COLUMNS},trial_end` },
    },
    { name: 'paused', query: { 'filter[paused]': 'true' } },
    { name: 'ending', query: { 'filter[cancel_at_period_end]': 'true', sort: 'period_end asc' } },
    {
      name: 'contract_ending',
      query: {
        'filter[contract_period_end][within]': 'next_30_days',
        sort: 'contract_period_end asc',
        columns: `${COLUMNS},contract_period_end`,
      },
    },
  ],
  sort: 'created_at desc',
  searchable: false,
  expand: ['customer', 'plan', 'addons.plan', 'addons.catalog_item'],
  status: 'status',
  amount: 'recurring_total',
  acts: [{ name: 'csv', permission: 'subscriptions.read' }],
  related: [
    {
      list: 'invoices',
      query: (id) => ({ 'filter[subscription]': id, sort: 'date desc' }),
      columns: ['status', 'date', 'due_date', 'total', 'balance'],
    },
  ],
  example: `POST /subscriptions { "customer": 1, "plan": "gold" }`,
};

const catalog = {
  area: 'catalog',
  title: (row) => textOf(row, 'name'),
  sort: 'name asc',
  searchable: true,
  expand: [],
  related: [],
} satisfies Partial<Kind>;

const named = text('name', { sort: 'name' });

const item: Kind = {
  ...catalog,
  object: 'item',
  list: 'items',
  read: (api, id, params) => api.full('get', '/items/{id}', { id, ...params }),
  fields: [
    named,
    code('id'),
    text('description'),
    code('type'),
    currency('currency'),
    money('unit_cost'),
    code('gl_account'),
    ...dates,
  ],
  columns: ['id', 'unit_cost', 'type', 'created_at'],
  example: `POST /items { "id": "consulting", "name": "Consulting", "unit_cost": 100 }`,
};

const plan: Kind = {
  ...catalog,
  object: 'plan',
  list: 'plans',
  read: (api, id, params) => api.full('get', '/plans/{id}', { id, ...params }),
  fields: [
    named,
    code('id'),
    currency('currency'),
    money('amount'),
    choice('interval', 'interval'),
    choice('pricing_mode', 'pricingMode'),
    ...dates,
  ],
  columns: ['id', 'amount', 'interval', 'pricing_mode'],
  related: [
    {
      list: 'subscriptions',
      query: (id) => ({ 'filter[plan]': id }),
      columns: ['customer', 'status', 'quantity', 'period_end'],
    },
  ],
  example: `POST /plans { "id": "gold", "name": "Gold", "amount": 49, "interval": "month" }`,
};

const coupon: Kind = {
  ...catalog,
  object: 'coupon',
  list: 'coupons',
  read: (api, id, params) => api.full('get', '/coupons/{id}', { id, ...params }),
  fields: [
    named,
    code('id'),
    number('value'),
    asked('is_percent'),
    currency('currency'),
    day('expiration_date'),
    ...dates,
  ],
  columns: ['id', 'value', 'is_percent', 'expiration_date'],
  example: `POST /coupons { "id": "welcome", "name": "Welcome", "value": 10 }`,
};

const paymentLink: Kind = {
  ...catalog,
  object: 'payment_link',
  list: 'payment_links',
  read: (api, id, params) => api.full('get', '/payment_links/{id}', { id: Number(id), ...params }),
  fields: [named, text('description'), flag('enabled'), text('currency'), money('amount'), link('url'), ...dates],
  columns: ['amount', 'enabled', 'url'],
  example: `POST /payment_links { "name": "Deposit", "amount": 100 }`,
};

const signUpPage: Kind = {
  ...catalog,
  object: 'sign_up_page',
  list: 'sign_up_pages',
  read: (api, id, params) => api.full('get', '/sign_up_pages/{id}', { id: Number(id), ...params }),
  fields: [named, text('description'), flag('enabled'), link('url'), ...dates],
  columns: ['enabled', 'url'],
  example: `POST /sign_up_pages { "name": "Gold", "plans": ["gold"] }`,
};

const event: Kind = {
  object: 'event',
  list: 'events',
  read: (api, id, params) => api.full('get', '/events/{id}', { id: Number(id), ...params }),
  area: 'developers',
  title: (row) => textOf(row, 'type'),
  fields: [code('type'), time('timestamp')],
  columns: ['timestamp'],
  sort: '',
  searchable: false,
  expand: [],
  related: [],
  example: 'GET /events',
};

export const salesKinds: readonly Kind[] = [subscription, item, plan, coupon, paymentLink, signUpPage, event];
