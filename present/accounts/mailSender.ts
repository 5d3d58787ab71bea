import { recordName, recordValue, stateOf } from '../../billing/senderProof.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { MailSender } from '../../db/schema/mailSender.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** The sender of an account's mails, with the DNS record of its key, without the key itself. */
export function presentMailSender(sender: Plain<MailSender>): Presented {
  const { id, address, domain, selector, createdAt, updatedAt } = sender;
  return {
    id,
    object: 'mail_sender',
    address,
    domain,
    selector,
    dns_name: recordName(sender),
    dns_value: recordValue(sender),
    state: stateOf(sender),
    finding: orNull(sender.finding),
    checked_at: unixOrNull(sender.lookedAt),
    next_check_at: unix(sender.nextLookAt),
    created_at: unix(createdAt),
    updated_at: unix(updatedAt),
  };
}
