import type { EntityManager } from '../../db/orm.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { paymentPlanEmail } from '../../present/emails/paymentPlan.ts';
import { approvalUrl, payUrlOf } from '../../present/kernel/links.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { linkToSources } from '../kernel/pageLinks.ts';
import { queueCopies } from '../mail/emails.ts';
import { recipientsOf } from '../mail/recipients.ts';

/**
 * Queues the mail that tells the customer of a locked invoice the installments of its plan and what they have to do. Call it after the event
 * of the plan is recorded: there is one mail per event. `isChanged`: the plan had other installments before.
 */
export async function mailPlan(
  em: EntityManager,
  locked: LockedCustomer & { invoice: Invoice },
  { plan, isChanged }: { plan: PaymentPlan; isChanged: boolean },
): Promise<void> {
  const { invoice, customer, moment } = locked;
  const links = { pay: payUrlOf(invoice), approve: approvalUrl(plan), source: linkToSources(customer) };
  const facts = { seller: moment.caller.account, customer, invoice, plan, isChanged, links, now: moment.now };
  queueCopies(em, locked, {
    template: 'payment_plan_email',
    cause: `payment_plan:${plan.id}:${plan.eventCount}`,
    recipients: await recipientsOf(em, customer),
    render: (to) => paymentPlanEmail({ ...facts, to }),
  });
}
