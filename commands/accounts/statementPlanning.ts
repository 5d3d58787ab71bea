import { setting } from '../../billing/settings.ts';
import type { Wait } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { plannedIn } from '../../db/queries/customers/scheduledStatements.ts';
import type { Account } from '../../db/schema/account.ts';
import { StatementPlanning } from '../../db/schema/scheduledStatement.ts';
import { accountMoment, type Caller, type Moment } from '../kernel/caller.ts';
import { type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';

/** The values of an account that decide when its customers get their statements. */
export interface StatementFacts {
  day: string;
  hour: number;
  zone: string;
}

export function statementFactsOf(account: Account): StatementFacts {
  const day = setting(account, 'statement_day');
  return { day, hour: setting(account, 'statement_hour'), zone: account.timeZone };
}

/**
 * After a change of the account, plans the statements of all its customers anew, if any of them can get one. Another time zone moves the
 * steps of cadences, too.
 */
export async function planChangedStatements(
  em: EntityManager,
  { account, caller, before }: { account: Account; caller: Caller; before: StatementFacts },
  systemNow: Date,
): Promise<void> {
  const now = statementFactsOf(account);
  if (now.day === before.day && now.hour === before.hour && now.zone === before.zone) return;
  const isOn = now.day !== 'off' || before.day !== 'off';
  const { statements, cadences } = isOn ? { statements: true, cadences: false } : await plannedIn(em, account.id);
  if (statements || (cadences && now.zone !== before.zone))
    await planStatementsAnew(em, { account, caller }, systemNow);
}

/** Lets the process of an account plan the statements of all its customers anew, from the first one. */
async function planStatementsAnew(
  em: EntityManager,
  { account, caller }: { account: Account; caller: Caller },
  systemNow: Date,
): Promise<void> {
  const { id } = account;
  const key = { accountId: id, id };
  const begun = { planningAfter: 0, plannedCount: 0, updatedAt: systemNow };
  const found = await em.findOne(StatementPlanning, key);
  const planning = found
    ? Object.assign(found, begun)
    : em.create(StatementPlanning, { ...key, ...begun, createdAt: systemNow });
  await planStatementsOf(em, accountMoment(caller, systemNow), { planning, inside: false });
}

/** Replaces the wake-up of the planning: it goes on until all customers are planned. `inside`: its own process calls. */
export async function planStatementsOf(
  em: EntityManager,
  moment: Moment,
  { planning, inside }: { planning: StatementPlanning; inside: boolean },
): Promise<Planned> {
  const { accountId, id, planningAfter = null } = planning;
  const existing = await wakeupsOf(em, { accountId, process: 'statements', ids: [id] });
  const step = `plans the statements of customers after ${planningAfter} anew`;
  const waits: Wait[] = planningAfter === null ? [] : [{ rule: 'statements_plan', at: moment.now.getTime(), step }];
  const waiter = { process: 'statements' as const, subjectId: id, clockId: null };
  return setWakeups(em, moment, { waiter, waits, existing, inside });
}
