import { visibleLine } from '../billing/look/visibleText.ts';
import { amountText } from '../billing/money/money.ts';
import { timelineScopes } from '../db/queries/events/timeline.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { columns, zonedTime } from '../present/explanations/words.ts';
import { connect } from '../workers/connection.ts';
import { CLOCK_WRONG, compareClocks } from './clockWatch.ts';

interface OpenProblem {
  accountId: number;
  account: string;
  environment: string;
  id: number;
  subjectType: string;
  subjectId: number;
  step: string;
  message: string;
  moneyAtRisk: string | null;
  currency: string | null;
  since: Date;
  tries: number;
  nextTryAt: Date | null;
}

const MOST = 1000;

/** Prints whether the clock of this machine is wrong, and the open problems of all accounts, oldest first. Returns the exit code 0 even if there are problems. */
export async function printProblems(databaseUrl: string): Promise<number> {
  const connection = await connect(databaseUrl);
  try {
    const clocks = await compareClocks((sql) => connection.query(sql));
    if (clocks?.isWrong) console.log(`${CLOCK_WRONG}; it is ${Math.round(clocks.seconds)} s ahead\n`);
    const problems = await openProblems(connection);
    for (const line of problems.flatMap(describe)) console.log(visibleLine(line));
    const many = problems.length === MOST ? `, and maybe more: the oldest ${MOST}` : '';
    console.log(problems.length === 0 ? 'No problems' : `${problems.length} open${many}`);
    return 0;
  } finally {
    await connection.close();
  }
}

function openProblems(sql: Sql): Promise<OpenProblem[]> {
  return sql.query<OpenProblem>(
    `select p.account_id as "accountId", a.name as account, a.environment, p.id, p.subject_type as "subjectType",
       p.subject_id as "subjectId", p.step, p.message, p.money_at_risk as "moneyAtRisk", p.currency, p.since, p.tries,
       p.next_try_at as "nextTryAt"
     from problem p join account a on a.id = p.account_id where p.closed_at is null
     order by p.since, p.account_id, p.id limit ${MOST}`,
  );
}

/** A problem on several lines. Times are in UTC, because accounts have different time zones. */
function describe(problem: OpenProblem): string[] {
  const { moneyAtRisk, currency, nextTryAt } = problem;
  const risk = moneyAtRisk && currency ? amountText(moneyAtRisk, currency) : 'no single amount';
  const { account, environment, accountId } = problem;
  return [
    `${problem.subjectType} ${problem.subjectId} of account ${accountId} (${account}, ${environment}): problem ${problem.id}`,
    ...columns([
      ['cannot', problem.step],
      ['because', problem.message],
      ['at risk', risk],
      ['since', `${zonedTime(problem.since, 'UTC')} UTC, ${problem.tries} tries`],
      ['next try', nextTryAt ? `${zonedTime(nextTryAt, 'UTC')} UTC` : 'none'],
      ...explained(problem),
    ]),
    '',
  ];
}

function explained({ subjectType, subjectId, accountId }: OpenProblem): string[][] {
  const isTold = timelineScopes.some((scope) => scope === subjectType);
  return isTold ? [['more', `perennial explain ${subjectType} ${subjectId} --account ${accountId}`]] : [];
}
