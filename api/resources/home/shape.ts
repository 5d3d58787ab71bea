import { paymentFailureCodes } from '../../../billing/payments/declines.ts';
import { waitingKinds } from '../../../db/queries/reports/desk.ts';
import { aheadKinds } from '../../../db/queries/reports/weekAhead.ts';
import * as shown from '../../framework/shape.ts';

const DAY = '2027-03-31';

const link = shown.value('HomeLink', 'Request that lists what a number counts', {
  path: shown.text('Path of the list or report', '/reports/open_items'),
  query: shown.record('Parameters as texts', { currency: 'usd', bucket: 'days_1_30' }),
});
const linked = shown.one(link, 'Request that lists what the number counts');
const asOf = shown.timestamp('Time at which the part was read: at most a minute ago, if reading it takes long');

const received = shown.value('HomeReceived', 'Money of a range of days in a currency', {
  currency: shown.currency(),
  received: shown.money('Money that came in', 1200),
  returned: shown.money('Money that was refunded or returned', 200),
  net: shown.money('Received less returned, before fees of gateways; negative: more went back', 1000),
  link: linked,
});
const moneyOfDays = shown.value('HomeMoneyOfDays', 'Money of a range of days', {
  start: shown.text('First local day', '2027-03-01'),
  end: shown.text('Last local day', DAY),
  sums: shown.listOf(received, 'Sums by currency, as in the report `cash_received`'),
  link: linked,
});
const money = shown.value('HomeMoney', 'Money of this month and the last one', {
  as_of: asOf,
  this_month: shown.one(moneyOfDays, 'From the first day of the month to today'),
  last_month_to_date: shown.one(moneyOfDays, 'The last month up to the same day, or its last day'),
  last_month: shown.one(moneyOfDays, 'The whole last month'),
});

const bucket = shown.value('HomeBucket', 'Open amount of an age', {
  id: shown.text('Id of the bucket, as in the report `aging`', 'days_1_30'),
  title: shown.text('Title of the bucket', '1-30 days'),
  amount: shown.money('Open amount', 240),
  link: linked,
});
const openOf = shown.value('HomeOpenOfCurrency', 'Open invoices of a currency', {
  currency: shown.currency(),
  count: shown.integer('Number of open invoices', 3),
  total: shown.money('Sum of their balances', 560),
  overdue: shown.money('Part of it that is past its due day', 240),
  buckets: shown.listOf(bucket, 'The total by local days since the due date, each day in one bucket'),
  link: linked,
});
const open = shown.value('HomeOpen', 'Open invoices by age', {
  as_of: asOf,
  currencies: shown.listOf(openOf, 'By currency, as in the report `aging` of today'),
});

const revenueOf = shown.value('HomeRevenueOfCurrency', 'Monthly recurring revenue in a currency', {
  currency: shown.currency(),
  month_ago: shown.money('Revenue at the end of the same day of the last month', 900),
  now: shown.money('Revenue now', 1000),
  new: shown.money('Revenue of new customers', 150),
  reactivation: shown.money('Revenue of customers who came back', 0),
  expansion: shown.money('More of customers who stayed', 0),
  contraction: shown.money('Less of customers who stayed, negative', -50),
  churn: shown.money('Lost revenue of customers who left, negative', 0),
  link: linked,
});
const mrr = shown.value('HomeRevenue', 'Monthly recurring revenue and its movement in a month', {
  as_of: asOf,
  start: shown.text('First local day of the movements', '2027-03-01'),
  end: shown.text('Last local day of the movements, today', DAY),
  currencies: shown.listOf(revenueOf, 'By currency, as in the report `mrr`'),
});

const sum = shown.value('HomeSum', 'Documents of a currency', {
  currency: shown.currency(),
  count: shown.integer('Number of documents', 2),
  amount: shown.money('Sum of their amounts', 80),
});
const retried = shown.value('HomeRetry', 'Invoice whose payment failed and is tried again', {
  invoice: shown.id('Id of the invoice', 77),
  number: shown.nullable(shown.text('Number of the invoice', 'INV-00077')),
  customer: shown.id('Id of the customer', 15),
  customer_name: shown.text('Name of the customer', 'Acme'),
  currency: shown.currency(),
  amount: shown.money('Open balance', 40),
  code: shown.oneOf('Reason of the failure, by its code', 'insufficient_funds', Object.keys(paymentFailureCodes)),
  message: shown.nullable(shown.text('Words of the gateway, for people', 'Your card has insufficient funds.')),
  next_attempt: shown.timestamp('Time of the next attempt'),
});
const retrying = shown.value('HomeRetrying', 'Failed payments that are tried again', {
  as_of: asOf,
  count: shown.integer('Number of invoices', 2),
  sums: shown.listOf(sum, 'Their balances by currency'),
  invoices: shown.listOf(retried, 'Those with the next attempts, at most five'),
  link: linked,
});

