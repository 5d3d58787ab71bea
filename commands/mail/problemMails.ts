import { isPositive, type Money, roundMoney } from '../../billing/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Problem } from '../../db/schema/problem.ts';
import { problemEmail } from '../../present/emails/problem.ts';
import { type Caller, systemCaller } from '../kernel/caller.ts';
import { accountMoment } from '../kernel/moment.ts';
import { type ProblemReport, reportProblem } from '../kernel/problems.ts';
import { type ProblemSubject, reportOf } from '../kernel/subjectProblems.ts';
import { queueTeamMail } from './team.ts';

/**
 * Records a problem like `reportProblem`. A new one that keeps money from being billed or collected is mailed to the team of the account,
 * unless it does not want that.
 */
export async function reportToTeam(em: EntityManager, report: ProblemReport, systemNow: Date): Promise<number> {
  const nextTryAt = await reportProblem(em, report, systemNow);
  const { accountId, process, id: subjectId } = report;
  const caller = await systemCaller(em, accountId);
  await em.write();
  const problem = await em.findOneOrFail(Problem, { accountId, subjectType: process, subjectId, closedAt: null });
  const { moneyAtRisk, currency } = problem;
  const amount = moneyAtRisk && currency ? roundMoney(moneyAtRisk, currency) : null;
  if (amount && isPositive(amount)) mailOnce(em, { caller, problem, amount }, systemNow);
  return nextTryAt;
}

/** Records a problem of an object that no process retries, and mails a new one to the team of the account, unless it does not want that. */
export async function reportOfAccount(
  em: EntityManager,
  report: ProblemSubject & { step: string; message: string },
  systemNow: Date,
): Promise<void> {
  const caller = await systemCaller(em, report.accountId);
  const problem = await reportOf(em, report, systemNow);
  await em.write();
  mailOnce(em, { caller, problem, amount: null }, systemNow);
}

/** Mails a new problem. `amount`: that cannot be billed or collected; null: the mail says the message of the problem. */
function mailOnce(
  em: EntityManager,
  { caller, problem, amount }: { caller: Caller; problem: Problem; amount: Money | null },
  systemNow: Date,
): void {
  const { account } = caller;
  const { id, subjectType, subjectId, message, currency, tries } = problem;
  if (tries > 1 || !setting(account, 'alert_problems')) return;
  const object = `${subjectType === 'charge' ? 'attempt' : subjectType} ${subjectId}`;
  const facts = amount && currency ? { amount, currency } : { message };
  const rendered = problemEmail({ seller: account, problem: { id, object, ...facts } });
  queueTeamMail(em, accountMoment(caller, systemNow), { template: 'problem_email', cause: `problem:${id}`, rendered });
}
