import {
  type Asked,
  DAYS_AHEAD,
  type Days,
  daysOf,
  type Grouping,
  isAhead,
  isOfDay,
  type ReportName,
} from '../../../billing/reports/report.ts';
import { addDaysToDay, isZone, localDay } from '../../../billing/time/calendar.ts';
import { reports } from '../../../commands/reports/reports.ts';
import type { Account } from '../../../db/schema/account.ts';
import * as fields from '../../body/fields.ts';
import { LARGEST_ID, readText, unfit } from '../../body/readers.ts';
import { bracketed } from '../../framework/parameterNames.ts';
import { metadataParameter } from '../../framework/parameters.ts';
import { readParameter } from '../../framework/resource.ts';
import { readMetadataFilter } from '../../reading/filters.ts';
import { optionsOf } from './options.ts';

const readZone = (value: unknown): string => {
  const text = readText(value, 64);
  return isZone(text) ? text : unfit('must be a time zone, such as America/Chicago');
};
export const zoneField = fields.field(readZone, { type: 'string', examples: ['America/Chicago'] });

const common = {
  known_at: fields.described(
    fields.timestamp,
    'UNIX time in seconds: entries posted later are left out; default: now, or the latest time of a test clock',
    1_796_083_200,
  ),
  zone: fields.described(zoneField, 'Time zone of the days; default: that of the account', 'America/Chicago'),
  currency: fields.described(fields.currency, 'Only this currency; default: all, each on its own', 'usd'),
};
const ofAhead = {
  start: fields.described(fields.day, 'First day; default: today', '2027-03-31'),
  end: fields.described(fields.day, `Last day; default: ${DAYS_AHEAD} days with the first`, '2027-04-29'),
};
const ofDay = { as_of: fields.described(fields.day, 'The day at whose end it is; default: today', '2027-03-31') };
const ofRange = {
  start: fields.described(fields.day, 'First day; default: the first day of the month of `end`', '2027-03-01'),
  end: fields.described(fields.day, 'Last day; default: today', '2027-03-31'),
};
const id = fields.wholeNumber(1, LARGEST_ID);
const byCustomer = {
  customer: fields.described(id, 'Only this customer, by id', 15),
  owner: fields.described(id, 'Only the customers of this member, by id', 3),
  owner_on: fields.described(fields.day, 'The day at whose end owners count; default: the last day', '2027-03-31'),
};
/** Filter by custom fields, of reports about customers. */
export const ofCustomers = metadataParameter('Only customers whose custom fields have these values now');

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
/** The parameters of a report, its format and custom fields excepted. */
export function reportParameters(name: ReportName): Readonly<Record<string, fields.Field<unknown>>> {
  const { isByCustomer } = reports[name];
  const span: Readonly<Record<string, fields.Field<unknown>>> = isOfDay(name)
    ? ofDay
    : isAhead(name)
      ? ofAhead
      : ofRange;
  return { ...span, ...common, ...(isByCustomer ? byCustomer : {}), ...optionsOf(name), ...arranging };
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

/** Names of its parameters in the field `parameters` of a body. */
export const reportParameterNames = (name: ReportName): string[] => [
  ...Object.keys(reportParameters(name)),
  ...(reports[name].isByCustomer ? ['metadata'] : []),
];

/** What a report is asked for. `query`: its parameters; empty ones are absent. */
export interface Asking {
  account: Pick<Account, 'id' | 'timeZone' | 'environment'>;
  now: Date;
  /** The default of `known_at`, in whole seconds, as `latestKnown` reads it. */
  latest: Date;
  query: URLSearchParams;
}

/** Reads the parameters of a report. Absent ones have their defaults. */
export function readAsked(name: ReportName, { account, now, latest, query }: Asking): Asked {
  const read = <Value>(param: string, field: fields.Field<Value>): Value | null => {
    const text = query.get(param) ?? '';
    return text === '' ? null : (readParameter(field, text, param) ?? null);
  };
  const zone = read('zone', zoneField) ?? account.timeZone;
  const days = daysIn(name, zone, localDay(now.getTime(), zone), (param) => read(param, fields.day));
  // Entries of a deleted test clock may lie in the future, their reversal does not.
  const until = account.environment === 'sandbox' ? days.until.getTime() : 0;
  const knownAt = read('known_at', fields.timestamp) ?? new Date(Math.max(latest.getTime(), until));
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
    ownerOn: read('owner_on', fields.day),
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
