import { addressKey, type SuppressionReason, staysSuppressed } from '../../billing/mail/mailEvents.ts';
import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Suppressed, suppressedWith, type UncheckedSuppression } from '../../db/queries/bounces/bounces.ts';
import { Suppression } from '../../db/schema/suppression.ts';
import { Task } from '../../db/schema/task.ts';
import { type Caller, systemCaller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { closeProblemOf } from '../kernel/problems.ts';
import { addressHashOf } from '../kernel/secrets.ts';
import { completeTasksOf } from '../tasks/completing.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';

export const SUPPRESSED_BECAUSE: Readonly<Record<SuppressionReason, string>> = {
  hard_bounce: 'a mail to it was refused for good',
  complaint: 'its owner reported a mail as spam',
  soft_bounces: 'several mails to it were refused',
};

/** The addresses among these to which an account sends nothing, by address as it was given. */
export async function suppressedAmong(
  em: EntityManager,
  accountId: number,
  addresses: readonly string[],
): Promise<Map<string, Suppressed>> {
  const addressHashes = addresses.map((address) => addressHashOf(accountId, address));
  return suppressedIn(await suppressedWith(em, { accountId, addressHashes }), { accountId, addresses });
}

/** The addresses among these that were found as suppressed, by address as it was given. */
export function suppressedIn(
  found: readonly Suppressed[],
  { accountId, addresses }: { accountId: number; addresses: readonly string[] },
): Map<string, Suppressed> {
  const byHash = new Map(found.map((one) => [one.addressHash, one]));
  return new Map(
    addresses.flatMap((address) => {
      const one = byHash.get(addressHashOf(accountId, address));
      return one ? [[address, one] as const] : [];
    }),
  );
}

/** Locks the customer of a mail. */
export function lockOwnerOfMail(
  em: EntityManager,
  key: { accountId: number; id: number },
  systemNow: Date,
): Promise<LockedCustomer> {
  return retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'email', ...key }, systemNow));
}

/** The plain text that a suppression keeps: none once the customer was anonymized. */
export function plainOf(locked: LockedCustomer | null, plain: { address: string; detail: string }) {
  return locked?.customer.anonymizedAt ? { address: null, detail: null } : plain;
}

/** Makes the task to correct an address, unless the customer has an open one about it or was anonymized. */
export async function askForAddress(
  em: EntityManager,
  locked: LockedCustomer,
  { id: suppressionId, address, reason }: { id: number; address: string; reason: SuppressionReason },
): Promise<void> {
  const { accountId, anonymizedAt } = locked.customer;
  if (anonymizedAt) return;
  if ((await em.count(Task, { accountId, customer: locked.customer, suppressionId, complete: false })) > 0) return;
  const name = `Correct the email address ${address}: ${SUPPRESSED_BECAUSE[reason]}`;
  await writeOwnersTask(em, locked, { name, action: 'review', suppressionId });
}

/** Completes the task about an address of a customer that has another one now. */
export async function addressCorrected(
  em: EntityManager,
  locked: LockedCustomer,
  { before, after }: { before: string | null | undefined; after: string | null | undefined },
): Promise<void> {
  if (!before || addressKey(before) === addressKey(after ?? '')) return;
  const { accountId } = locked.customer;
  const suppressed = (await suppressedAmong(em, accountId, [before])).get(before);
  if (!suppressed) return;
  const subject = { suppressionId: suppressed.id, customer: locked.customer };
  await completeTasksOf(em, locked, { subject, outcome: 'address_corrected' });
}

/** Completes the task about invoices that nobody could get, once the customer or a primary contact has an address. */
export async function addressAdded(em: EntityManager, locked: LockedCustomer): Promise<void> {
  const subject = { unmailedInvoiceId: { $ne: null }, customer: locked.customer };
  await completeTasksOf(em, locked, { subject, outcome: 'address_added' });
}

/** Sends mail to an address again, and completes the tasks about it. Throws Missing. */
export async function liftSuppression(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<void> {
  if (!(await allowAddress(em, { caller, id }, systemNow))) throw new Missing('Suppression', id);
}

/** The same, unless the locked suppression is not meant. False: mail was sent to the address already, or it is not meant. */
export async function allowAddress(
  em: EntityManager,
  { caller, id, isMeant = () => true }: { caller: Caller; id: number; isMeant?: (suppression: Suppression) => boolean },
  systemNow: Date,
): Promise<boolean> {
  const accountId = caller.account.id;
  const tasks = await em.find(Task, { accountId, suppressionId: id, complete: false });
  const customers = [...new Set(tasks.map(({ customer }) => customer.id))].sort((a, b) => a - b);
  const lockedCustomers: LockedCustomer[] = [];
  for (const customerId of customers) lockedCustomers.push(await lockCustomer(em, { caller, customerId }, systemNow));
  const suppression = await lockRow(em, Suppression, { accountId, id });
  if (!suppression || suppression.liftedAt || !isMeant(suppression)) return false;
  Object.assign(suppression, { liftedAt: systemNow, isChecked: false, updatedAt: systemNow });
  await closeProblemOf(em, { accountId, subjectType: 'suppression', subjectId: id }, systemNow);
  for (const locked of lockedCustomers) {
    const subject = { suppressionId: id, customer: locked.customer };
    await completeTasksOf(em, locked, { subject, outcome: 'address_allowed' });
  }
  return true;
}

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