const waiting = shown.value('HomeWaiting', 'Work of one kind that waits for a person', {
  kind: shown.oneOf(
    '`problems`: steps that processes cannot take, with the money at risk; `disputes`: open ones; `held_bills`: drafts that may not be issued, each also a problem; `tasks`: due today or before; `unapplied_payments`: money that pays nothing yet',
    'problems',
    waitingKinds,
  ),
  count: shown.integer('Number of objects', 2),
  sums: shown.listOf(sum, 'Those with an amount, by currency'),
  first_at: shown.nullable(
    shown.timestamp(
      'Earliest end of evidence of disputes, earliest due date of tasks; for other kinds the time since which the first one waits',
    ),
  ),
  link: linked,
});
const needs = shown.value('HomeNeeds', 'Work that waits for a person', {
  as_of: asOf,
  items: shown.listOf(waiting, 'Kinds of which there is something and that you may read'),
});

const ahead = shown.value('HomeAhead', 'Events of one kind on a day', {
  day: shown.text('Local day', DAY),
  kind: shown.oneOf(
    '`renewals`: subscriptions that are billed; `charges`: attempts to charge invoices; `installments` and `due`: parts of payment plans and invoices that fall due; `promises`: invoices whose payment is promised; `evidence`: disputes whose evidence is due; `tasks`: open ones that are due; `mails`: reminders, statements and notices',
    'charges',
    aheadKinds,
  ),
  count: shown.integer('Number of objects', 2),
  sums: shown.listOf(sum, 'Amounts by currency; renewals, tasks and mails have none'),
  link: shown.nullable(linked),
});
const week = shown.value('HomeWeek', 'Events of the next seven days, today included, if nothing changes until then', {
  as_of: asOf,
  items: shown.listOf(
    ahead,
    'By day and kind, those that you may read. Invoices, subscriptions and mails of customers on test clocks are left out',
  ),
});

const step = shown.value('HomeStep', 'Step with which an account goes live', {
  step: shown.choice(
    '`business`: email, address and country are set; `tax`: there is a tax rate, or a note that a small business charges none; `gateway`: a merchant account is connected; `mail_sender`: the key of the sender is in the DNS; `first_invoice`: one is issued; `colleague`: a second member is invited',
    'business',
    'tax',
    'gateway',
    'mail_sender',
    'first_invoice',
    'colleague',
  ),
  done: shown.flag('Whether it is done, from what the account has now', true),
  link: linked,
});
const goLive = shown.value('HomeGoLive', 'Steps with which an account goes live', {
  as_of: asOf,
  done: shown.flag('Whether all steps are done', false),
  steps: shown.listOf(step, 'Steps in order'),
});

const part = (of: shown.ObjectShape, permission: string) =>
  shown.nullable(
    shown.one(of, `${of.description}; null: you may not read it (\`${permission}\`), or it is \`incomplete\``),
  );

/** Home of the dashboard. */
export const home = shown.value(
  'HomeNumbers',
  'Numbers of an account for the people who work in it, each with its documents',
  {
    as_of: shown.timestamp('Time of the request'),
    today: shown.text('Local day', DAY),
    zone: shown.text('Time zone of the days, that of the account', 'America/Chicago'),
    money: part(money, 'reports.read'),
    open: part(open, 'reports.read'),
    mrr: part(mrr, 'reports.read'),
    retrying: part(retrying, 'documents.read'),
    needs_a_person: shown.nullable(shown.one(needs, `${needs.description}; null: it is \`incomplete\``)),
    next_seven_days: shown.nullable(shown.one(week, `${week.description}; null: it is \`incomplete\``)),
    go_live: part(goLive, 'settings.read'),
    incomplete: shown.textList('Parts that took too long to read'),
  },
);
