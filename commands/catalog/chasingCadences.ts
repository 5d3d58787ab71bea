import {
  type AssignmentCondition,
  type AssignmentMode,
  type CadenceKind,
  type CadenceTerms,
  type ChaseStep,
  checkCadence,
  checkConditions,
} from '../../billing/collection/cadence.ts';
import { compare, isNegative, roundMoney } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Wait } from '../../billing/wait.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isCadenceUsed } from '../../db/queries/chasing/replanning.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { checkMembers } from '../accounts/members.ts';
import { accountMoment, type Caller, type Moment } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { checkStepTemplates } from './smsTemplates.ts';
import { checkStepMails } from './stepEmailTemplates.ts';

/** A step of a request. `id` null: a new step. */
export type WantedStep = Omit<ChaseStep, 'id'> & { id: number | null };

export interface CadenceFields extends Omit<CadenceTerms, 'steps' | 'runDays'> {
  name: string;
  runDays: number[];
  assignmentMode: AssignmentMode;
  assignmentConditions: AssignmentCondition[];
  steps: WantedStep[];
}

export interface CadenceKey {
  caller: Caller;
  id: number;
}

/** Most cadences of an account. */
const MOST_CADENCES = 100;

/**
 * Creates a cadence and plans the customers that owe something anew. Refuses a second default, steps and days that `checkCadence` refuses,
 * and users who are not members.
 */
