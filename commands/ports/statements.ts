import type { RowFault, StatementRow } from '../../billing/payments/bankStatement.ts';
import type { StatementFormat } from '../../billing/payments/statementCsv.ts';
import type { KnownFormat, ProposedFormat } from '../../billing/payments/statementProposal.ts';

/** A bank statement: text, or a file. Nulls in its format are not known. */
export interface StatementTask {
  source: { text: string } | { path: string };
  format: KnownFormat &
    Pick<StatementFormat, 'currency'> & { /** Whether to propose what is not known. */ isProposed: boolean };
}

/** How a statement was read. `csv`: null: in a format that needs no mapping. */
export interface HowRead {
  format: 'csv' | 'camt.053' | 'mt940';
  csv: ProposedFormat | null;
}

/** The rows of a statement. Without any columns of CSV, there are none. */
export interface ReadStatement {
  rows: StatementRow[];
  how: HowRead;
}

/** A statement, or why none can be read. */
export type StatementReading = ReadStatement | { refusal: RowFault };

/** Reads bank statements as CSV, camt.053 and MT940, where it can be stopped. */
export interface StatementReader {
  /** Throws a Refusal for a statement of which no row can be read, and Overload when too many are read. */
  read(task: StatementTask, accountId: number): Promise<ReadStatement>;
}
