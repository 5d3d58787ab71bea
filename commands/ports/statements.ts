import type { RowFault, StatementRow } from '../../billing/payments/bankStatement.ts';
import type { StatementColumns, StatementFormat } from '../../billing/payments/statementCsv.ts';

/** A bank statement: text, or a file. `columns` of its format null: they are not known, as statements other than CSV need none. */
export interface StatementTask {
  source: { text: string } | { path: string };
  format: Omit<StatementFormat, 'columns'> & { columns: StatementColumns | null };
}

/** The rows of a statement, or why none can be read. */
export type StatementReading = { rows: StatementRow[] } | { refusal: RowFault };

/** Reads bank statements as CSV, camt.053 and MT940, where it can be stopped. */
export interface StatementReader {
  /** Throws a Refusal for a statement of which no row can be read, and Overload when too many are read. */
  read(task: StatementTask, accountId: number): Promise<StatementRow[]>;
}
