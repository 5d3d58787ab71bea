import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { MailSender } from '../../db/schema/mailSender.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** The sender of an account's mails, with the DNS record of its key, without the key itself. */
export function presentMailSender(sender: Plain<MailSender>): Presented {
  const { id, address, domain, selector, publicKey, createdAt, updatedAt } = sender;
  return {
    id,
    object: 'mail_sender',
    address,
    domain,
    selector,
    dns_name: `${selector}._domainkey.${domain}`,
    dns_value: `v=DKIM1; k=rsa; p=${publicKey}`,
    created_at: unix(createdAt),
    updated_at: unix(updatedAt),
  };
}
