import { add, zero } from '../../billing/money/money.ts';
import { declineCodeOf } from '../../billing/payments/declines.ts';
import { meanOf, recoveryOutcomes, shareOf } from '../../billing/reports/collecting.ts';
import type { Asked, ReportRow } from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';
import { firstRows, inSlices, type Statement } from '../../db/queries/kernel/slices.ts';
import {
  type FailureRow,
  failedInvoices,
  type RecoveryRow,
  recoveryByCode,
  recoveryWays,
} from '../../db/queries/reports/recovery.ts';
import {
  count,
  currency,
  day,
  invoiceColumns,
  MOST_ROWS,
  money,
  number,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const isByInvoice = ({ options }: Asked): boolean => options.by === 'invoice';
const codeOf = (row: Pick<RecoveryRow, 'failureCode' | 'declineKind'>) =>
  declineCodeOf(row.failureCode, row.declineKind);

const ways = [
  money('by_retry', 'Recovered by charging the same source again'),
  money('by_other_source', 'Recovered by charging another source'),
  money('by_otherwise', 'Recovered without a charge'),
];

export const recovery: ReportDefinition = {
  title: 'Recovery of failed payments',
  definition:
    'Invoices whose first failed charge was in the days, by the reason of that decline, with the amount that it asked for. `tried` is `recovered` plus `lost` plus `open`. `recovered`: paid since. `open`: still owed and collected. `lost`: the rest: written off, credited or voided, or still owed although AutoPay has stopped. An invoice counts as recovered once all of its amount is. `days` and `charges` are means of the recovered ones: days until the last payment, and charges.',
  options: ['by', 'outcome', 'decline_code', 'way'],
  isByCustomer: true,
  columns: (asked) =>
    isByInvoice(asked)
      ? [
          ...invoiceColumns,
          currency,
          day('failed_on', 'Failed on'),
          text('decline_code', 'Reason'),
          text('outcome', 'Outcome'),
          money('tried', 'Tried'),
          money('recovered', 'Recovered'),
          ...ways,
          money('lost', 'Lost'),
          money('open', 'Open'),
          count('charges', 'Charges'),
          number('days', 'Days until the payment'),
        ]
      : [
          text('decline_code', 'Reason'),
          currency,
          count('count', 'Invoices'),
          money('tried', 'Tried'),
          count('recovered_count', 'Recovered, invoices'),
          money('recovered', 'Recovered'),
          ...ways,
          count('lost_count', 'Lost, invoices'),
          money('lost', 'Lost'),
          count('open_count', 'Open, invoices'),
          money('open', 'Open'),
          number('recovery_rate', 'Share that was recovered'),
          number('days', 'Days until the payment, mean'),
          number('charges', 'Charges, mean'),
        ],
  rows: async (em, asked) => {
    if (isByInvoice(asked)) return (await firstRows(em, await failuresOf(em, asked), MOST_ROWS + 1)).map(failureRow);
    return sumRows(em, asked);
  },
  async *slices(em, asked) {
    if (!isByInvoice(asked)) yield await sumRows(em, asked);
    else for await (const slice of inSlices(em, await failuresOf(em, asked))) yield slice.map(failureRow);
  },
};

/** A row for each decline code and currency. */
async function sumRows(em: EntityManager, asked: Asked): Promise<ReportRow[]> {
  const byCode = Map.groupBy(await recoveryByCode(em, asked), (row) => `${row.currency} ${codeOf(row)}`);
  return [...byCode].sort(([one], [other]) => one.localeCompare(other)).flatMap(([, rows]) => sumRow(asked, rows));
}

/** The rows of one invoice each. The codes of gateways that an answer's code stands for are those that occur. */
async function failuresOf(em: EntityManager, asked: Asked): Promise<Statement<FailureRow>> {
  const { outcome = null, way = null, decline_code: code } = asked.options;
  const codes = code === undefined ? null : (await recoveryByCode(em, asked)).filter((row) => codeOf(row) === code);
  return failedInvoices(asked, { outcome, way, codes });
}

/** The row of a decline code and currency, from those of the gateways' codes. */
function sumRow(asked: Asked, rows: readonly RecoveryRow[]): ReportRow[] {
  const [first] = rows;
  if (!first) return [];
  const { currency: code } = first;
  const sum = (of: (row: RecoveryRow) => string) => add(zero(code), ...rows.map(of));
  const count = (of: (row: RecoveryRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const declineCode = codeOf(first);
  const [tried, recovered] = [sum((row) => row.tried), sum((row) => row.recovered)];
  const counts = recoveryOutcomes.map((one) => [`${one}_count`, count(({ counts }) => counts[one])] as const);
  const recoveredCount = count((row) => row.counts.recovered);
  const path = (more: Record<string, string>) =>
    pathOf('recovery', asked, { by: 'invoice', currency: code, decline_code: declineCode, ...more });
  const cells = {
    decline_code: declineCode,
    currency: code,
    count: counts.reduce((total, [, number]) => total + number, 0),
    ...Object.fromEntries(counts),
    tried,
    recovered,
    ...Object.fromEntries(recoveryWays.map((way) => [`by_${way}`, sum((row) => row.ways[way])])),
    lost: sum((row) => row.lost),
    open: sum((row) => row.open),
    recovery_rate: shareOf(recovered, tried),
    days: meanOf(add('0', ...rows.map((row) => row.days)), recoveredCount),
    charges: meanOf(String(count((row) => row.charges)), recoveredCount),
  };
  const all = Object.fromEntries(['count', 'tried', 'recovered', 'lost', 'open'].map((id) => [id, path({})]));
  const some = recoveryOutcomes.map((outcome) => [`${outcome}_count`, path({ outcome })]);
  const byWay = recoveryWays.map((way) => [`by_${way}`, path({ way })]);
  return [{ cells, hrefs: { ...all, ...Object.fromEntries([...some, ...byWay]) } }];
}

function failureRow({ failureCode, declineKind, failedOn, amount, way, attempts, ...row }: FailureRow): ReportRow {
  const { customer, invoice, recovered } = row;
  const cells = {
    ...row,
    failed_on: failedOn,
    decline_code: codeOf({ failureCode, declineKind }),
    tried: amount,
    ...Object.fromEntries(recoveryWays.map((one) => [`by_${one}`, one === way ? recovered : '0'])),
    charges: attempts,
    days: row.outcome === 'recovered' ? row.days : null,
  };
  return { cells, hrefs: { customer: `/customers/${customer}`, invoice: `/invoices/${invoice}` } };
}
