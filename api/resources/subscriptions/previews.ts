import { type LockedSubscription, lockSubscription } from '../../../commands/aggregates/subscription.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type Foreseen, type Foresight, foresee } from '../../../commands/subscriptions/changes/foresight.ts';
import { previewSubscription } from '../../../commands/subscriptions/changes/previewing.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { presentUpcomingCreditNote, presentUpcomingInvoice } from '../../../present/documents/upcoming.ts';
import { number } from '../../../present/kernel/values.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { readParameter } from '../../framework/resource.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { inTurn } from '../../limits/foreseeing.ts';
import { answerDryRun, type DryRun, type Tried } from '../../writing/dryRun.ts';
import { lineOf } from '../documents/fields.ts';
import { upcomingCreditNote, upcomingInvoice } from '../documents/upcoming.ts';
import { pendingLineItem } from '../lineItems/resource.ts';
import { pricedOf, subscriptionPreview } from './schema.ts';
import { subscription } from './shape.ts';

const upcomingSubscription = shown.extended(subscription, 'UpcomingSubscription', {
  id: shown.nullable(shown.id('Id of the subscription; null: it does not exist yet', 12)),
});

const asOf = shown.timestamp(
  'Time for which it is foreseen, by the test clock of the customer if it has one: documents dated after it are yet to come. `proration_date` of a change that is to cost what its dry run with the same `proration_date` shows',
);

const subscriptionDryRun = shown.value(
  'SubscriptionDryRun',
  'Subscription after a change, and the documents that would follow; nothing is stored',
  {
    subscription: shown.one(upcomingSubscription, 'Subscription as the request would answer it'),
    invoices: shown.listOf(
      upcomingInvoice,
      'Next invoices, each with its date; fewer than asked for if the subscription ends or waits for a request, and after 10,000 lines',
    ),
    credit_notes: shown.listOf(
      upcomingCreditNote,
      'Credit notes for amounts in favour of the customer, by the change and by these invoices',
    ),
    as_of: asOf,
  },
);

const upcomingInvoices = shown.value(
  'UpcomingInvoices',
  'The next invoices of a subscription as it stands; nothing is stored',
  {
    invoices: shown.listOf(
      upcomingInvoice,
      'Next invoices, each with its date; fewer than asked for if the subscription ends or waits for a request, and after 10,000 lines',
    ),
    credit_notes: shown.listOf(
      upcomingCreditNote,
      'Credit notes for amounts in favour of the customer, by these invoices',
    ),
    as_of: asOf,
  },
);

const previewOfSubscription = shown.value(
  'SubscriptionPreview',
  'Price of a subscription that would start now; nothing is stored',
  {
    first_invoice: shown.one(upcomingInvoice, 'First invoice, without dates'),
    mrr: shown.money(
      'Monthly recurring revenue: a regular bill per month, without taxes, less coupons without an end',
      49,
    ),
    recurring_total: shown.money('Total of a regular bill, with taxes', 49),
  },
);

const kind = { shape: subscriptionDryRun };

/** Dry runs of changes of a subscription: its next invoices after the change. */
export const dryRunOfChange: DryRun<{ caller: Caller; id: number }, LockedSubscription> = {
  kind,
  answer: (em, tried, now) => foreseen(em, { ...tried, of: { id: tried.input.id } }, now),
};

/** Dry run of the creation of a subscription. Answers the subscription, its first invoices and credit notes. */
export const dryRunOfCreation: DryRun<{ caller: Caller; body: { customer: number } }, LockedSubscription> = {
  kind,
  answer: (em, tried, now) => foreseen(em, { ...tried, of: { customerId: tried.input.body.customer } }, now),
};

type Foreseeing = Tried<{ caller: Caller }, LockedSubscription> & Pick<Foresight<unknown>, 'of'>;

