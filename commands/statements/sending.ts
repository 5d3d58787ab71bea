import type { EntityManager } from '../../db/orm.ts';
import type { Email } from '../../db/schema/email.ts';
import { statementEmail } from '../../present/emails/statement.ts';
import { statementUrl } from '../../present/kernel/links.ts';
import type { Caller } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import { readerIn } from '../mail/reader.ts';
import { recipientsOf } from '../mail/recipients.ts';
import { queueMails, recipientsFor, type Sending, templateFor } from '../mail/sending.ts';
import { mailedStatement } from './mailed.ts';
import { type AskedStatement, fixStatement, readStatement } from './reading.ts';

/**
 * Queues the mails with a statement of a customer; its PDF is made when they are sent, with the entries that are known now. Refuses what
 * `readStatement` refuses, and an empty list of recipients. Throws Missing.
 */
export async function sendStatement(
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending; asked: AskedStatement },
  systemNow: Date,
): Promise<Email[]> {
  const { caller, id, sending, asked } = input;
  const locked = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const { customer, moment } = locked;
  const { id: accountId } = caller.account;
  const wanted = { accountId, wanted: sending.template, usual: 'statement_email' as const };
  const template = await templateFor(em, 'statement', wanted);
  const recipients = await recipientsFor(sending, () => recipientsOf(em, customer));
  const owner = { account: caller.account, customer, now: moment.now };
  const statement = await readStatement(em, owner, asked);
  const { subject, message, bcc } = sending;
  const facts = {
    seller: caller.account,
    customer: readerIn(customer, template.language),
    statement,
    url: statementUrl(customer),
    subject,
    message,
  };
  const mails = queueMails(em, locked, {
    template,
    recipients,
    bcc,
    files: [],
    document: mailedStatement(id, fixStatement(owner, asked)),
    render: (to) => statementEmail({ ...facts, to, links: [] }),
  });
  await em.write();
  return mails;
}
