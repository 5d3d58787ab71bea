import { isPositive, roundMoney } from '../../billing/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { causeOfMail, claimMail } from '../../db/queries/processes/toldProblems.ts';
import { Problem } from '../../db/schema/problem.ts';
import { problemEmail } from '../../present/emails/problem.ts';
import { systemCaller } from '../kernel/caller.ts';
import { accountMoment } from '../kernel/moment.ts';
import { type ProblemReport, reportProblem } from '../kernel/problems.ts';
import { type ProblemSubject, reportOf } from '../kernel/subjectProblems.ts';
import { queueTeamMail } from './team.ts';

/**
 * Records a problem like `reportProblem`. One that keeps money from being billed or collected is mailed to the team of the account, unless it
 * does not want that.
 */
export async function reportToTeam(em: EntityManager, report: ProblemReport, systemNow: Date): Promise<number> {
  const nextTryAt = await reportProblem(em, report, systemNow);
  const { accountId, process, id: subjectId } = report;
  await em.write();
  const problem = await em.findOneOrFail(Problem, { accountId, subjectType: process, subjectId, closedAt: null });
  const { moneyAtRisk, currency } = problem;
  const amount = moneyAtRisk && currency ? roundMoney(moneyAtRisk, currency) : null;
  if (amount && currency && isPositive(amount)) await tellTeam(em, { problem, facts: { amount, currency } }, systemNow);
  return nextTryAt;
}

/** Records a problem of an object that no process retries, and mails it to the team of the account, unless it does not want that. */
export async function reportOfAccount(
  em: EntityManager,
  report: ProblemSubject & { step: string; message: string },
  systemNow: Date,
): Promise<void> {
  const problem = await reportOf(em, report, systemNow);
  await em.write();
  await tellTeam(em, { problem, facts: { message: problem.message } }, systemNow);
}

interface Telling {
  problem: Problem;
  facts: { amount: string; currency: string } | { message: string };
}

/**
 * Mails a problem that the team was not told yet. Many problems of one type are a few mails: those beyond wait, and a later mail says how many
 * there are. Problems of test clocks are not mailed.
 */
async function tellTeam(em: EntityManager, { problem, facts }: Telling, systemNow: Date): Promise<void> {
  const { accountId, id, subjectType, subjectId, clockId, toldAt } = problem;
  if (toldAt || clockId) return;
  const caller = await systemCaller(em, accountId);
  const { account } = caller;
  if (!setting(account, 'alert_problems') || setting(account, 'alert_recipients').length === 0) return;
  const more = await claimMail(em, { accountId, id, subjectType, ofMoney: 'amount' in facts }, systemNow);
  if (more === null) return;
  const object = `${subjectType === 'charge' ? 'attempt' : subjectType} ${subjectId}`;
  const rendered = problemEmail({ seller: account, problem: { id, object, more, ...facts } });
  const cause = `${causeOfMail(subjectType)}${id}`;
  queueTeamMail(em, accountMoment(caller, systemNow), { template: 'problem_email', cause, rendered });
}
