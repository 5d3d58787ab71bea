import { declineCodes } from '../../billing/payments/declines.ts';
import { promiseOutcomes, recoveryOutcomes } from '../../billing/reports/collecting.ts';
import {
  type Asked,
  type Days,
  daysOf,
  type Grouping,
  isOfDay,
  movements,
  type ReportName,
  reportNames,
} from '../../billing/reports/report.ts';
import { addDaysToDay, isDay, isZone, localDay } from '../../billing/time/calendar.ts';
import { reports, runReport } from '../../commands/reports/reports.ts';
import { presentReport, reportAsCsv } from '../../present/reports/report.ts';
import { schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { LARGEST_ID, readText, unfit } from '../body/readers.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { bracketed, refuseRepeated } from '../framework/parameterNames.ts';
import { metadataParameter } from '../framework/parameters.ts';
import { readParameter } from '../framework/resource.ts';
import { type Reply, type Route, reply } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { wantsCsv } from '../reading/csv.ts';
import { readMetadataFilter } from '../reading/filters.ts';

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

const readDay = (value: unknown): string => {
  const text = readText(value, 10);
  return isDay(text) && text >= '1970-01-02' && text < '2200-01-01'
    ? text
    : unfit('must be a day between 1970 and 2199, such as 2027-03-31');
};
const dayField = fields.field(readDay, { type: 'string', format: 'date', examples: ['2027-03-31'] });

const readZone = (value: unknown): string => {
  const text = readText(value, 64);
  return isZone(text) ? text : unfit('must be a time zone, such as America/Chicago');
};
const zoneField = fields.field(readZone, { type: 'string', examples: ['America/Chicago'] });

const common = {
  known_at: fields.described(
    fields.timestamp,
    'UNIX time in seconds: entries posted later are left out; default: now',
    1_796_083_200,
  ),
  zone: fields.described(zoneField, 'Time zone of the days; default: that of the account', 'America/Chicago'),
  currency: fields.described(fields.currency, 'Only this currency; default: all, each on its own', 'usd'),
};
/** Days of the reports of what lies ahead, unless a range is asked for. */
const DAYS_AHEAD = 30;
const isAhead = (name: ReportName): boolean => name === 'upcoming' || name === 'scheduled_mrr';
const ofAhead = {
  start: fields.described(dayField, 'First day; default: today', '2027-03-31'),
  end: fields.described(dayField, `Last day; default: ${DAYS_AHEAD} days with the first`, '2027-04-29'),
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
const ofCustomers = metadataParameter('Only customers whose custom fields have these values now');

const MOST_FIELDS = 20;
const readFields = (value: unknown): string[] => {
  const names = [
    ...new Set(
      readText(value, 1000)
        .split(',')
        .map((name) => name.trim()),
    ),
  ];
  return names.length <= MOST_FIELDS ? names : unfit(`may have at most ${MOST_FIELDS} ids`);
};
const readGrouping = (value: unknown): Grouping => {
  const text = readText(value, 100);
  const [, day] = /^(.+):month$/s.exec(text) ?? [];
  return day === undefined ? { column: text, by: 'value' } : { column: day, by: 'month' };
};
const arranging = {
  fields: fields.described(
    fields.field(readFields, { type: 'string', maxLength: 1000 }),
    'Ids of custom fields of customers, comma-separated: each is a column of rows that have a customer',
    'cost_centre,segment',
  ),
  group_by: fields.described(
    fields.field(readGrouping, { type: 'string', maxLength: 100 }),
    'Sums of the rows by a column: one of text, an id, a day or, as `date:month`, the months of its days; by `owner` or `metadata.` and the id of a custom field, if rows have a customer. Currencies stay apart',
    'metadata.segment',
  ),
};
const options: Readonly<Record<string, fields.Field<string>>> = {
  by: fields.described(fields.choice('due_date', 'date'), 'Count ages from the due date (default) or the date', 'date'),
  buckets: fields.described(fields.text(100), 'Last days of the buckets; default: `30,60,90,120`', '30,60,90'),
  ledger_account: fields.described(fields.text(300), 'Only entries of this ledger account', 'receivable'),
  movement: fields.described(fields.choice(...movements), 'Only entries of receivables of this movement', 'paid'),
  group: fields.described(
    fields.choice('day', 'month'),
    'A row for each month or day; default: month for recurring revenue, else all days together',
    'day',
  ),
  bucket: fields.described(fields.text(32), 'Only this bucket', 'days_1_30'),
  item: fields.described(fields.text(64), 'Only this item, by id; `none`: lines without an item', 'consulting'),
  plan: fields.described(fields.text(64), 'Only this plan, by id; `none`: lines without a plan', 'gold'),
  gl_account: fields.described(
    fields.text(255),
    'Only this general ledger account; `none`: revenue without an account',
    '4000',
  ),
  kind: fields.described(fields.text(32), 'Only rows of this kind', 'late_fee'),
  treatment: fields.described(
    fields.choice('taxed', 'reverse_charge', 'untaxed'),
    'Only rows of this treatment',
    'taxed',
  ),
  tax_rate: fields.described(fields.text(64), 'Only this tax rate, by id; `none`: without a rate', 'vat-19'),
  country: fields.described(fields.text(4), 'Only this country, by its code; `none`: unknown', 'DE'),
  state: fields.described(fields.text(255), 'Only this state; `none`: unknown', 'CA'),
};
const declines = Object.keys(declineCodes);

/** Options whose values are particular to a report. */
const ownOptions: Readonly<Partial<Record<ReportName, Readonly<Record<string, fields.Field<string>>>>>> = {
  cash_received: {
    by: fields.described(
      fields.choice('day', 'payment'),
      'A row for each day and method (default) or payment',
      'payment',
    ),
    method: fields.described(fields.text(32), 'Only payments of this method', 'check'),
  },
  promises: {
    by: fields.described(
      fields.choice('customer', 'invoice'),
      'A row for each customer (default) or promise',
      'invoice',
    ),
    outcome: fields.described(fields.choice(...promiseOutcomes), 'With `by=invoice`: only these promises', 'broken'),
  },
  recovery: {
    by: fields.described(
      fields.choice('decline_code', 'invoice'),
      'A row for each reason (default) or invoice',
      'invoice',
    ),
    outcome: fields.described(fields.choice(...recoveryOutcomes), 'With `by=invoice`: only these invoices', 'lost'),
    decline_code: fields.described(fields.choice(...declines), 'With `by=invoice`: only this reason', 'expired'),
  },
  upcoming: {
    by: fields.described(
      fields.choice('day', 'customer', 'subscription'),
      'A row for each day (default), customer, or subscription and day',
      'day',
    ),
  },
};

/** The options of a report. */
function optionsOf(name: ReportName): Readonly<Record<string, fields.Field<string>>> {
  const { options: names, details = [] } = reports[name];
  const detail = fields.described(
    fields.choice(...details),
    'More columns, and a row for each of their values; default: none',
    details[0] ?? '',
  );
  const known: typeof options = { ...options, detail, ...ownOptions[name] };
  return Object.fromEntries(names.flatMap((one) => (known[one] ? [[one, known[one]]] : [])));
}

const format = fields.described(fields.choice('json', 'csv'), '`csv`: as a CSV file', 'csv');

function parametersOf(name: ReportName): Readonly<Record<string, fields.Field<unknown>>> {
  const { isByCustomer } = reports[name];
  const span: Readonly<Record<string, fields.Field<unknown>>> = isOfDay(name)
    ? ofDay
    : isAhead(name)
      ? ofAhead
      : ofRange;
  return { ...span, ...common, ...(isByCustomer ? byCustomer : {}), ...optionsOf(name), ...arranging, format };
}

/** The days of a report. `read` reads a parameter; null: it is absent. */
function daysIn(name: ReportName, zone: string, today: string, read: (param: string) => string | null): Days {
  if (isAhead(name)) {
    const firstDay = read('start') ?? today;
    return daysOf(firstDay, read('end') ?? addDaysToDay(firstDay, DAYS_AHEAD - 1), zone);
  }
  const isDay = isOfDay(name);
  const lastDay = read(isDay ? 'as_of' : 'end') ?? today;
  return daysOf(isDay ? lastDay : (read('start') ?? `${lastDay.slice(0, 7)}-01`), lastDay, zone);
}

/** Reads the parameters of a report. Absent ones have their defaults. */
function askedIn({ query, caller, deps }: ApiRequest, name: ReportName): Asked {
  refuseRepeated(query);
  const read = <Value>(param: string, field: fields.Field<Value>): Value | null => {
    const text = query.get(param) ?? '';
    return text === '' ? null : (readParameter(field, text, param) ?? null);
  };
  const { account } = caller;
  const now = deps.systemNow();
  const zone = read('zone', zoneField) ?? account.timeZone;
  const days = daysIn(name, zone, localDay(now.getTime(), zone), (param) => read(param, dayField));
  // Customers on test clocks have entries in the future: a report of a future day shows them.
  const knownAt = read('known_at', fields.timestamp) ?? new Date(Math.max(now.getTime(), days.until.getTime()));
  const given = Object.entries(optionsOf(name)).flatMap(([option, field]) => {
    const value = read(option, field);
    return value ? [[option, value] as const] : [];
  });
  return {
    accountId: account.id,
    now,
    days,
    zone,
    knownAt,
    currency: read('currency', fields.currency),
    customer: read('customer', id),
    owner: read('owner', id),
    metadata: metadataIn(query),
    options: Object.fromEntries(given),
    fields: read('fields', arranging.fields) ?? [],
    groupBy: read('group_by', arranging.group_by),
  };
}

/** The values of custom fields that customers must have. */
function metadataIn(query: URLSearchParams): Record<string, string> {
  const given = [...query].flatMap(([name, text]) => {
    const inBrackets = bracketed(name);
    return inBrackets?.kind === 'metadata' ? [readMetadataFilter(inBrackets.key, name, text)] : [];
  });
  return Object.fromEntries(given);
}

async function answer(request: ApiRequest, name: ReportName): Promise<Reply> {
  const asked = askedIn(request, name);
  const isCsv = wantsCsv(request);
  const found = await runReport(request.em, name, asked);
  if (isCsv) return { statusCode: 200, json: null, csv: { name: `${name}.csv`, lines: reportAsCsv(found) } };
  const { title, definition } = reports[name];
  return reply(200, presentReport({ name, title, definition }, asked, found));
}

function routeOf(name: ReportName): Route {
  const { title, isByCustomer } = reports[name];
  const words = name.replaceAll(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());
  return {
    method: 'GET',
    path: `/reports/${name}`,
    operationId: `read${words}Report`,
    permission: 'reports.read',
    summary: `${title}, as JSON or CSV`,
    parameters: {
      ...Object.fromEntries(
        Object.entries(parametersOf(name)).map(([key, field]) => [key, { schema: schemaOf(field) }]),
      ),
      ...(isByCustomer ? { metadata: ofCustomers } : {}),
    },
    media: ['csv'],
    ...(isByCustomer ? {} : { ofAllCustomers: true }),
    answer: { statusCode: 200, kind: { shape: report } },
    handle: (request) => answer(request, name),
  };
}

export const reportRoutes: Route[] = reportNames.map(routeOf);