async function foreseen(em: EntityManager, { input, count, of, change }: Foreseeing, now: Date) {
  const isNew = 'customerId' in of; // then the subscription has an id only in this transaction
  const changed = async () => {
    const { result: locked, shown } = await change();
    return { locked, shown: isNew ? { ...shown, id: null, url: null } : shown };
  };
  const asked = { caller: input.caller, of, count, change: changed };
  const found = await foresee(em, asked, now);
  const { invoices, ...others } = await presentForeseen(found);
  return {
    subscription: found.shown,
    invoices: isNew ? invoices.map((invoice) => ({ ...invoice, subscription: null })) : invoices,
    ...others,
  };
}

async function presentForeseen({ invoices, creditNotes, asOf: at }: Foreseen<unknown>) {
  return {
    invoices: await mapBreathing(invoices, ({ invoice, lines }) => presentUpcomingInvoice(invoice, lines)),
    credit_notes: creditNotes.map(({ creditNote, lines, corrected: invoice }) => {
      return presentUpcomingCreditNote(creditNote, { lines, invoice });
    }),
    as_of: Math.floor(at.getTime() / 1000),
  };
}

/** Fewer than of a dry run, because who may only read can ask for them. */
const MOST_UPCOMING = 12;

const count = fields.described(fields.wholeNumber(1, MOST_UPCOMING), 'Number of invoices to foresee; default: 1', 12);

/** A route that foresees the next invoices of a subscription to which nothing happens. */
export const upcomingInvoicesRoute: Route = {
  method: 'GET',
  path: '/subscriptions/:id/upcoming_invoices',
  operationId: 'readUpcomingInvoices',
  permission: 'subscriptions.read',
  summary: 'Foresee the next invoices of a subscription, by the steps that bill it; nothing is stored',
  parameters: { count: { schema: schemaOf(count) } },
  answer: { statusCode: 200, kind: { shape: upcomingInvoices } },
  handle: (request) => {
    const id = pathId(request, 'Subscription');
    const text = request.query.get('count') ?? '';
    const wanted = text === '' ? 1 : readParameter(count, text, 'count');
    const answer = () =>
      answerDryRun(request, async (em, caller, now) => {
        const change = async () => ({ locked: await lockSubscription(em, { caller, id }, now), shown: null });
        return presentForeseen(await foresee(em, { caller, of: { id }, count: wanted, change }, now));
      });
    return inTurn(request.caller.account.id, answer);
  },
};

const asked = shown.extended(subscription, 'PreviewedSubscription', {
  pending_line_items: shown.listOf(
    pendingLineItem,
    'Lines for the first invoice, in the currency of the plan, in addition to the pending lines of the customer',
  ),
});

/** The fields of a previewed invoice that depend on the day of the real one, or on objects that do not exist. */
const undecided = {
  subscription: null,
  date: null,
  due_date: null,
  next_payment_attempt: null,
  created_at: null,
  updated_at: null,
};

/** A route that tells the price of a new subscription. */
export const previewRoute: Route = withBody({
  method: 'POST',
  path: '/subscriptions/preview',
  operationId: 'previewSubscription',
  permission: 'subscriptions.read',
  summary: 'Preview the first invoice and the price of a subscription; nothing is stored',
  storesNothing: true,
  body: subscriptionPreview,
  bodyShape: asked,
  example: { plan: 'gold', quantity: 2, pending_line_items: [{ name: 'Setup', unit_cost: 50 }] },
  answer: { statusCode: 200, kind: { shape: previewOfSubscription } },
  handle: (request, body) =>
    answerDryRun(request, async (em, caller, now) => {
      const { customer = null, pending_line_items: lines } = body;
      const pendingLines = (lines ?? []).map((line) => ({ line: lineOf(line), currency: line.currency ?? null }));
      const preview = { caller, ...pricedOf(body), customerId: customer, pendingLines };
      const { first, mrr, recurringTotal } = await previewSubscription(em, preview, now);
      const invoice = presentUpcomingInvoice(first.invoice, first.lines);
      return {
        first_invoice: { ...invoice, ...undecided, customer },
        mrr: number(mrr),
        recurring_total: number(recurringTotal),
      };
    }),
});
