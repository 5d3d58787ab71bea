import type { Readable } from 'node:stream';
import { Refusal } from '../../billing/refusal.ts';
import {
  type Asked,
  type ReportFormat,
  type ReportInSlices,
  reportTypes,
  restoreAsked,
} from '../../billing/reports/report.ts';
import { failpoint } from '../../db/failpoint.ts';
import { isCanceled } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ReportInput } from '../../db/schema/job.ts';
import { withOwner } from '../../db/tenant.ts';
import { inSnapshot, whileWanted } from '../../db/transaction.ts';
import { type AboutReport, reportAsCsv, reportAsJson } from '../../present/reports/report.ts';
import { reportAsXlsx } from '../../present/reports/spreadsheet.ts';
import { writeTemporary } from '../files/writtenFile.ts';
import { aboutReport, readInSlices } from '../reports/reports.ts';
import { LONGEST_RUN, type Running, type WrittenResult } from './jobs.ts';

const STATEMENT_MINUTES = 10;
const STATEMENT_MILLISECONDS = STATEMENT_MINUTES * 60_000;
/** Rows of a file. A sheet has 1,048,576, with its heading and totals. */
const MOST: Readonly<Record<ReportFormat, number>> = {
  json: Number.POSITIVE_INFINITY,
  csv: Number.POSITIVE_INFINITY,
  xlsx: 1_000_000,
};
type Write = (about: AboutReport, asked: Asked, report: ReportInSlices) => Readable | AsyncIterable<string>;
const WRITES: Readonly<Record<ReportFormat, Write>> = {
  json: reportAsJson,
  csv: (_about, _asked, report) => reportAsCsv(report),
  xlsx: reportAsXlsx,
};

/** Writes a report to a file, in one snapshot of the database, row by row. Refuses one that has too many rows or takes too long. */
export async function writeReport(running: Running, input: ReportInput): Promise<WrittenResult> {
  const { em, accountId, ownerId } = running;
  const started = performance.now();
  try {
    return await withOwner(accountId, ownerId, () =>
      inSnapshot(em, { statement: STATEMENT_MILLISECONDS, pause: LONGEST_RUN }, (inner, pid) =>
        whileWanted(running, pid, () => write(inner, { ...running, input })),
      ),
    );
  } catch (error) {
    // Before that time it was another limit, such as that of the transactions that look ahead: another run may succeed.
    if (running.signal.aborted || !isCanceled(error) || performance.now() - started < STATEMENT_MILLISECONDS)
      throw error;
    throw new Refusal(
      'limit_exceeded',
      `The report ${input.report} takes longer than ${STATEMENT_MINUTES} minutes to read: filter it, or choose a shorter range`,
    );
  }
}

async function write(
  em: EntityManager,
  { input, signal, progress }: Pick<Running, 'signal' | 'progress'> & { input: ReportInput },
): Promise<WrittenResult> {
  const { report: name, format } = input;
  const asked = restoreAsked(input.asked);
  const report = await readInSlices(em, { name, asked, most: MOST[format] });
  let rows = 0;
  const slices = async function* () {
    for await (const slice of report.slices) {
      signal.throwIfAborted();
      yield slice;
      rows += slice.length;
      progress(rows);
      await failpoint('job.slice');
    }
  };
  const chunks = WRITES[format](aboutReport(name), asked, { ...report, slices: slices() });
  const bytes = await writeTemporary(chunks, { type: reportTypes[format], signal });
  const { firstDay, lastDay } = asked.days;
  const days = firstDay === lastDay ? lastDay : `${firstDay}_${lastDay}`;
  return { name: `${name}_${days}.${format}`, bytes, rows };
}
