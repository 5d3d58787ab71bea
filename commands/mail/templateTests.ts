import { randomUUID } from 'node:crypto';
import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Email } from '../../db/schema/email.ts';
import { Member } from '../../db/schema/member.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import { asTest } from '../../present/templates/source.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { queueEmail } from './emails.ts';

/** Queues a mail that tries out a template, to the account's own address or to a member's. Refuses any other address. */
export async function sendTemplateTest(
  em: EntityManager,
  {
    caller,
    kind,
    code,
    to,
    rendered,
  }: { caller: Caller; kind: CustomTemplate; code: string | null; to: string; rendered: RenderedEmail },
  systemNow: Date,
): Promise<Email> {
  const { account } = caller;
  if (!(await isOwnAddress(em, caller, to)))
    throw new Refusal(
      'parameter_invalid',
      `Test mails go only to the address of the account or of a member: ${to}`,
      'to',
    );
  const at = { moment: accountMoment(caller, systemNow), customer: null, clockId: null };
  const mail = queueEmail(em, at, {
    template: kind,
    named: code,
    cause: `test:${randomUUID()}`,
    to: { name: account.name, email: to },
    rendered: asTest(rendered),
  });
  await em.write();
  return mail;
}

async function isOwnAddress(em: EntityManager, { account }: Caller, to: string): Promise<boolean> {
  const address = to.toLowerCase();
  if (account.email?.toLowerCase() === address) return true;
  const accountId = { $in: [account.id, ...(account.twinId ? [account.twinId] : [])] };
  return (await em.count(Member, { accountId, email: address })) > 0;
}
