import { statementItems, statementTypes } from '../../../billing/statement.ts';
import type { AskedStatement } from '../../../commands/statements/reading.ts';
import * as fields from '../../body/fields.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';

/** The fields of a request for a statement, as parameters of the URL or as fields of a body. */
export const asked = {
  type: fields.described(
    fields.choice(...statementTypes),
    'Kind of statement: `balance_forward` (default) or `open_item`',
    'balance_forward',
  ),
  items: fields.described(
    fields.choice(...statementItems),
    'Items of an open item statement: all that is `open` (default), or invoices that are `past_due`',
    'open',
  ),
  currency: fields.described(
    fields.currency,
    'Currency: three-letter ISO 4217 code; default: the currency of the customer',
    'usd',
  ),
  start: fields.described(
    fields.timestamp,
    'Time on the first day, in the time zone of the account; default: the month of the end, or the oldest open item',
    1_796_083_200,
  ),
  end: fields.described(
    fields.timestamp,
    'Time on the last day, in the time zone of the account; default: now',
    1_798_675_200,
  ),
};

/** The fields of a request as they were read. Absent and null: the default. */
type Read = { [Name in keyof AskedStatement]?: AskedStatement[Name] | undefined };

export function askedStatement({ type, items, currency, start, end }: Read): AskedStatement {
  return {
    type: type ?? null,
    items: items ?? null,
    currency: currency ?? null,
    start: start ?? null,
    end: end ?? null,
  };
}

/** Reads the parameters of a URL. Refuses a repeated one and one that is not valid, naming it. */
export function askedInQuery(query: URLSearchParams): AskedStatement {
  refuseRepeated(query);
  const read = <Value>(name: keyof typeof asked, field: fields.Field<Value>): Value | null => {
    const text = query.get(name) ?? '';
    return text === '' ? null : (readParameter(field, text, name) ?? null);
  };
  return {
    type: read('type', asked.type),
    items: read('items', asked.items),
    currency: read('currency', asked.currency),
    start: read('start', asked.start),
    end: read('end', asked.end),
  };
}
