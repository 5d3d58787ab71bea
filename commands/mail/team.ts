import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Account, liveIdOf } from '../../db/schema/account.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import type { Workplace } from '../../present/kernel/links.ts';
import type { Moment } from '../kernel/caller.ts';
import { type NewEmail, queueCopies } from './emails.ts';

/**
 * Queues a mail to the team of the account, each recipient in a separate mail. The database refuses a second one for the same cause. Its
 * words name no person, because it stays when a customer is anonymized.
 */
export function queueTeamMail(
  em: EntityManager,
  moment: Moment,
  { template, cause, rendered }: Pick<NewEmail, 'template' | 'cause'> & { rendered: RenderedEmail },
): void {
  const { account } = moment.caller;
  const recipients = setting(account, 'alert_recipients').map((email) => ({ name: account.name, email }));
  queueCopies(em, { moment, customer: null, clockId: null }, { template, cause, recipients, render: () => rendered });
}

/** Where the team of an account works in the dashboard. */
export function workplaceOf(account: Account): Workplace {
  return { account: liveIdOf(account), environment: account.environment };
}
