import { add, zero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import {
  type Asked,
  type Cell,
  type Column,
  type Report,
  type ReportInSlices,
  type ReportName,
  type ReportRow,
  slicesOf,
} from '../../billing/reports/report.ts';
import { isCanceled } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lastEvent } from '../../db/queries/reports/receivables.ts';
import { inSnapshot, whileWanted } from '../../db/transaction.ts';
import type { AboutReport } from '../../present/reports/report.ts';
import { arrangement, summed } from './arranging.ts';
import { journal, trialBalance } from './books.ts';
import { credits, dso, refundsAndDisputes } from './collecting.ts';
import { deferredRevenue } from './deferred.ts';
import { MOST_ROWS, type ReportDefinition } from './definition.ts';
import { promises } from './promises.ts';
import { aging, cashReceived, openItemsReport, rollForward, unapplied, writeOffs } from './receivables.ts';
import { recovery } from './recovery.ts';
import { churn, cohorts, customers, mrr, mrrMovements } from './revenue.ts';
import { sales, tax } from './sales.ts';
import { scheduledMrr, upcoming } from './upcoming.ts';
import { usage } from './usage.ts';

/** All reports by name. */
export const reports: Readonly<Record<ReportName, ReportDefinition>> = {
  aging,
  open_items: openItemsReport,
  roll_forward: rollForward,
  cash_received: cashReceived,
  unapplied,
  credits,
  refunds_and_disputes: refundsAndDisputes,
  write_offs: writeOffs,
  dso,
  promises,
  recovery,
  mrr,
  customers,
  churn,
  cohorts,
  mrr_movements: mrrMovements,
  upcoming,
  scheduled_mrr: scheduledMrr,
  sales,
  tax,
  deferred_revenue: deferredRevenue,
  usage,
  trial_balance: trialBalance,
  journal,
};

/** What a report is, for its readers. */
export function aboutReport(name: ReportName): AboutReport {
  const { title, definition } = reports[name];
  return { name, title, definition };
}

/** Refuses what a report cannot be asked for: options, custom fields and columns that it does not have. */
export async function checkAsked(em: EntityManager, name: ReportName, asked: Asked): Promise<void> {
  const definition = reports[name];
  await arrangement(em, asked, { name, definition, columns: definition.columns(asked) });
}

/** Time in which an answer reads all that it has. What takes longer is the work of a job. */
const ANSWER_MILLISECONDS = 5000;

/** Runs a report in one snapshot, for an answer. Refuses more rows than one has, and what takes too long to read. */
export function answerReport(em: EntityManager, name: ReportName, asked: Asked): Promise<Report> {
  return inSnapshot(em, null, (inner, pid) => {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    return whileWanted({ em, accountId: asked.accountId, signal }, pid, () => runReport(inner, name, asked));
  }).catch((error: unknown) => {
    if (!isCanceled(error)) throw error;
    throw tooLarge('takes too long for an answer');
  });
}

/** Runs a report. Refuses more rows than an answer has. */
export async function runReport(em: EntityManager, name: ReportName, asked: Asked): Promise<Report> {
  const definition = reports[name];
  const columns = definition.columns(asked);
  const arranged = await arrangement(em, asked, { name, definition, columns });
  const rows = await definition.rows(em, asked);
  if (rows.length > MOST_ROWS) throw tooLarge(`has more than ${MOST_ROWS} rows`);
  const totals = totalsOf(summed(definition, asked, columns));
  totals.add(rows);
  return {
    columns: arranged.columns,
    rows: [...(await arranged.add(rows)), ...arranged.groups()],
    totals: totals.lines(),
    lastEvent: await lastEvent(em, asked),
  };
}

function tooLarge(why: string): Refusal {
  const instead = 'filter it, choose a shorter range, or let a job run it: POST /jobs';
  return new Refusal('limit_exceeded', `The report ${why}: ${instead}`);
}

/** Reads a report slice by slice. The transaction of `em` is its snapshot. Refuses more rows than `most`. */
export async function readInSlices(
  em: EntityManager,
  { name, asked, most }: { name: ReportName; asked: Asked; most: number },
): Promise<ReportInSlices> {
  const definition = reports[name];
  const columns = definition.columns(asked);
  const arranged = await arrangement(em, asked, { name, definition, columns });
  const totals = totalsOf(summed(definition, asked, columns));
  const limit = definition.slices ? most : MOST_ROWS;
  const found = definition.slices?.(em, asked) ?? [await definition.rows(em, asked)];
  const slices = async function* () {
    let count = 0;
    for await (const slice of found) {
      totals.add(slice);
      const rows = await arranged.add(slice);
      count += rows.length;
      if (count > limit) throw new Refusal('limit_exceeded', `The report has more than ${limit} rows: filter it`);
      yield rows;
    }
    yield* slicesOf(arranged.groups());
  };
  return { columns: arranged.columns, slices: slices(), totals: totals.lines, lastEvent: await lastEvent(em, asked) };
}

/** The sums of money columns of the rows that were added so far, a line for each currency. */
function totalsOf(columns: readonly Column[]) {
  const summedUp = columns.filter(({ type }) => type === 'money');
  const sums = new Map<string, Record<string, string>>();
  return {
    add(rows: readonly ReportRow[]): void {
      for (const { cells } of rows) {
        const code = String(cells.currency);
        const line = sums.get(code) ?? {};
        for (const { id } of summedUp) line[id] = add(line[id] ?? zero(code), String(cells[id] ?? '0'));
        sums.set(code, line);
      }
    },
    lines: (): Record<string, Cell>[] => [...sums].map(([code, line]) => ({ currency: code, ...line })),
  };
}
