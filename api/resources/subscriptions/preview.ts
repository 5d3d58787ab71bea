import { previewSubscription } from '../../../commands/subscriptions/previewing.ts';
import { number } from '../../../present/kernel/values.ts';
import { presentUpcomingInvoice } from '../../../present/subscriptions/upcoming.ts';
import { type Route, withBody } from '../../framework/route.ts';
import * as fields from '../../framework/shape.ts';
import { answerDryRun } from '../../writing/dryRun.ts';
import { lineOf } from '../documents/lines.ts';
import { pendingLineItem } from '../lineItems/shape.ts';
import { pricedOf, subscriptionPreview } from './schema.ts';
import { subscription } from './shape.ts';
import { previewOfSubscription } from './upcomingShape.ts';

const asked = fields.extended(subscription, 'PreviewedSubscription', {
  pending_line_items: fields.listOf(
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