export async function createChasingCadence(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: CadenceFields },
  systemNow: Date,
): Promise<ChasingCadence> {
  const accountId = caller.account.id;
  const { name, paused, timeOfDay, frequency, runDays, assignmentMode, assignmentConditions } = fields;
  await lockCountOf(em, 'chasing_cadence', accountId);
  await checkCount(em, accountId, 'customer');
  await check(em, { caller, id: null }, fields);
  await checkStepTemplates(em, { caller, before: [] }, fields.steps);
  await checkStepMails(em, { caller, before: [] }, fields.steps);
  const [id = 0, ...stepIds] = await reserveSeveralIds(em, 'chasing_cadence', fields.steps.length + 1);
  const cadence = em.create(ChasingCadence, {
    accountId,
    id,
    kind: 'customer',
    name,
    paused,
    timeOfDay,
    frequency,
    runDays,
    minBalance: roundMoney(fields.minBalance, caller.account.currency),
    assignmentMode,
    assignmentConditions,
    steps: numbered(fields.steps, stepIds, []),
    planningAfter: 0,
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  await planCadence(em, accountMoment(caller, systemNow), { cadence, inside: false });
  return cadence;
}

/**
 * Changes a cadence while customers are in it, and plans them anew. `steps` replaces all steps: those sent with their id stay the same step.
 * Refuses what `createChasingCadence` refuses, and ids of steps that the cadence does not have. Throws Missing.
 */
export async function updateChasingCadence(
  em: EntityManager,
  { caller, id, fields }: CadenceKey & { fields: { [Name in keyof CadenceFields]: CadenceFields[Name] | undefined } },
  systemNow: Date,
): Promise<ChasingCadence> {
  await lockCountOf(em, 'chasing_cadence', caller.account.id);
  const cadence = await findCadence(em, { caller, id, kind: 'customer' });
  const { steps: asked, minBalance, ...others } = fields;
  const steps = asked ?? cadence.steps;
  const { name, paused, timeOfDay, frequency, runDays, assignmentMode, assignmentConditions } = cadence;
  const stored = { name, paused, timeOfDay, frequency, runDays, assignmentMode, assignmentConditions };
  const amount = minBalance === undefined ? cadence.minBalance : roundMoney(minBalance, caller.account.currency);
  const after = { ...stored, ...definedOf(others), steps, minBalance: amount };
  await check(em, { caller, id }, after);
  await checkStepTemplates(em, { caller, before: cadence.steps }, steps);
  await checkStepMails(em, { caller, before: cadence.steps }, steps);
  const fresh = steps.filter((step) => step.id === null).length;
  const ids = await reserveSeveralIds(em, 'chasing_cadence', fresh);
  const changes = {
    ...others,
    steps: asked && numbered(asked, ids, cadence.steps),
    minBalance: compare(amount, cadence.minBalance) === 0 ? undefined : amount,
  };
  if (!assignChanges(cadence, changes)) return cadence;
  Object.assign(cadence, { updatedAt: systemNow, planningAfter: 0, plannedCount: 0 });
  await planCadence(em, accountMoment(caller, systemNow), { cadence, inside: false });
  return cadence;
}

function definedOf<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
function definedOf(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Deletes a cadence. Refuses one that customers name or follow. Throws Missing. */
export async function deleteChasingCadence(em: EntityManager, key: CadenceKey): Promise<void> {
  const cadence = await findCadence(em, { ...key, kind: 'customer' });
  const { accountId, id } = cadence;
  const { named, planned } = await isCadenceUsed(em, { accountId, cadenceId: id });
  if (named > 0)
    throw new Refusal('in_use', `Customers name chasing cadence ${id}: ${named}. Assign another one first`);
  if (planned > 0)
    throw new Refusal(
      'in_use',
      `Chasing cadence ${id} has planned steps of customers: ${planned}. Set assignment_mode to none first`,
    );
  await em.nativeDelete(Wakeup, { accountId, process: 'cadence', subjectId: id });
  em.remove(cadence);
}

/** Replaces the wake-up of a cadence: it plans its customers anew until all of them are. `inside`: its own process calls. */
export async function planCadence(
  em: EntityManager,
  moment: Moment,
  { cadence, inside }: { cadence: ChasingCadence; inside: boolean },
): Promise<Planned> {
  const { accountId, id, planningAfter } = cadence;
  const existing = await wakeupsOf(em, { accountId, process: 'cadence', ids: [id] });
  const isOver = planningAfter === null || planningAfter === undefined;
  const wait: Wait = {
    rule: 'cadence_plan',
    at: moment.now.getTime(),
    step: `plans customers after ${planningAfter} anew`,
  };
  const waiter = { process: 'cadence' as const, subjectId: id, clockId: null };
  return setWakeups(em, moment, { waiter, waits: isOver ? [] : [wait], existing, inside });
}

/** Refuses one more cadence if the account has as many as it can have. */
export async function checkCount(em: EntityManager, accountId: number, kind: CadenceKind): Promise<void> {
  if ((await em.count(ChasingCadence, { accountId, kind })) >= MOST_CADENCES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_CADENCES} chasing cadences`);
}

/** Finds a cadence of customers or of invoices. Throws Missing. */
export async function findCadence(
  em: EntityManager,
  { caller, id, kind }: CadenceKey & { kind: CadenceKind },
): Promise<ChasingCadence> {
  const cadence = await em.findOne(ChasingCadence, { accountId: caller.account.id, id, kind });
  if (!cadence) throw new Missing(kind === 'invoice' ? 'Invoice chasing cadence' : 'Chasing cadence', id);
  return cadence;
}

async function check(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number | null },
  fields: Omit<CadenceFields, 'steps'> & { steps: readonly WantedStep[] },
): Promise<void> {
  const { assignmentMode, assignmentConditions } = fields;
  if (isNegative(fields.minBalance))
    throw new Refusal('parameter_invalid', 'Minimum balance must not be negative', 'min_balance');
  checkCadence({ ...fields, steps: fields.steps.map((step) => ({ ...step, id: step.id ?? 0 })) });
  checkConditions(assignmentMode, assignmentConditions);
  await checkUsers(em, caller, fields.steps);
  if (assignmentMode !== 'default') return;
  const other = await em.findOne(ChasingCadence, { accountId: caller.account.id, assignmentMode: 'default' });
  if (other && other.id !== id)
    throw new Refusal(
      'state_conflict',
      `Chasing cadence ${other.id} is the default: change it first`,
      'assignment_mode',
    );
}

/** Refuses steps that name users who are not members. */
export async function checkUsers(em: EntityManager, caller: Caller, steps: readonly WantedStep[]): Promise<void> {
  const users = steps.map((step, index) => ({ id: step.assignedUserId, param: `steps[${index}][assigned_user_id]` }));
  await checkMembers(em, caller.account, users);
}

/** Gives new steps their ids. Refuses ids that the cadence does not have, and one that comes twice. */
export function numbered(
  steps: readonly WantedStep[],
  ids: readonly number[],
  known: readonly ChaseStep[],
): ChaseStep[] {
  const left = [...ids];
  const used = new Set<number>();
  return steps.map((step, index) => {
    const id = step.id ?? left.shift() ?? 0;
    const isKnown = step.id === null || known.some((one) => one.id === id);
    if (!isKnown || used.has(id))
      throw new Refusal('resource_missing', `Chase step was not found, or comes twice: ${id}`, `steps[${index}][id]`);
    used.add(id);
    return { ...step, id };
  });
}
