import { amountText, isPositive, subtract } from '../../billing/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Refund } from '../../db/schema/refund.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { reportOfAccount } from '../mail/problemMails.ts';
import { writeTask } from '../tasks/tasks.ts';

const STEP = 'give back no more than a charge took';

/**
 * Reports that more was given back of a charge than it took, with the refund that was recorded last: a task, and a problem that closes with the
 * task. Does nothing if there is no excess.
 */
export async function reportExcess(
  em: EntityManager,
  at: LockedCustomer,
  { charge, refund }: { charge: Charge; refund: Refund },
): Promise<void> {
  const { accountId, id, amount, amountRefunded, currency } = charge;
  const excess = subtract(amountRefunded, amount);
  if (!isPositive(excess)) return;
  const message = `Refunds of charge ${id} exceed it by ${amountText(excess, currency)} since refund ${refund.id}: ask the customer for the excess`;
  const task = await writeTask(em, at, { name: message, action: 'review' });
  await em.write();
  const subject = { accountId, subjectType: 'task', subjectId: task.id };
  const money = { amount: excess, currency };
  await reportOfAccount(em, { ...subject, step: STEP, message, money }, at.moment.systemNow);
}
