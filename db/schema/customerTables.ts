import { EntitySchema } from '@mikro-orm/core';
import { Attempt } from './attempt.ts';
import { Charge } from './charge.ts';
import { Chase } from './chase.ts';
import { Contact } from './contact.ts';
import { CreditBalanceAdjustment } from './creditBalanceAdjustment.ts';
import { CreditBalanceChange } from './creditBalanceChange.ts';
import { CreditNote } from './creditNote.ts';
import { PaymentSource } from './customer.ts';
import { Email } from './email.ts';
import { Estimate } from './estimate.ts';
import { GatewayCustomer } from './gatewayCustomer.ts';
import { Invoice } from './invoice.ts';
import { LineItem } from './lineItem.ts';
import { Note } from './note.ts';
import { Payment } from './payment.ts';
import { PaymentConsent } from './paymentConsent.ts';
import { LinkPayment } from './paymentLink.ts';
import { PaymentPlan } from './paymentPlan.ts';
import { PortalLink, PortalSession } from './portal.ts';
import { Reminder, ReminderAddress } from './reminder.ts';
import { ScheduledStatement } from './scheduledStatement.ts';
import { SignUp } from './signUp.ts';
import { Subscription } from './subscription.ts';
import { Task } from './task.ts';
import { TextMessage } from './textMessage.ts';

/**
 * Tables whose rows belong to customers, in the order of deletion: rows that nothing refers to come first. Rights, merging of customers,
 * deletion with a test clock, and (for tables with `eventCount`) erasure, timelines and the audit of events are derived from this list.
 */
const entitiesByTable = {
  portal_link: PortalLink,
  portal_session: PortalSession,
  reminder: Reminder,
  scheduled_statement: ScheduledStatement,
  chase: Chase,
  email: Email,
  text_message: TextMessage,
  note: Note,
  task: Task,
  contact: Contact,
  reminder_address: ReminderAddress,
  credit_balance_change: CreditBalanceChange,
  credit_balance_adjustment: CreditBalanceAdjustment,
  sign_up: SignUp,
  link_payment: LinkPayment,
  payment_consent: PaymentConsent,
  payment: Payment,
  charge: Charge,
  attempt: Attempt,
  line_item: LineItem,
  estimate: Estimate,
  credit_note: CreditNote,
  payment_plan: PaymentPlan,
  invoice: Invoice,
  subscription: Subscription,
  payment_source: PaymentSource,
  gateway_customer: GatewayCustomer,
};

export type CustomerTable = keyof typeof entitiesByTable;

export const customerEntities = Object.values(entitiesByTable);

export const customerTables: readonly string[] = Object.keys(entitiesByTable);

/** Tables of customers' objects that have events: those that count them. */
export const subjectTables = tablesWith('eventCount');

export const tablesWithUpdatedAt = tablesWith('updatedAt');

function tablesWith(property: string): readonly string[] {
  return Object.entries(entitiesByTable)
    .filter(([, entity]) => property in (EntitySchema.REGISTRY.get(entity)?.meta.properties ?? {}))
    .map(([table]) => table);
}
