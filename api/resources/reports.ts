import { nearest } from '../../billing/money/nearest.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import {
  type Asked,
  daysOf,
  inSlices,
  isOfDay,
  movements,
  type ReportFormat,
  type ReportName,
  reportFormats,
  reportNames,
} from '../../billing/reports/report.ts';
import { localDay } from '../../billing/time/calendar.ts';
import { aboutReport, reports, runReport } from '../../commands/reports/reports.ts';
import type { Account } from '../../db/schema/account.ts';
import { presentReport, reportAsCsv } from '../../present/reports/report.ts';
import { reportAsXlsx } from '../../present/reports/spreadsheet.ts';
import { schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { LARGEST_ID, readText, unfit } from '../body/readers.ts';
import { paramOf } from '../body/request.ts';
import { isSent } from '../body/sent.ts';
import { type ApiRequest, mediaTypes } from '../framework/apiRequest.ts';
import { refuseRepeated } from '../framework/parameterNames.ts';
import { readParameter } from '../framework/resource.ts';
import { type Reply, type Route, reply } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';

const column = shown.value('ReportColumn', 'Column of a report', {
  id: shown.text('Name of the cell in each row', 'days_1_30'),
  title: shown.text('Heading of the column', '1-30 days'),
  type: shown.choice('`money`: in the currency of the row', 'text', 'integer', 'number', 'money', 'day'),
});

const report = shown.value('Report', 'Report: rows of numbers with their definition', {
  name: shown.text('Name of the report', 'aging'),
  title: shown.text('Title of the report', 'Aging of receivables'),
  definition: shown.text('Meaning of the numbers', 'Open balances of issued invoices at the end of the day'),
  start: shown.unset(shown.text('First day of the range; null: the report is of the end of one day', '2027-03-01')),
  end: shown.text('Last day of the range, or the day', '2027-03-31'),
  zone: shown.text('Time zone of its days', 'America/Chicago'),
  known_at: shown.timestamp('Entries posted after this time are left out'),
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

const MOST_PARAMETERS = 30;

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const readDay = (value: unknown): string => {
  const text = readText(value, 10);
  const isDay = DAY.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text) && text >= '1970-01-02';
  return isDay && text < '2200-01-01' ? text : unfit('must be a day between 1970 and 2199, such as 2027-03-31');
};
const dayField = fields.field(readDay, { type: 'string', format: 'date', examples: ['2027-03-31'] });

const ZONES: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
const readZone = (value: unknown): string => {
  const text = readText(value, 64);
  return ZONES.has(text) ? text : unfit('must be a time zone, such as America/Chicago');
};
export const zoneField = fields.field(readZone, { type: 'string', examples: ['America/Chicago'] });

const common = {
  known_at: fields.described(
    fields.timestamp,
    'UNIX time in seconds: entries posted later are left out; default: now',
    1_796_083_200,
  ),
  zone: fields.described(zoneField, 'Time zone of the days; default: that of the account', 'America/Chicago'),
  currency: fields.described(fields.currency, 'Only this currency; default: all, each on its own', 'usd'),
};
const ofDay = { as_of: fields.described(dayField, 'The day at whose end it is; default: today', '2027-03-31') };
const ofRange = {
  start: fields.described(dayField, 'First day; default: the first day of the month of `end`', '2027-03-01'),
  end: fields.described(dayField, 'Last day; default: today', '2027-03-31'),
};
const id = fields.wholeNumber(1, LARGEST_ID);
const byCustomer = {
  customer: fields.described(id, 'Only this customer, by id', 15),
  owner: fields.described(id, 'Only the customers of this member, by id', 3),
};
const options: Readonly<Record<string, fields.Field<string>>> = {
  by: fields.described(fields.choice('due_date', 'date'), 'Count ages from the due date (default) or the date', 'date'),
  buckets: fields.described(fields.text(100), 'Last days of the buckets; default: `30,60,90,120`', '30,60,90'),
  ledger_account: fields.described(fields.text(300), 'Only entries of this ledger account', 'receivable'),
  movement: fields.described(fields.choice(...movements), 'Only entries of receivables of this movement', 'paid'),
  group: fields.described(fields.choice('day', 'month'), 'A row for each month (default) or day', 'day'),
  bucket: fields.described(fields.text(32), 'Only this bucket', 'days_1_30'),
};
const format = fields.described(
  fields.choice(...reportFormats),
  '`csv`: as a CSV file; `xlsx`: as a spreadsheet',
  'csv',
);

/** The parameters of a report, its format excepted. */
export function reportParameters(name: ReportName): Readonly<Record<string, fields.Field<unknown>>> {
  const { isByCustomer, options: names } = reports[name];
  const span: Readonly<Record<string, fields.Field<unknown>>> = isOfDay(name) ? ofDay : ofRange;
  const own = names.flatMap((one) => {
    const field = options[one];
    return field ? [[one, field] as const] : [];
  });
  return { ...span, ...common, ...(isByCustomer ? byCustomer : {}), ...Object.fromEntries(own) };
}

/** Runs work that reads the field `parameters` of a body: a Refusal that names a parameter names its place in the body. */
export function inParameters<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.param === null) throw error;
    throw new Refusal(error.code, error.message, paramOf(['parameters', error.param]));
  }
}

