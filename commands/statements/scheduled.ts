import { hasContent } from '../../billing/documents/statement.ts';
import { lastStatementRun, type StatementRun, statementStart } from '../../billing/documents/statementSchedule.ts';
import { amountText } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import { localDay } from '../../billing/time/calendar.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { replanCustomers } from '../../db/queries/chasing/replanning.ts';
import {
  customersAfter,
  noteStatement,
  noteTaskOfStatement,
  type StatementCurrency,
  statementCurrencies,
} from '../../db/queries/customers/scheduledStatements.ts';
import { Account } from '../../db/schema/account.ts';
import { StatementPlanning } from '../../db/schema/scheduledStatement.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { statementEmail } from '../../present/emails/statement.ts';
import { statementUrl } from '../../present/kernel/links.ts';
import { planStatementsOf } from '../accounts/statementPlanning.ts';
import { STATEMENT_RULE, statementScheduleOf } from '../aggregates/statementWaits.ts';
import { accountMoment, systemCallerOf } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';
import { queueCopies } from '../mail/emails.ts';
import { type Recipient, recipientsOf } from '../mail/recipients.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';
import { mailedStatement } from './mailed.ts';
import { type FixedStatement, readFixedStatement } from './reading.ts';

/**
 * Mails the due statements of a locked customer, one in each currency in which it has something to tell: up to now, from the end of the one
 * before. The database refuses a second one for the same month. A customer without an address makes a task. Returns what was done in words.
 */
export async function sendDueStatements(em: EntityManager, locked: LockedCustomer): Promise<string[]> {
  const run = await dueRun(em, locked);
  if (!run) return [];
  const { customer } = locked;
  const { accountId, id: customerId } = customer;
  const recipients = await recipientsOf(em, customer);
  const said: string[] = [];
  for (const used of await statementCurrencies(em, { accountId, customerId }))
    said.push(...(await sendIn(em, locked, { run, used, recipients })));
  return said;
}

/** The run that a due wake-up planned. Null: none is due, or the schedule was changed, so that its last run is an earlier one. */
async function dueRun(em: EntityManager, { customer, moment }: LockedCustomer): Promise<StatementRun | null> {
  const { accountId, id: subjectId } = customer;
  const planned = await em.findOne(Wakeup, { accountId, process: 'chasing', subjectId, rule: STATEMENT_RULE });
  if (!planned || planned.at > moment.now) return null;
  const run = lastStatementRun(statementScheduleOf(moment.caller.account, customer), moment.now.getTime());
  return run && run.at >= planned.at.getTime() ? run : null;
}

interface Sent {
  run: StatementRun;
  used: StatementCurrency;
  recipients: readonly Recipient[];
}

async function sendIn(em: EntityManager, locked: LockedCustomer, { run, used, recipients }: Sent): Promise<string[]> {
  const { customer, moment } = locked;
  const { accountId, id: customerId } = customer;
  const fixed = fixedFor(locked, run, used);
  const { type, currency, range } = fixed;
  const statement = await readFixedStatement(em, { accountId, customerId }, fixed);
  if (!hasContent(statement)) return [];
  const id = await noteStatement(em, {
    accountId,
    customerId,
    currency,
    month: run.month,
    type,
    startsAt: range.from,
    endsAt: range.until,
    closingBalance: statement.closing,
    createdAt: moment.now,
  });
  if (id === null) return [];
  const balance = amountText(statement.closing, currency);
  if (recipients.length === 0) return [await makeTask(em, locked, { id, month: run.month, balance })];
  const facts = { seller: moment.caller.account, customer, statement, url: statementUrl(customer), links: [] };
  queueCopies(em, locked, {
    template: 'statement_email',
    cause: `statement:${id}`,
    recipients,
    document: mailedStatement(customerId, fixed),
    render: (to) => statementEmail({ ...facts, to, subject: null, message: null }),
  });
  return [`mailed the statement of account, ${balance}`];
}

/** The statement of a run. It ends now, so that its balance is the one that the customer has now. */
function fixedFor({ customer, moment }: LockedCustomer, run: StatementRun, used: StatementCurrency): FixedStatement {
  const { now, caller } = moment;
  const { account } = caller;
  const type = setting(account, 'statement_type');
  const start = statementStart(statementScheduleOf(account, customer), run, used.earlier);
  const range = {
    from: type === 'open_item' ? null : start,
    until: new Date(now.getTime() + 1),
    lastDay: localDay(now.getTime(), account.timeZone),
  };
  return { type, items: 'open', currency: used.currency, range, knownAt: now };
}

/** Makes the task to send a statement by other means, because there is no address. */
async function makeTask(
  em: EntityManager,
  locked: LockedCustomer,
  { id, month, balance }: { id: number; month: string; balance: string },
): Promise<string> {
  const name = `Send the statement of account of ${month}, ${balance}: there is no email address`;
  const task = await writeOwnersTask(em, locked, { name, action: 'letter' });
  await noteTaskOfStatement(em, { accountId: task.accountId, id, taskId: task.id });
  return `task ${task.id} (letter) about the statement of account, ${balance}, because there is no address`;
}

/** Customers that are planned anew in one transaction. */
const SLICE = 500;

/** Plans the statements of the next customers of an account anew. One slice per transaction. */
export function advanceStatements(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'statements', systemNow }, () => planSlice(em, key, systemNow));
}

async function planSlice(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const planning = await lockRow(em, StatementPlanning, { accountId, id });
  if (!planning) return NOTHING;
  const moment = accountMoment(systemCallerOf(await em.findOneOrFail(Account, accountId)), systemNow);
  const rows = await customersAfter(em, { accountId, after: planning.planningAfter ?? 0, limit: SLICE });
  const ids = rows.map((row) => row.id);
  await replanCustomers(em, { accountId, cadenceId: null, ids }, systemNow);
  const more = ids.length === SLICE;
  Object.assign(planning, {
    plannedCount: planning.plannedCount + ids.length,
    planningAfter: more ? ids.at(-1) : null,
    updatedAt: systemNow,
  });
  const planned = await planStatementsOf(em, moment, { planning, inside: true });
  return { ...planned, did: `planned ${ids.length} customers anew`, more, call: null };
}
