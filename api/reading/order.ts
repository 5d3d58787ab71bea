import { unknownName } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Direction, SortColumn } from '../../db/queries/kernel/keyset.ts';
import { tableOf } from '../../db/queries/kernel/plain.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { Column, Resource } from '../framework/resource.ts';

type Order = NonNullable<Resource<object>['order']>;

const BY_ID = { column: 'id', direction: 'asc' } as const;
export const NEWEST = { column: 'id', direction: 'desc' } as const;

/** The order that is requested, or the usual one. Throws a Refusal for an unknown column or direction. */
export function orderOf<Row extends object>(
  { em, query }: ApiRequest,
  resource: Resource<Row>,
  usual: Order = resource.order ?? [BY_ID],
): SortColumn[] {
  const { nullable } = tableOf(em, resource.row);
  const plain = ({ column, direction }: Order[number]) => ({ column, direction, nullable: nullable.has(column) });
  const wanted = (query.get('sort') ?? '').split(',').filter((part) => part.trim() !== '');
  const named = wanted.map((part) => sortBy(part, resource));
  refuseTwice(named);
  const later = named.slice(1).find(({ sort }) => typeof sort === 'function' && sort('asc').some(isJoined));
  if (later) throw new Refusal('parameter_invalid', `${later.name} can only be the first column of sort`, 'sort');
  const columns = named.flatMap(({ sort, direction }) =>
    typeof sort === 'function' ? sort(direction) : [plain({ column: sort, direction })],
  );
  if (columns.length === 0) return usual.map(plain);
  if (columns.some(({ column }) => column === BY_ID.column)) return columns;
  const { sort, direction } = named.at(-1) ?? {};
  // The index has the rows that tie in both directions at once.
  return [...columns, plain({ ...BY_ID, direction: typeof sort === 'function' && direction ? direction : 'asc' })];
}

/** Whether the column is not in the table itself, so that no index has it behind another one. */
function isJoined({ isOfCustomer, nulls }: SortColumn): boolean {
  return isOfCustomer === true || nulls !== undefined;
}

/** Throws a Refusal for a column that is named twice. This also limits the number of columns. */
function refuseTwice(columns: readonly { name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) throw new Refusal('parameter_invalid', `sort must not repeat a column: ${name}`, 'sort');
    seen.add(name);
  }
}

interface Named {
  name: string;
  sort: NonNullable<Column['sort']>;
  direction: Direction;
}

function sortBy<Row extends object>(part: string, { columns }: Resource<Row>): Named {
  const [name = '', direction = 'asc', ...more] = part.trim().toLowerCase().split(/\s+/);
  const sort = Object.hasOwn(columns, name) ? columns[name]?.sort : null;
  const known = Object.keys(columns).filter((key) => columns[key]?.sort);
  if (!sort) throw new Refusal('parameter_invalid', unknownName('sort column', name, known), 'sort');
  if (!isDirection(direction) || more.length > 0)
    throw new Refusal('parameter_invalid', `Sort direction must be asc or desc: ${part.trim()}`, 'sort');
  return { name, sort, direction };
}

function isDirection(text: string): text is Direction {
  return text === 'asc' || text === 'desc';
}
