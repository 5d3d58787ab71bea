import { add, zero } from '../../billing/money/money.ts';
import { unknownName } from '../../billing/money/nearest.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import {
  type Asked,
  type Cell,
  type Column,
  fieldColumn,
  fieldOf,
  fieldTypes,
  type Grouping,
  type ReportName,
  type ReportRow,
  typedCell,
} from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';
import { aboutCustomers } from '../../db/queries/reports/receivables.ts';
import { CustomField } from '../../db/schema/customField.ts';
import { count, id, pathOf, type ReportDefinition, text } from './definition.ts';

/**
 * The custom fields of customers that a report names, as columns by the id of the field. Refuses ids that no field has, such as that of a
 * deleted one.
 */
async function namedFields(em: EntityManager, asked: Asked): Promise<ReadonlyMap<string, Column>> {
  const grouped = asked.groupBy && fieldOf(asked.groupBy.column);
  const named = [
    ...Object.keys(asked.metadata).map((code) => ({ code, param: `metadata[${code}]` })),
    ...asked.fields.map((code) => ({ code, param: 'fields' })),
    ...(grouped ? [{ code: grouped, param: 'group_by' }] : []),
  ];
  if (named.length === 0) return new Map();
  const fields = await em.find(CustomField, { accountId: asked.accountId, object: 'customer' });
  const columns = new Map<string, Column>(
    fields.map(({ code, name: title, type }) => [code, { id: fieldColumn(code), title, type: fieldTypes[type] }]),
  );
  const unknown = named.find(({ code }) => !columns.has(code));
  if (unknown)
    throw new Refusal(
      'parameter_invalid',
      columns.size === 0
        ? `Unknown custom field of customers ${cut(unknown.code)}: there are none`
        : unknownName('custom field of customers', unknown.code, [...columns.keys()]),
      unknown.param,
    );
  return columns;
}

const OWNER = id('owner', 'Owner');

/** How rows become those of the answer. */
export interface Arrangement {
  columns: Column[];
  /** The rows to show of some rows: with their custom fields; none yet, if they are grouped. */
  add(rows: readonly ReportRow[]): Promise<readonly ReportRow[]>;
  /** The groups of all rows that were added. */
  groups(): ReportRow[];
}

interface Arranged {
  name: ReportName;
  definition: ReportDefinition;
  columns: Column[];
}

/**
 * Shows the custom fields that a report is asked for, and groups its rows. Refuses fields that no customer has, fields of rows without a
 * customer, and an unfit column.
 */
export async function arrangement(
  em: EntityManager,
  asked: Asked,
  { name, definition, columns }: Arranged,
): Promise<Arrangement> {
  const { groupBy } = asked;
  const fields = await namedFields(em, asked);
  const hasCustomer = columns.some((column) => column.id === 'customer');
  if (asked.fields.length > 0 && !hasCustomer)
    throw new Refusal('parameter_invalid', 'The rows of this report have no customer', 'fields');
  const chosen = asked.fields.flatMap((code) => fields.get(code) ?? []);
  const further = hasCustomer ? [OWNER, ...fields.values()] : [];
  const key = groupBy && keyColumn([...columns, ...further], groupBy);
  const added = [...new Set([...chosen, ...further.filter((column) => column.id === key?.id)])];
  const isNeeded = added.length > 0 || key?.id === 'customer';
  const known = (rows: readonly ReportRow[]) => (isNeeded ? withCustomers(em, asked, rows) : rows);
  if (key === null || groupBy === null)
    return { columns: [...columns, ...chosen], add: async (rows) => known(rows), groups: () => [] };
  const { isByCustomer } = definition;
  const groups = groupsOf(summed(definition, asked, columns), { key, groupBy }, (more) =>
    isByCustomer ? pathOf(name, asked, { ...asked.options, ...more }) : null,
  );
  return {
    columns: groups.columns,
    add: async (rows) => {
      groups.add(await known(rows));
      return [];
    },
    groups: groups.rows,
  };
}

/** Cell with the name of the customer: a column `name` can be that of something else, or there can be none. */
const NAME = 'customer.name';

/** Adds the name, the owner and the metadata of their customer to the cells of rows. */
async function withCustomers(em: EntityManager, asked: Asked, rows: readonly ReportRow[]): Promise<ReportRow[]> {
  const ids = new Set(rows.flatMap(({ cells: { customer } }) => (typeof customer === 'number' ? [customer] : [])));
  const known = await aboutCustomers(em, asked, [...ids]);
  return rows.map(({ cells, hrefs }) => {
    const { name = null, metadata = {}, owner = null } = known.get(Number(cells.customer)) ?? {};
    const values = Object.entries(metadata).map(([code, value]) => [fieldColumn(code), value]);
    return { cells: { ...cells, [NAME]: name, owner, ...Object.fromEntries(values) }, hrefs };
  });
}

