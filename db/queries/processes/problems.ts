import type { Money } from '../../../billing/money/money.ts';
import { type TimedProcess, timedProcesses } from '../../../billing/processes.ts';
import type { EntityManager } from '../../orm.ts';
import { OPEN_ONCE } from '../../schema/problem.ts';
import { textArray } from '../kernel/sql.ts';

/** An object of an account that no process retries. */
export interface ProblemSubject {
  accountId: number;
  subjectType: string;
  subjectId: number;
}

export interface SubjectProblem extends ProblemSubject {
  step: string;
  message: string;
  /** Money at risk. */
  money?: { amount: Money; currency: string };
}

/** Records a problem of an object, or what is new about its open one. */
export async function reportOf(
  em: EntityManager,
  { accountId, subjectType, subjectId, step, message, money }: SubjectProblem,
  now: Date,
): Promise<void> {
  await em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, message, money_at_risk, currency, since, updated_at, tries)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1) on conflict ${OPEN_ONCE}
     do update set step = excluded.step, message = excluded.message, money_at_risk = excluded.money_at_risk,
       currency = excluded.currency, updated_at = excluded.updated_at, tries = problem.tries + 1`,
    [accountId, subjectType, subjectId, step, message, money?.amount ?? null, money?.currency ?? null, now, now],
  );
}

/** A problem with the PDF of a content, which is tried again later. */
export interface ContentProblem extends Omit<SubjectProblem, 'money'> {
  content: string;
  tries: number;
  nextTryAt: Date;
}

/** Records a problem with a PDF, or what is new about the open one of its document. */
export async function reportContent(em: EntityManager, problem: ContentProblem, now: Date): Promise<void> {
  const { accountId, subjectType, subjectId, step, content, message, tries, nextTryAt } = problem;
  await em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, content, message, since, updated_at, tries, next_try_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ${OPEN_ONCE}
     do update set step = excluded.step, content = excluded.content, message = excluded.message, updated_at = excluded.updated_at,
       tries = excluded.tries, next_try_at = excluded.next_try_at`,
    [accountId, subjectType, subjectId, step, content, message, now, now, tries, nextTryAt],
  );
}

/** Closes the problems of all versions of an email template in some languages. */
export async function closeProblemsOfTemplate(
  em: EntityManager,
  { accountId, template, languages }: { accountId: number; template: string; languages: readonly string[] },
  now: Date,
): Promise<void> {
  await em.execute(
    `update problem set closed_at = ?, updated_at = ? where account_id = ? and subject_type = 'email_template' and closed_at is null
       and subject_id in (select id from email_template_version where account_id = ? and template = ? and language = any(?::text[]))`,
    [now, now, accountId, accountId, template, textArray(languages)],
  );
}

/** Id of the test clock of the customer that a process is about; null: none. */
export async function clockOf(
  em: EntityManager,
  { process, accountId, id }: { process: TimedProcess; accountId: number; id: number },
): Promise<number | null> {
  const [row] = await em.execute<{ clockId: number | null }[]>(
    `select c.test_clock_id as "clockId" from customer c join ${timedProcesses[process].table} s on s.account_id = c.account_id
     and s.customer_id = c.id where s.account_id = ? and s.id = ?`,
    [accountId, id],
  );
  return row?.clockId ?? null;
}

/** An account's team gets at most this many mails an hour about problems of one type. */
const MOST_MAILS = 3;
const HOUR = 3_600_000;

export interface UntoldProblem {
  accountId: number;
  id: number;
  subjectType: string;
  /** Whether only problems with money at risk are told. */
  ofMoney: boolean;
}

/** The cause of a mail about a problem begins with this and ends with the id of the problem. */
export const causeOfMail = (subjectType: string): string => `problem:${subjectType}:`;

/** SQL: a mail that an earlier version sent. Its workers did not note that they had told of the problem. */
const EARLIER_MAIL = `email.account_id = ? and email.template = 'problem_email'`;

/** Makes transactions that may tell of problems of one type and account wait for each other. Comes before such a problem is written. */
export async function lockMailsAbout(
  em: EntityManager,
  { accountId, subjectType }: { accountId: number; subjectType: string },
): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, ?))', [causeOfMail(subjectType), accountId]);
}

/**
 * Counts a problem as told, and with it all open ones of its type that wait to be told. Returns the number of those others. Null: it is told
 * or closed already, or its team got as many mails about such problems as it gets in an hour; then it waits. `lockMailsAbout` comes first.
 */
export async function claimMail(
  em: EntityManager,
  { accountId, id, subjectType, ofMoney }: UntoldProblem,
  now: Date,
): Promise<number | null> {
  const [mails] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from email where account_id = ? and template = 'problem_email' and cause ~ ? and created_at > ?`,
    [accountId, `^${causeOfMail(subjectType)}[0-9]+$`, new Date(now.getTime() - HOUR)],
  );
  if ((mails?.count ?? 0) >= MOST_MAILS) return null;
  const told = await em.execute<{ id: number }[]>(
    `update problem set told_at = ? where account_id = ? and subject_type = ? and closed_at is null and told_at is null and clock_id is null
       and (money_at_risk > 0 or not ?)
       and not exists (select 1 from email where ${EARLIER_MAIL} and email.cause = 'problem:' || problem.id)
       and exists (select 1 from problem p where p.account_id = ? and p.id = ? and p.told_at is null and p.closed_at is null
         and not exists (select 1 from email where ${EARLIER_MAIL} and email.cause = 'problem:' || p.id))
     returning id`,
    [now, accountId, subjectType, ofMoney, accountId, accountId, id, accountId],
  );
  return told.length === 0 ? null : told.length - 1;
}
