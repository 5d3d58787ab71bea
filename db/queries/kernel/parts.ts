import { orderBy, type Part, type SortColumn } from './keyset.ts';
import { all, type Condition, condition } from './sql.ts';

/**
 * Rows that are found before they are ordered, then those of a part. The selection ends with `offset 0`, which PostgreSQL does not merge into the
 * query around it.
 */
export function apart(
  { sql, values }: Condition,
  { part, ofCustomers }: { part: Part; ofCustomers: boolean },
): Condition {
  const near = ofCustomers ? withCustomers(`(${sql})`) : `(${sql})`;
  return condition(`select * from ${near} as near where ${part.where.sql}`, ...values, ...part.where.values);
}

/** SQL: rows of a table or a query, each with the name and id of its customer. */
export function withCustomers(rows: string): string {
  return `(select d.*, c.name as ${CUSTOMER_NAME}, c.id as ${CUSTOMER_KEY} from ${rows} d
        left join customer c on c.account_id = d.account_id and c.id = d.customer_id)`;
}

/**
 * SQL: rows in the order of their customers' names: an index has the customers in this order, and another one the rows of each. Of each
 * customer at most a page is read, however many rows it has. Rows without a customer have no name.
 */
export function alongCustomers(
  { ofCustomer, own, order }: Part,
  { table, accountId, where, limit }: { table: string; accountId: number; where: Condition; limit: number },
): Condition {
  const of = (customer: string) =>
    condition(
      `select * from ${table} where account_id = ? and customer_id ${customer} and (${where.sql}) and (${own.sql})`,
      accountId,
      ...where.values,
      ...own.values,
    );
  if (ofCustomer.sql.includes(`${CUSTOMER_NAME} is null`)) {
    const { sql, values } = of('is null');
    return condition(
      `select *, null as ${CUSTOMER_NAME}, null::int as ${CUSTOMER_KEY} from (${sql}) as those`,
      ...values,
    );
  }
  const { sql, values } = of(`= c.${CUSTOMER_KEY}`);
  const ownOrder = order.filter(({ isOfCustomer }) => !isOfCustomer);
  return condition(
    `select d.*, c.${CUSTOMER_NAME}, c.${CUSTOMER_KEY} from (
       select * from (select name as ${CUSTOMER_NAME}, id as ${CUSTOMER_KEY} from customer where account_id = ?) as named
       where ${ofCustomer.sql}
     ) c cross join lateral (${sql} order by ${orderBy(ownOrder)} limit ${limit}) d`,
    accountId,
    ...ofCustomer.values,
    ...values,
  );
}

/** Columns of orders by the name of the customer. */
export const CUSTOMER_NAME = 'customer_name';
export const CUSTOMER_KEY = 'customer_key';

/** Divides parts by conditions, of which each row meets one. */
export function split(parts: readonly Part[], alternatives: readonly Condition[] = []): readonly Part[] {
  if (alternatives.length === 0) return parts;
  return parts.flatMap((part) => alternatives.map((one) => ({ ...part, where: all([one, part.where]) })));
}

/** Reads parts one after the other until there are enough rows, so that a part is not searched in vain. */
export async function inTurn<Found>(
  parts: readonly Part[],
  limit: number,
  read: (part: Part, limit: number) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const part of parts) if (found.length < limit) found.push(...(await read(part, limit - found.length)));
  return found;
}

/** Concatenates selections and takes a slice; an index has each selection in the order of its part. */
export function merged(
  selections: readonly Condition[],
  parts: readonly Part[],
  { order, limit, offset }: { order: readonly SortColumn[]; limit: number; offset: number },
): Condition {
  const wanted = (by: readonly SortColumn[]) => `${by.length === 0 ? '' : `order by ${orderBy(by)}`} limit ? offset ?`;
  const [only, ...more] = selections;
  if (only && more.length === 0)
    return condition(`${only.sql} ${wanted(parts[0]?.order ?? order)}`, ...only.values, limit, offset);
  const each = selections.map(({ sql }, index) => `(${sql} ${wanted(parts[index]?.order ?? order)})`);
  const values = selections.flatMap((selection) => [...selection.values, limit + offset, 0]);
  return condition(`select * from (${each.join(' union all ')}) as parts ${wanted(order)}`, ...values, limit, offset);
}
