import { staysSuppressed } from '../../billing/mailEvents.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { UncheckedSuppression } from '../../db/queries/bounces/unchecked.ts';
import type { Suppression } from '../../db/schema/suppression.ts';
import { systemCaller } from '../kernel/caller.ts';
import { allowAddress } from './suppressions.ts';

/** Whether a status code that is not about the address stopped mail to it, by the rule of an earlier version. */
export function isWronglySuppressed({ reason, detail }: Pick<UncheckedSuppression, 'reason' | 'detail'>): boolean {
  return detail !== null && !staysSuppressed(reason, detail);
}

/** Sends mail to a wrongly suppressed address again, as a person does. Does nothing if the suppression was lifted or made anew meanwhile. */
export async function liftWrongSuppression(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  systemNow: Date,
): Promise<void> {
  const caller = await systemCaller(em, accountId);
  const isMeant = ({ isChecked, reason, detail }: Suppression) =>
    !isChecked && isWronglySuppressed({ reason, detail: detail ?? null });
  await allowAddress(em, { caller, id, isMeant }, systemNow);
  await failpoint('suppression.lifted');
}
