import type { z } from 'zod';
import { Refusal } from '../../../billing/refusal.ts';
import { cancellationReasons, customersChoices } from '../../../billing/subscriptions/selfService.ts';
import { type LockedSubscription, lockSubscription } from '../../../commands/aggregates/subscription.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import type { CustomersChange } from '../../../commands/subscriptions/selfService/changing.ts';
import { changeAsCustomer, previewAsCustomer } from '../../../commands/subscriptions/selfService/changing.ts';
import {
  cancelAsCustomer,
  pauseAsCustomer,
  resumeAsCustomer,
  undoAsCustomer,
} from '../../../commands/subscriptions/selfService/ending.ts';
import { offerOf } from '../../../commands/subscriptions/selfService/offering.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { presentUpcomingCreditNote, presentUpcomingInvoice } from '../../../present/documents/upcoming.ts';
import { number } from '../../../present/kernel/values.ts';
import { presentOffer } from '../../../present/subscriptions/offer.ts';
import { presentSubscription } from '../../../present/subscriptions/subscription.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { answerDryRun } from '../../writing/dryRun.ts';
import { changeRoute } from '../../writing/writeRoutes.ts';
import { upcomingCreditNote, upcomingInvoice } from '../documents/upcoming.ts';
import { quantity } from './addonFields.ts';
import { MOST_COMMENT } from './cancellation.ts';
import { subscriptions } from './resource.ts';
import { selfService } from './selfServiceShape.ts';

const path = '/subscriptions/:id/self_service';

const preview = shown.value('SelfServicePreview', 'Costs of a change by the customer; nothing is stored', {
  takes_effect: shown.choice('When the change takes effect', 'now', 'renewal'),
  proration_date: shown.timestamp('Time from which it counts; send it with the change, within an hour'),
  seen: shown.text(
    'Fingerprint of the change and of what it bills at once; a change that is sent with it is refused if its result differs',
    '3f2a9c1b5d7e8f60a1b2c3d4e5f60718',
  ),
  recurring_total: shown.money('Total of a regular bill afterwards, with taxes', 99),
  invoices: shown.listOf(upcomingInvoice, 'Invoices that the change issues at once'),
  credit_notes: shown.listOf(upcomingCreditNote, 'Credit notes that the change issues at once'),
  next_invoice: shown.nullable(shown.one(upcomingInvoice, 'First invoice afterwards; null: none is planned')),
});

const MOST_ADDONS_ASKED = 50;

const asked = {
  plan: fields.described(fields.code, 'Id of the plan; absent: it stays'),
  quantity: fields.described(quantity, 'Quantity of the plan, in units; absent: it stays'),
  addons: fields.described(
    fields.list(
      object({
        plan: fields.described(fields.code, 'Id of the plan; either this or `catalog_item` is required'),
        catalog_item: fields.described(fields.code, 'Id of the catalog item'),
        quantity: fields.described(fields.required(quantity), 'Quantity, in units; 0: none of it'),
      }),
      MOST_ADDONS_ASKED,
    ),
    'Add-ons to add, change or remove; those that are absent stay',
  ),
  proration_date: fields.described(
    fields.timestamp,
    'Time from which the change counts: `proration_date` of a preview of the last hour; absent: now; UNIX time in seconds',
  ),
};

const askedChange = object(asked);

const action = object({
  action: fields.described(
    fields.required(fields.choice('change', 'cancel', 'pause', 'resume', 'undo')),
    '`change`: plan, quantity or add-ons; `cancel`; `pause`: from the end of the period; `resume`: at once, with a period that begins then; `undo`: takes back what the customer has planned itself',
  ),
  ...asked,
  seen: fields.described(fields.text(64), 'For `change`: `seen` of the preview'),
  when: fields.described(
    fields.choice('period_end', 'now'),
    'For `cancel`: `period_end`, the default: at the end of the period or contract; `now`: at once',
  ),
  reason: fields.described(fields.choice(...cancellationReasons), 'For `cancel`: why'),
  comment: fields.described(fields.text(MOST_COMMENT), 'For `cancel`: the reason in own words'),
  resume_at: fields.described(
    fields.timestamp,
    'For `pause`: when it ends by itself, after the end of the period; absent: by request; UNIX time in seconds',
  ),
  undo: fields.described(fields.choice(...customersChoices), 'For `undo`: what to take back; required there'),
});

type Action = z.output<typeof action>;

