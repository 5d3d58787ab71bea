import { addressKey, type SuppressionReason } from '../../billing/mail/mailEvents.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { systemCaller } from '../kernel/caller.ts';
import { reportOfAccount } from '../mail/problemMails.ts';
import { SUPPRESSED_BECAUSE } from './suppressions.ts';

/**
 * Records a problem if a suppressed address is one of the team, and mails it to the others of the team. It names no address, because the
 * problem stays when a customer with the same address is anonymized.
 */
export async function tellOfTeamAddress(
  em: EntityManager,
  { accountId, id, address, reason }: { accountId: number; id: number; address: string; reason: SuppressionReason },
  systemNow: Date,
): Promise<void> {
  const { account } = await systemCaller(em, accountId);
  if (!setting(account, 'alert_recipients').map(addressKey).includes(addressKey(address))) return;
  const message = `An address of alert_recipients gets no mail any more: ${SUPPRESSED_BECAUSE[reason]}. Suppression ${id} shows it`;
  const problem = { accountId, subjectType: 'suppression', subjectId: id, step: 'mail to the team', message };
  await reportOfAccount(em, problem, systemNow);
}