/** The column by which rows are grouped. Refuses one that is unknown or has numbers, unless it is a custom field. */
function keyColumn(columns: readonly Column[], { column, by }: Grouping): Column {
  const isKey = ({ id, type, use }: Column) =>
    by === 'month' ? type === 'day' : type === 'text' || type === 'day' || use === 'id' || fieldOf(id) !== null;
  const possible = columns.filter(isKey);
  const found = possible.find((one) => one.id === column);
  if (found) return by === 'month' ? text(found.id, found.title) : found;
  const names = possible.map((one) => (by === 'month' ? `${one.id}:month` : one.id));
  if (possible.includes(OWNER)) names.push('metadata.<id of a custom field of customers>');
  throw new Refusal('parameter_invalid', `group_by must be one of ${names.join(', ')}: ${cut(column)}`, 'group_by');
}

/** The columns that have a sum. */
export function summed({ unsummed }: ReportDefinition, asked: Asked, columns: readonly Column[]): Column[] {
  const without = unsummed?.(asked) ?? [];
  return columns.filter(({ id, type, use }) => (type === 'money' || use === 'count') && !without.includes(id));
}

/** Groups are kept in memory until all rows are read. */
const MOST_GROUPS = 100_000;

/** Sums of `columns` by a column and the currency, in their order. `pathTo`: the path of the rows with a value. */
function groupsOf(
  columns: readonly Column[],
  { key, groupBy: { by } }: { key: Column; groupBy: Grouping },
  pathTo: (more: Record<string, Cell>) => string | null,
) {
  const valueIn = (cells: ReportRow['cells']): Cell => {
    const value = cells[key.id] ?? null;
    if (by === 'value' || value === null) return value;
    return typedCell({ ...key, type: 'day' }, value).type === 'day' ? String(value).slice(0, 7) : value;
  };
  const names = key.id === 'customer' ? [text('name', 'Name')] : [];
  const currencies = key.id === 'currency' ? [] : [text('currency', 'Currency')];
  const groups = new Map<string, Record<string, Cell>>();
  const sumsOf = (place: string, first: () => Record<string, Cell>): Record<string, Cell> => {
    const known = groups.get(place);
    if (known) return known;
    if (groups.size === MOST_GROUPS)
      throw new Refusal('limit_exceeded', `The report has more than ${MOST_GROUPS} groups: filter it`, 'group_by');
    const sums = first();
    groups.set(place, sums);
    return sums;
  };
  return {
    columns: [key, ...names, ...currencies, count('rows', 'Rows'), ...columns],
    add(rows: readonly ReportRow[]): void {
      for (const { cells } of rows) {
        const value = valueIn(cells);
        const code = String(cells.currency);
        const named = names.length > 0 ? { name: cells[NAME] ?? null } : {};
        const place = JSON.stringify([code, value]);
        const sums = sumsOf(place, () => ({ [key.id]: value, ...named, currency: code, rows: 0 }));
        sums.rows = Number(sums.rows) + 1;
        for (const { id, type } of columns) sums[id] = plus(type === 'money' ? code : null, sums[id], cells[id]);
      }
    },
    rows: (): ReportRow[] =>
      [...groups.values()]
        .sort(inOrder(key))
        .map((cells) => ({ cells, hrefs: hrefsOf(key.id, cells, by === 'month' ? () => null : pathTo) })),
  };
}

/** The sum of two cells. `currency` null: they are numbers of something. */
function plus(currency: string | null, one: Cell | undefined, other: Cell | undefined): Cell {
  if (currency === null) return Number(one ?? 0) + Number(other ?? 0);
  return add(String(one ?? zero(currency)), String(other ?? '0'));
}

/** By currency, then by the key, texts after numbers; customers by name. Rows without a value are last. */
function inOrder(key: Column): (one: Record<string, Cell>, other: Record<string, Cell>) => number {
  const placeOf = (cells: Record<string, Cell>): Cell => {
    if (key.id === 'customer') return cells.name ?? null;
    const { type, value } = typedCell(key, cells[key.id] ?? null);
    return type === 'number' && value !== null ? Number(value) : value;
  };
  return (one, other) => {
    const [left, right] = [placeOf(one), placeOf(other)];
    const isNumber = typeof left === 'number' && typeof right === 'number';
    return (
      String(one.currency).localeCompare(String(other.currency)) ||
      Number(left === null) - Number(right === null) ||
      Number(typeof left === 'string') - Number(typeof right === 'string') ||
      (isNumber ? left - right : String(left).localeCompare(String(right)))
    );
  };
}

function hrefsOf(
  key: string,
  cells: Record<string, Cell>,
  pathTo: (more: Record<string, Cell>) => string | null,
): Record<string, string> {
  const value = cells[key] ?? null;
  const code = fieldOf(key);
  const isFilter = key === 'customer' || key === 'owner' || key === 'currency' || code !== null;
  const currency = cells.currency ?? null;
  const more = { currency, [code === null ? key : `metadata[${code}]`]: value };
  const path = isFilter && value !== null ? pathTo(more) : null;
  return {
    ...(key === 'customer' && value !== null ? { customer: `/customers/${value}` } : {}),
    ...(path === null ? {} : { rows: path }),
  };
}