const fieldsOf: Record<Action['action'], readonly (keyof Action)[]> = {
  change: ['plan', 'quantity', 'addons', 'proration_date', 'seen'],
  cancel: ['when', 'reason', 'comment'],
  pause: ['resume_at'],
  resume: [],
  undo: ['undo'],
};

/** Refuses fields that belong to another action. */
function refuseOthers(body: Action): void {
  const known: readonly string[] = ['action', ...fieldsOf[body.action]];
  const other = Object.entries(body).find(([name, value]) => value != null && !known.includes(name));
  if (other) throw new Refusal('parameter_invalid', `The action ${body.action} has no field ${other[0]}`, other[0]);
}

/** A change as commands take it. */
function changeOf(body: z.output<typeof askedChange>): Omit<CustomersChange, 'caller' | 'id'> {
  const addons = body.addons?.map(({ plan = null, catalog_item: item = null, quantity: asked }, index) => {
    if (Boolean(plan) === Boolean(item))
      throw new Refusal('parameter_invalid', 'An add-on has either a plan or a catalog item', `addons[${index}]`);
    return { plan, item, quantity: asked };
  });
  return {
    planCode: body.plan ?? undefined,
    quantity: body.quantity ?? undefined,
    addons,
    previewedAt: body.proration_date ?? undefined,
  };
}

async function act(
  em: EntityManager,
  { caller, id, body }: { caller: Caller; id: number; body: Action },
  now: Date,
): Promise<LockedSubscription> {
  refuseOthers(body);
  const whose = { caller, id };
  switch (body.action) {
    case 'change':
      return (await changeAsCustomer(em, { ...whose, ...changeOf(body), seen: body.seen ?? undefined }, now)).locked;
    case 'cancel': {
      const cancellation = { reason: body.reason ?? null, comment: body.comment ?? null };
      return cancelAsCustomer(em, { ...whose, when: body.when ?? 'period_end', cancellation }, now);
    }
    case 'pause':
      return pauseAsCustomer(em, { ...whose, resumeAt: body.resume_at ?? null }, now);
    case 'resume':
      return resumeAsCustomer(em, whose, now);
    case 'undo': {
      if (!body.undo) throw new Refusal('parameter_missing', 'Undo missing: name what to take back', 'undo');
      return undoAsCustomer(em, { ...whose, what: body.undo }, now);
    }
  }
}

/** What customers do themselves with their subscriptions, within the bounds that the account sets. */
export const selfServiceRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readSelfService',
    permission: 'subscriptions.read',
    summary: 'Read what the customer of a subscription can change itself',
    answer: { statusCode: 200, kind: { shape: selfService } },
    handle: (request) =>
      answerDryRun(request, async (em, caller, now) => {
        const id = pathId(request, 'Subscription');
        return presentOffer(await offerOf(em, await lockSubscription(em, { caller, id }, now)));
      }),
  },
  withBody({
    method: 'POST',
    path: `${path}/preview`,
    operationId: 'previewSelfService',
    permission: 'subscriptions.read',
    summary: 'Preview a change by the customer of a subscription, within the bounds that you set; nothing is stored',
    storesNothing: true,
    body: askedChange,
    bodyShape: preview,
    example: { quantity: 3 },
    answer: { statusCode: 200, kind: { shape: preview } },
    handle: (request, body) =>
      answerDryRun(request, async (em, caller, now) => {
        const id = pathId(request, 'Subscription');
        const { made, ...found } = await previewAsCustomer(em, { caller, id, ...changeOf(body) }, now);
        return {
          takes_effect: made.time,
          proration_date: Math.floor(found.previewedAt.getTime() / 1000),
          seen: made.seen,
          recurring_total: number(made.recurringTotal),
          invoices: found.invoices.map(({ invoice, lines }) => presentUpcomingInvoice(invoice, lines)),
          credit_notes: found.creditNotes.map(({ creditNote, lines, corrected: invoice }) =>
            presentUpcomingCreditNote(creditNote, { lines, invoice }),
          ),
          next_invoice: found.next && presentUpcomingInvoice(found.next.invoice, found.next.lines),
        };
      }),
  }),
  changeRoute({
    method: 'POST',
    path,
    operationId: 'useSelfService',
    summary: 'Change, cancel, pause or resume a subscription as its customer does, within the bounds that you set',
    resource: subscriptions,
    body: action,
    example: { action: 'cancel', when: 'period_end', reason: 'unused' },
    command: act,
    present: ({ subscription, ...sold }) => presentSubscription(subscription, sold),
  }),
];
