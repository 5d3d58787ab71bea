import type { EntityManager } from '../../orm.ts';

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
