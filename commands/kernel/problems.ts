import { isOfCustomer, isTimed, type TimedProcess } from '../../billing/processes.ts';
import { stepTexts } from '../../billing/stepTexts.ts';
import { problemBackoff } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { unbilledOf } from '../../db/queries/bills/bills.ts';
import { wakeRefusedInvoices } from '../../db/queries/charges/attempts.ts';
import { clockOf, type ProblemSubject } from '../../db/queries/processes/problems.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { Problem } from '../../db/schema/problem.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { accountMoment, type Caller } from './caller.ts';
import { Missing } from './missing.ts';
import { PROBLEM_RULE, wakeProcess } from './waking.ts';

export interface ProblemReport {
  accountId: number;
  process: TimedProcess;
  id: number;
  step: string;
  message: string;
}

/**
 * Records that a step was refused (`workers/steps.ts`), keeps failing (`workflows/alarmClock.ts`) or is long overdue (`workers/sweep.ts`), or
 * that a bill is held: a problem, and a wake-up on which the process retries, with a back-off. Returns the time of the next try, epoch
 * milliseconds of real time. `perennial problems` and `GET /problems` list the open ones.
 */
export async function reportProblem(em: EntityManager, report: ProblemReport, systemNow: Date): Promise<number> {
  const { accountId, process, id: subjectId } = report;
  const open = { accountId, subjectType: process, subjectId, closedAt: null };
  const problem = (await em.findOne(Problem, open)) ?? (await newProblem(em, report, systemNow));
  problem.tries += 1;
  problem.step = report.step;
  problem.message = report.message;
  problem.updatedAt = systemNow;
  const nextTryAt = new Date(systemNow.getTime() + problemBackoff(problem.tries));
  problem.nextTryAt = nextTryAt;
  const key = { accountId, process, subjectId, rule: PROBLEM_RULE };
  const row = await em.findOne(Wakeup, key);
  const because = { reason: 'step_failed' as const, reasonDetail: report.message.slice(0, 255) };
  const values = { at: nextTryAt, step: stepTexts.try_again, ...because };
  const written = { ...values, putAt: systemNow, sweeps: 0, handedAt: null };
  if (row) em.assign(row, written);
  else em.create(Wakeup, { ...key, ...written, clockId: null, timeBase: 'real' });
  return nextTryAt.getTime();
}

async function newProblem(em: EntityManager, report: ProblemReport, systemNow: Date): Promise<Problem> {
  return em.create(Problem, {
    accountId: report.accountId,
    clockId: isOfCustomer(report.process) ? await clockOf(em, report) : null,
    subjectType: report.process,
    subjectId: report.id,
    step: report.step,
    message: report.message,
    ...(await moneyAtRisk(em, report)),
    since: systemNow,
    updatedAt: systemNow,
    tries: 0,
  });
}

/** The amount that cannot be billed or collected while the problem is open; empty if there is no single amount. */
async function moneyAtRisk(
  em: EntityManager,
  report: ProblemReport,
): Promise<{ moneyAtRisk?: string; currency?: string }> {
  const { accountId, id } = report;
  if (report.process === 'invoice') {
    const invoice = await em.findOne(Invoice, { accountId, id });
    return invoice ? { moneyAtRisk: invoice.balance, currency: invoice.currency } : {};
  }
  if (report.process === 'charge') {
    const attempt = await em.findOne(Attempt, { accountId, id });
    return attempt?.amount && attempt.currency ? { moneyAtRisk: attempt.amount, currency: attempt.currency } : {};
  }
  if (report.process === 'subscription') return (await unbilledOf(em, report)) ?? {};
  return {};
}

/**
 * Retries the step of an open problem at once instead of at the planned time. For the problem of a merchant account, charges the invoices
 * that its gateway refused. Throws Missing.
 */
export async function retryProblem(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Problem> {
  const accountId = key.caller.account.id;
  const problem = await em.findOne(Problem, { accountId, id: key.id, closedAt: null });
  if (!problem) throw new Missing('Problem', key.id);
  problem.nextTryAt = systemNow;
  problem.updatedAt = systemNow;
  const { subjectType: process, subjectId } = problem;
  if (process === 'merchant_account') await wakeRefusedInvoices(em, { accountId, id: subjectId }, systemNow);
  if (!isTimed(process)) return problem;
  await em.nativeUpdate(
    Wakeup,
    { accountId, process, subjectId, rule: PROBLEM_RULE },
    { at: systemNow, putAt: systemNow },
  );
  wakeProcess(em, accountMoment(key.caller, systemNow), { process, subjectId, clockId: null, at: systemNow });
  return problem;
}

/** Closes the open problem of an object, if it has one. */
export async function closeProblemOf(em: EntityManager, subject: ProblemSubject, now: Date): Promise<void> {
  await em.nativeUpdate(Problem, { ...subject, closedAt: null }, { closedAt: now, nextTryAt: null, updatedAt: now });
}
