import { checkInvoiceSteps } from '../../billing/collection/invoiceCadence.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { invoicesOnCadence } from '../../db/queries/chasing/replanning.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import {
  type CadenceKey,
  checkCount,
  checkUsers,
  findCadence,
  numbered,
  planCadence,
  type WantedStep,
} from './chasingCadences.ts';
import { checkStepTemplates } from './smsTemplates.ts';
import { checkStepMails } from './stepEmailTemplates.ts';

export interface InvoiceCadenceFields {
  name: string;
  timeOfDay: number;
  paused: boolean;
  isDefault: boolean;
  steps: WantedStep[];
}

/** Creates a cadence of invoices. Refuses a second default, schedules that `checkInvoiceSteps` refuses, and users who are not members. */
export async function createInvoiceCadence(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: InvoiceCadenceFields },
  systemNow: Date,
): Promise<ChasingCadence> {
  const accountId = caller.account.id;
  const { steps, ...others } = fields;
  await lockCountOf(em, 'chasing_cadence', accountId);
  await checkCount(em, accountId, 'invoice');
  await check(em, { caller, id: null }, fields);
  await checkStepTemplates(em, { caller, before: [] }, steps);
  await checkStepMails(em, { caller, before: [] }, steps);
  const [id = 0, ...stepIds] = await reserveSeveralIds(em, 'chasing_cadence', steps.length + 1);
  return em.create(ChasingCadence, {
    accountId,
    id,
    kind: 'invoice',
    ...others,
    frequency: 'daily',
    runDays: [],
    minBalance: '0',
    assignmentMode: 'none',
    assignmentConditions: [],
    steps: numbered(steps, stepIds, []),
    planningAfter: null,
    createdAt: systemNow,
    updatedAt: systemNow,
  });
}

/**
 * Changes a cadence while invoices are on it, and plans their customers anew. `steps` replaces all steps: those sent with their id stay the
 * same step. Refuses what `createInvoiceCadence` refuses, and ids of steps that the cadence does not have. Throws Missing.
 */
export async function updateInvoiceCadence(
  em: EntityManager,
  {
    caller,
    id,
    fields,
  }: CadenceKey & { fields: { [Name in keyof InvoiceCadenceFields]: InvoiceCadenceFields[Name] | undefined } },
  systemNow: Date,
): Promise<ChasingCadence> {
  await lockCountOf(em, 'chasing_cadence', caller.account.id);
  const cadence = await findCadence(em, { caller, id, kind: 'invoice' });
  const { steps: asked, ...others } = fields;
  const steps = asked ?? cadence.steps;
  await check(em, { caller, id }, { steps, isDefault: fields.isDefault ?? cadence.isDefault });
  await checkStepTemplates(em, { caller, before: cadence.steps }, steps);
  await checkStepMails(em, { caller, before: cadence.steps }, steps);
  const fresh = steps.filter((step) => step.id === null).length;
  const ids = await reserveSeveralIds(em, 'chasing_cadence', fresh);
  const changes = { ...others, steps: asked && numbered(asked, ids, cadence.steps) };
  if (!assignChanges(cadence, changes)) return cadence;
  Object.assign(cadence, { updatedAt: systemNow, planningAfter: 0, plannedCount: 0 });
  await planCadence(em, accountMoment(caller, systemNow), { cadence, inside: false });
  return cadence;
}

/** Deletes a cadence. Refuses one that invoices name, paid ones included. Throws Missing. */
export async function deleteInvoiceCadence(em: EntityManager, key: CadenceKey): Promise<void> {
  await lockCountOf(em, 'chasing_cadence', key.caller.account.id);
  const cadence = await findCadence(em, { ...key, kind: 'invoice' });
  const { accountId, id } = cadence;
  const count = await invoicesOnCadence(em, { accountId, cadenceId: id });
  if (count > 0) throw new Refusal('in_use', `Invoices name chasing cadence ${id}: ${count}. It can be paused instead`);
  await em.nativeDelete(Wakeup, { accountId, process: 'cadence', subjectId: id });
  em.remove(cadence);
}

async function check(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number | null },
  { steps, isDefault }: { steps: readonly WantedStep[]; isDefault: boolean },
): Promise<void> {
  checkInvoiceSteps(steps);
  await checkUsers(em, caller, steps);
  if (!isDefault) return;
  const other = await em.findOne(ChasingCadence, { accountId: caller.account.id, isDefault: true });
  if (other && other.id !== id)
    throw new Refusal(
      'state_conflict',
      `Invoice chasing cadence ${other.id} is the default: change it first`,
      'default',
    );
}
