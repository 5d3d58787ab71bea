import { add, zero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asked, Cell, Column, Report, ReportName, ReportRow } from '../../billing/reports/report.ts';
import { isCanceled } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lastEvent } from '../../db/queries/reports/receivables.ts';
import { arranged, namedFields, summed } from './arranging.ts';
import { journal, trialBalance } from './books.ts';
import { credits, dso, refundsAndDisputes } from './collecting.ts';
import { deferredRevenue } from './deferred.ts';
import { MOST_ROWS, type ReportDefinition } from './definition.ts';
import { promises } from './promises.ts';
import { aging, cashReceived, openItemsReport, rollForward, unapplied, writeOffs } from './receivables.ts';
import { recovery } from './recovery.ts';
import { churn, cohorts, customers, mrr } from './revenue.ts';
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
  upcoming,
  scheduled_mrr: scheduledMrr,
  sales,
  tax,
  deferred_revenue: deferredRevenue,
  usage,
  trial_balance: trialBalance,
  journal,
};

/** Runs a report. Refuses more rows than an answer has. */
export async function runReport(em: EntityManager, name: ReportName, asked: Asked): Promise<Report> {
  const definition = reports[name];
  const fields = await namedFields(em, asked);
  const columns = definition.columns(asked);
  const rows = await definition.rows(em, asked).catch((error: unknown) => {
    if (!isCanceled(error)) throw error;
    throw new Refusal('limit_exceeded', 'The report takes too long for an answer: choose a customer or a currency');
  });
  if (rows.length > MOST_ROWS)
    throw new Refusal(
      'limit_exceeded',
      `The report has more than ${MOST_ROWS} rows: choose a shorter range, or filter it`,
    );
  const money = summed(definition, asked, columns).filter(({ type }) => type === 'money');
  const shown = await arranged(em, asked, { name, definition, fields, table: { columns, rows } });
  return { ...shown, totals: totalsOf(money, rows), lastEvent: await lastEvent(em, asked) };
}

/** The sums of all money columns, a line for each currency. */
function totalsOf(columns: readonly Column[], rows: readonly ReportRow[]): Record<string, Cell>[] {
  const sums = new Map<string, Record<string, string>>();
  for (const { cells } of rows) {
    const code = String(cells.currency);
    const line = sums.get(code) ?? {};
    for (const { id } of columns) line[id] = add(line[id] ?? zero(code), String(cells[id] ?? '0'));
    sums.set(code, line);
  }
  return [...sums].map(([code, line]) => ({ currency: code, ...line }));
}
