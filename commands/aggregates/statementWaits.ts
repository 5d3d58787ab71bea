import { nextStatementRun, type StatementSchedule } from '../../billing/documents/statementSchedule.ts';
import { setting } from '../../billing/settings.ts';
import { stepTexts } from '../../billing/stepTexts.ts';
import type { Wait } from '../../billing/wait.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** Rule of the wake-up for a customer's next statement. The process of its chasing carries it. */
export const STATEMENT_RULE = 'statement';

/** When a customer gets its statement: on its own day, else on that of its account. Anonymized and merged customers get none. */
export function statementScheduleOf(account: Account, customer: Customer): StatementSchedule {
  const { statementDay, anonymizedAt, mergedInto } = customer;
  const day = anonymizedAt || mergedInto ? 'off' : (statementDay ?? setting(account, 'statement_day'));
  return { day, hour: setting(account, 'statement_hour'), zone: account.timeZone };
}

/** The wait for the next statement of a locked customer; empty: none comes. A wake-up that is due stays until its process has taken it. */
export function statementWaits(
  { customer, moment }: Pick<LockedCustomer, 'customer' | 'moment'>,
  existing: readonly Wakeup[],
): Wait[] {
  const { now, caller } = moment;
  const schedule = statementScheduleOf(caller.account, customer);
  const next = nextStatementRun(schedule, now.getTime());
  const due = existing.find(({ rule, at }) => rule === STATEMENT_RULE && at <= now);
  const at = due && schedule.day !== 'off' ? due.at.getTime() : (next?.at ?? null);
  return at === null ? [] : [{ rule: STATEMENT_RULE, at, step: stepTexts.statement }];
}
