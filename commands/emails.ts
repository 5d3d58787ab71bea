import { randomUUID } from 'node:crypto';
import type { EntityManager } from '../db/orm.ts';
import type { Customer } from '../db/schema/customer.ts';
import { Email } from '../db/schema/email.ts';
import { Outbox } from '../db/schema/outbox.ts';
import type { RenderedEmail } from '../present/emails/layout.ts';
import type { Moment } from './record.ts';

export interface NewEmail {
  template: 'payment_receipt_email' | 'auto_payment_failed_email' | 'webhook_disabled_email';
  /** What it is about: the database refuses a second email of one template for one cause. */
  cause: string;
  to: string;
  rendered: RenderedEmail;
}

/** How long a mail server may go on refusing for now. */
const GIVE_UP_AFTER_MILLISECONDS = 48 * 3_600_000;

/** Who an email is to be sent to and when: a customer, or with null the account's own people. */
export interface EmailMoment {
  moment: Moment;
  customer: Customer | null;
  clockId: number | null;
}

/** Puts an email in the queue, with its outbox row; the pump sends it. */
export function queueEmail(em: EntityManager, at: EmailMoment, email: NewEmail): void {
  const { now, systemNow, caller } = at.moment;
  const accountId = caller.account.id;
  em.create(Email, {
    accountId,
    customer: at.customer,
    clockId: at.clockId,
    template: email.template,
    cause: email.cause,
    toName: at.customer?.name ?? caller.account.name,
    toAddress: email.to,
    ...email.rendered,
    messageId: `<${randomUUID()}@perennial>`,
    state: 'queued',
    nextAttemptAt: systemNow,
    giveUpAt: new Date(systemNow.getTime() + GIVE_UP_AFTER_MILLISECONDS),
    createdAt: now,
    updatedAt: now,
  });
  em.create(Outbox, { accountId, topic: 'mail', subjectId: accountId, shard: 0, dueAt: systemNow });
}

/** Where a customer's mail goes; null: it has no address. */
export function recipientOf(customer: Customer, wanted: string | null | undefined): string | null {
  return wanted ?? customer.email ?? null;
}