/** What a request asks a report for. `given`: the text of a parameter; empty: absent. */
export interface Asking {
  account: Pick<Account, 'id' | 'timeZone' | 'environment'>;
  now: Date;
  given(param: string): string;
}

/** Reads the parameters of a report. Absent ones have their defaults. */
export function readAsked(name: ReportName, { account, now, given: textOf }: Asking): Asked {
  const read = <Value>(param: string, field: fields.Field<Value>): Value | null => {
    const text = textOf(param);
    return text === '' ? null : (readParameter(field, text, param) ?? null);
  };
  const zone = read('zone', zoneField) ?? account.timeZone;
  const isDay = isOfDay(name);
  const lastDay = read(isDay ? 'as_of' : 'end', dayField) ?? localDay(now.getTime(), zone);
  const firstDay = isDay ? lastDay : (read('start', dayField) ?? `${lastDay.slice(0, 7)}-01`);
  const days = daysOf(firstDay, lastDay, zone);
  // Customers on test clocks have entries in the future: a report of a future day shows them.
  const latest = account.environment === 'sandbox' ? Math.max(now.getTime(), days.until.getTime()) : now.getTime();
  const knownAt = read('known_at', fields.timestamp) ?? new Date(latest);
  const given = reports[name].options.flatMap((option) => {
    const field = options[option];
    const value = field && read(option, field);
    return value ? [[option, value] as const] : [];
  });
  return {
    accountId: account.id,
    days,
    zone,
    knownAt,
    currency: read('currency', fields.currency),
    customer: read('customer', id),
    owner: read('owner', id),
    options: Object.fromEntries(given),
  };
}

/** Parameters of a report in a body: an object with texts, numbers or flags. */
export const parametersField = fields.field(
  (value): Record<string, string> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isSent(value))
      return unfit('must be an object');
    const given = Object.entries(value).filter(([, part]) => part !== null);
    if (given.length > MOST_PARAMETERS) return unfit(`may have at most ${MOST_PARAMETERS} names`);
    return Object.fromEntries(
      given.map(([key, part]) => {
        const text = isSent(part) ? part.text : part;
        return typeof text === 'string' ? [key, text] : unfit(`must have texts or numbers: ${cut(key)}`);
      }),
    );
  },
  { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
);

/** Refuses names that a report does not have as parameters. */
export function refuseUnknownParameters(
  given: Readonly<Record<string, string>>,
  { report: name, known }: { report: ReportName; known: readonly string[] },
): void {
  const unknown = Object.keys(given).find((one) => !known.includes(one));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  throw new Refusal('parameter_unknown', `The report ${name} has no parameter ${cut(unknown)}${hint}`, unknown);
}

/** The form of the answer, by the parameter or the Accept header. */
function formatIn({ query, medium }: ApiRequest): ReportFormat {
  const text = query.get('format') ?? '';
  if (text !== '') return readParameter(format, text, 'format') ?? 'json';
  return reportFormats.find((one) => one === medium) ?? 'json';
}

async function answer(request: ApiRequest, name: ReportName): Promise<Reply> {
  const { query, caller, deps } = request;
  refuseRepeated(query);
  const given = (param: string) => query.get(param) ?? '';
  const asked = readAsked(name, { account: caller.account, now: deps.systemNow(), given });
  const wanted = formatIn(request);
  const found = await runReport(request.em, name, asked);
  const about = aboutReport(name);
  if (wanted === 'json') return reply(200, presentReport(about, asked, found));
  if (wanted === 'csv')
    return { statusCode: 200, json: null, csv: { name: `${name}.csv`, lines: reportAsCsv(inSlices(found)) } };
  const file = { name: `${name}.xlsx`, type: mediaTypes.xlsx, size: null };
  return {
    statusCode: 200,
    json: null,
    file: { about: file, bytes: reportAsXlsx(about, asked, inSlices(found)) },
  };
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
    parameters: Object.fromEntries(
      Object.entries({ ...reportParameters(name), format }).map(([key, field]) => [key, { schema: schemaOf(field) }]),
    ),
    media: ['csv', 'xlsx'],
    ...(isByCustomer ? {} : { ofAllCustomers: true }),
    answer: { statusCode: 200, kind: { shape: report } },
    handle: (request) => answer(request, name),
  };
}

export const reportRoutes: Route[] = reportNames.map(routeOf);
