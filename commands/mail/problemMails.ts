import { isPositive, type Money, roundMoney } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  causeOfMail,
  claimMail,
  lockMailsAbout,
  type ProblemSubject,
  reportOf,
  type SubjectProblem,
} from '../../db/queries/processes/problems.ts';
import { Problem } from '../../db/schema/problem.ts';
import { problemEmail } from '../../present/emails/teamMails.ts';
import { accountMoment, type Caller, systemCaller } from '../kernel/caller.ts';
import { type ProblemReport, reportProblem } from '../kernel/problems.ts';
import { queueTeamMail, workplaceOf } from './team.ts';

/**
 * Records a problem like `reportProblem`. One that keeps money from being billed or collected is mailed to the team of the account, unless it
 * does not want that.
 */
export async function reportToTeam(em: EntityManager, report: ProblemReport, systemNow: Date): Promise<number> {
  const { accountId, process: subjectType, id: subjectId } = report;
  const team = await teamToTell(em, { accountId, subjectType });
  const nextTryAt = await reportProblem(em, report, systemNow);
  await em.write();
  const subject = { accountId, subjectType, subjectId };
  if (team) await tellTeam(em, { team, subject, message: null }, systemNow);
  return nextTryAt;
}

/** Records a problem of an object that no process retries, and mails it to the team of the account, unless it does not want that. */
export async function reportOfAccount(
  em: EntityManager,
  { step, message, money, ...subject }: SubjectProblem,
  systemNow: Date,
): Promise<void> {
  const team = await teamToTell(em, subject);
  await reportOf(em, { step, message, ...subject, ...(money && { money }) }, systemNow);
  if (team) await tellTeam(em, { team, subject, message }, systemNow);
}

/**
 * The system as caller for an account whose team wants mails about problems, or null if it wants none. Waits for other transactions that
 * report problems of this type. One transaction tells of the problems of others, so it must not wait for their rows while they wait for it.
 */
async function teamToTell(em: EntityManager, of: { accountId: number; subjectType: string }): Promise<Caller | null> {
  const team = await systemCaller(em, of.accountId);
  if (!setting(team.account, 'alert_problems') || setting(team.account, 'alert_recipients').length === 0) return null;
  await lockMailsAbout(em, of);
  return team;
}

/** `message`: words for the team; null: only an amount that cannot be billed or collected is told. */
interface Telling {
  team: Caller;
  subject: ProblemSubject;
  message: string | null;
}

/**
 * Mails a problem that the team was not told yet. Many problems of one type are a few mails: those beyond wait, and a later mail says how many
 * there are. Problems of test clocks are not mailed.
 */
async function tellTeam(em: EntityManager, { team, subject, message }: Telling, systemNow: Date): Promise<void> {
  const { accountId, subjectType, subjectId } = subject;
  const problem = await em.findOneOrFail(Problem, { ...subject, closedAt: null });
  const facts = message === null ? amountOf(problem) : { message };
  if (problem.toldAt || problem.clockId || !facts) return;
  const { id } = problem;
  const more = await claimMail(em, { accountId, id, subjectType, ofMoney: message === null }, systemNow);
  if (more === null) return;
  const object = { type: subjectType === 'charge' ? 'attempt' : subjectType, id: subjectId };
  const workplace = workplaceOf(team.account);
  const rendered = problemEmail({ seller: team.account, problem: { id, object, more, ...facts }, workplace });
  const cause = `${causeOfMail(subjectType)}${id}`;
  queueTeamMail(em, accountMoment(team, systemNow), { template: 'problem_email', cause, rendered });
}

function amountOf({ moneyAtRisk, currency }: Problem): { amount: Money; currency: string } | null {
  if (!moneyAtRisk || !currency) return null;
  const amount = roundMoney(moneyAtRisk, currency);
  return isPositive(amount) ? { amount, currency } : null;
}
