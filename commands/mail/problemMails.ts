import { isPositive, roundMoney } from '../../billing/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Problem } from '../../db/schema/problem.ts';
import { problemEmail } from '../../present/emails/problem.ts';
import { systemCaller } from '../kernel/caller.ts';
import { accountMoment } from '../kernel/moment.ts';
import { type ProblemReport, reportProblem } from '../kernel/problems.ts';
import { queueTeamMail } from './team.ts';

/**
 * Records a problem like `reportProblem`. A new one that keeps money from being billed or collected is mailed to the team of the account,
 * unless it does not want that.
 */
export async function reportToTeam(em: EntityManager, report: ProblemReport, systemNow: Date): Promise<number> {
  const nextTryAt = await reportProblem(em, report, systemNow);
  const { accountId, process, id: subjectId } = report;
  const caller = await systemCaller(em, accountId);
  if (!setting(caller.account, 'alert_problems')) return nextTryAt;
  await em.write();
  const problem = await em.findOneOrFail(Problem, { accountId, subjectType: process, subjectId, closedAt: null });
  const { id, moneyAtRisk, currency, tries } = problem;
  if (tries > 1 || !moneyAtRisk || !currency) return nextTryAt;
  const amount = roundMoney(moneyAtRisk, currency);
  if (!isPositive(amount)) return nextTryAt;
  const object = `${process === 'charge' ? 'attempt' : process} ${subjectId}`;
  const rendered = problemEmail({ seller: caller.account, problem: { id, amount, currency, object } });
  const moment = accountMoment(caller, systemNow);
  queueTeamMail(em, moment, { template: 'problem_email', cause: `problem:${id}`, rendered });
  return nextTryAt;
}
