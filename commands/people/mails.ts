import type { EmailTemplate } from '../../billing/mail/emailTemplates.ts';
import type { EntityManager } from '../../db/orm.ts';
import { deploymentAccount } from '../../db/queries/accounts/people.ts';
import type { Person } from '../../db/schema/person.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import { emailCodeEmail, passwordResetEmail, personChangedEmail, signUpEmail } from '../../present/emails/people.ts';
import { absolute } from '../../present/kernel/links.ts';
import { accountMoment, systemCallerOf } from '../kernel/caller.ts';
import { randomText } from '../kernel/secrets.ts';
import { queueEmail } from '../mail/emails.ts';

/**
 * Queues a mail to a person. It belongs to the deployment (account 0) and not to an account: its links sign somebody in, so no member may
 * read it among the mails of an account.
 */
function queuePersonMail(
  em: EntityManager,
  { email, template, rendered }: { email: string; template: EmailTemplate; rendered: RenderedEmail },
  now: Date,
): void {
  const moment = accountMoment(systemCallerOf(deploymentAccount(em)), now);
  const to = { name: email, email };
  queueEmail(em, { moment, customer: null, clockId: null }, { template, cause: randomText(20), to, rendered });
}

/** Sends the link to set a new password. */
export function mailReset(em: EntityManager, { email, secret }: { email: string; secret: string }, now: Date): void {
  const rendered = passwordResetEmail({ seller: deploymentAccount(em), href: absolute(`/reset/${secret}`) });
  queuePersonMail(em, { email, template: 'password_reset_email', rendered }, now);
}

/** Sends the link that opens an account. */
export function mailSignUp(em: EntityManager, { email, secret }: { email: string; secret: string }, now: Date): void {
  const rendered = signUpEmail({ seller: deploymentAccount(em), href: absolute(`/sign_up/${secret}`) });
  queuePersonMail(em, { email, template: 'sign_up_email', rendered }, now);
}

/** Address of the page on which an invitation is accepted. */
export const invitationUrl = (secret: string): string => absolute(`/invitations/${secret}`);

/** Sends a code that proves the address. */
export function mailCode(
  em: EntityManager,
  { email, code, account }: { email: string; code: string; account: string },
  now: Date,
): void {
  const rendered = emailCodeEmail({ seller: deploymentAccount(em), code, account });
  queuePersonMail(em, { email, template: 'email_code_email', rendered }, now);
}

/** Tells a person that something about its sign-in has changed. `from`: the browser, or who did it. */
export function tellPerson(
  em: EntityManager,
  { person, what, from }: { person: Pick<Person, 'email'>; what: string; from: string },
  now: Date,
): void {
  const rendered = personChangedEmail({ seller: deploymentAccount(em), what, from });
  queuePersonMail(em, { email: person.email, template: 'person_changed_email', rendered }, now);
}
