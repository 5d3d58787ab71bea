import {
  asSlices,
  isAhead,
  type ReportFormat,
  type ReportName,
  reportFormats,
  reportNames,
} from '../../../billing/reports/report.ts';
import { aboutReport, answerReport, reports, runReport } from '../../../commands/reports/reports.ts';
import { latestKnown } from '../../../db/queries/clocks/clocks.ts';
import { presentReport, reportAsCsv } from '../../../present/reports/report.ts';
import { reportAsXlsx } from '../../../present/reports/spreadsheet.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { type ApiRequest, mediaTypes } from '../../framework/apiRequest.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';
import { type Reply, type Route, reply } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { ofCustomers, readAsked, reportParameters } from './parameters.ts';

const column = shown.value('ReportColumn', 'Column of a report', {
  id: shown.text('Name of the cell in each row', 'days_1_30'),
  title: shown.text('Heading of the column', '1-30 days'),
  type: shown.choice('`money`: in the currency of the row', 'text', 'integer', 'number', 'money', 'day', 'boolean'),
});

const report = shown.value('Report', 'Report: rows of numbers with their definition', {
  name: shown.text('Name of the report', 'aging'),
  title: shown.text('Title of the report', 'Aging of receivables'),
  definition: shown.text('Meaning of the numbers', 'Open balances of issued invoices at the end of the day'),
  start: shown.unset(shown.text('First day of the range; null: the report is of the end of one day', '2027-03-01')),
  end: shown.text('Last day of the range, or the day', '2027-03-31'),
  zone: shown.text('Time zone of its days', 'America/Chicago'),
  known_at: shown.timestamp('Entries posted after this time are left out'),
  parameters: shown.record('Other parameters that were given: currency, filters, options, `fields` and `group_by`', {
    currency: 'usd',
    metadata: { segment: 'Retail' },
  }),
  last_event: shown.nullable(shown.integer('Id of the last event that it includes', 815)),
  columns: shown.listOf(column, 'Columns in order'),
  rows: {
    ...shown.record('', {}),
    schema: {
      type: 'array',
      items: { type: 'object' },
      description: 'A cell for each column; `hrefs`: paths of what a cell adds up',
    },
    example: [{ customer: 15, name: 'Acme', currency: 'usd', not_due: 240, hrefs: { customer: '/customers/15' } }],
  },
  totals: {
    ...shown.record('', {}),
    schema: {
      type: 'array',
      items: { type: 'object' },
      description: 'Sums of the money columns, a line for each currency',
    },
    example: [{ currency: 'usd', not_due: 240 }],
  },
});

const format = fields.described(
  fields.choice(...reportFormats),
  '`csv`: as a CSV file; `xlsx`: as a spreadsheet',
  'csv',
);

/** The form of the answer, by the parameter or the Accept header. */
function formatIn({ query, medium }: ApiRequest): ReportFormat {
  const text = query.get('format') ?? '';
  if (text !== '') return readParameter(format, text, 'format') ?? 'json';
  return reportFormats.find((one) => one === medium) ?? 'json';
}

async function answer(request: ApiRequest, name: ReportName): Promise<Reply> {
  const { query, caller, deps } = request;
  refuseRepeated(query);
  const now = deps.systemNow();
  const latest = await latestKnown(request.em, caller.account, now);
  const asked = readAsked(name, { account: caller.account, now, latest, query });
  const wanted = formatIn(request);
  // What lies ahead is foreseen in transactions of its own.
  const found = isAhead(name) ? await runReport(request.em, name, asked) : await answerReport(request.em, name, asked);
  const about = aboutReport(name);
  if (wanted === 'json') return reply(200, presentReport(about, asked, found));
  if (wanted === 'csv')
    return { statusCode: 200, json: null, csv: { name: `${name}.csv`, lines: reportAsCsv(asSlices(found)) } };
  const file = { name: `${name}.xlsx`, type: mediaTypes.xlsx, size: null };
  const bytes = reportAsXlsx(about, asked, asSlices(found));
  return { statusCode: 200, json: null, file: { about: file, bytes } };
}

function routeOf(name: ReportName): Route {
  const { title, isByCustomer } = reports[name];
  const words = name.replaceAll(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());
  return {
    method: 'GET',
    path: `/reports/${name}`,
    operationId: `read${words}Report`,
    permission: 'reports.read',
    summary: `${title}, as JSON, CSV or a spreadsheet`,
    parameters: {
      ...Object.fromEntries(
        Object.entries({ ...reportParameters(name), format }).map(([key, field]) => [key, { schema: schemaOf(field) }]),
      ),
      ...(isByCustomer ? { metadata: ofCustomers } : {}),
    },
    media: ['csv', 'xlsx'],
    ...(isByCustomer ? {} : { ofAllCustomers: true }),
    answer: { statusCode: 200, kind: { shape: report } },
    handle: (request) => answer(request, name),
  };
}

export const reportRoutes: Route[] = reportNames.map(routeOf);
