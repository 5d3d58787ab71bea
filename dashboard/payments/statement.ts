import type { Answer, Body, Client } from '../../client/index.ts';

export type Tried = Answer<'post', '/payments/import'>;
export type StatementRow = Tried['rows'][number];
export type Reading = NonNullable<Tried['reading']>;
export type Column = Extract<keyof NonNullable<Reading['mapping']>, string>;
export type DateFormat = NonNullable<Reading['date_format']>;

/** How days can be written in a statement. */
const formats: Readonly<Record<DateFormat, true>> = {
  'YYYY-MM-DD': true,
  'YYYY/MM/DD': true,
  YYYYMMDD: true,
  'DD.MM.YYYY': true,
  'DD.MM.YY': true,
  'DD/MM/YYYY': true,
  'DD/MM/YY': true,
  'DD-MM-YYYY': true,
  'MM/DD/YYYY': true,
  'DD MMM YYYY': true,
};
export const dateFormats = Object.keys(formats);

/** The columns that a statement can have, in the order in which they are asked for. */
export const columns: readonly Column[] = [
  'date',
  'amount',
  'debit',
  'direction',
  'currency',
  'payer',
  'reference',
  'sender',
];

/** What a person chose instead of what was proposed. A column of which nothing is said is left as it was proposed. */
export interface Chosen {
  mapping?: Readonly<Partial<Record<Column, string>>>;
  date_format?: string;
  decimal_separator?: string;
  skip_rows?: string;
}

/** The fields of the request beside the file. Empty texts are left out. */
function fieldsOf(chosen: Chosen): [string, string][] {
  const { mapping = {}, ...others } = chosen;
  const named = Object.entries(mapping).map(([column, name]): [string, string | undefined] => [
    `mapping[${column}]`,
    name,
  ]);
  return [...named, ...Object.entries(others)].flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
}

/** A statement with how it is read. */
export interface Statement {
  file: File;
  chosen: Chosen;
}

function formOf({ file, chosen }: Statement, more: readonly [string, string][]): Body<'post', '/payments/import'> {
  const form = new FormData();
  form.append('file', file);
  for (const [name, value] of [...fieldsOf(chosen), ...more]) form.append(name, value);
  return form;
}

/** Reads a statement, and stores nothing. */
export function readStatement(api: Client, statement: Statement): Promise<Tried> {
  const more: [string, string][] = statement.chosen.mapping ? [['propose', 'true']] : [];
  return api.post('/payments/import', formOf(statement, [['dry_run', 'true'], ...more]));
}

/** What a reading says, as a person would have chosen it. */
export function chosenIn({
  mapping,
  date_format: date,
  decimal_separator: decimal,
  skip_rows: skipped,
}: Reading): Chosen {
  const named = Object.entries(mapping ?? {}).flatMap(([column, name]) => (name === null ? [] : [[column, name]]));
  return {
    mapping: Object.fromEntries(named),
    ...(date === null ? {} : { date_format: date }),
    ...(decimal === null ? {} : { decimal_separator: decimal }),
    ...(skipped === null ? {} : { skip_rows: String(skipped) }),
  };
}

/** Imports a statement as it was read. */
export const importStatement = (api: Client, { file }: Pick<Statement, 'file'>, reading: Reading): Promise<Tried> =>
  api.post('/payments/import', formOf({ file, chosen: reading.format === 'csv' ? chosenIn(reading) : {} }, []));

/** How many rows have each status. */
export function countsOf(rows: readonly StatementRow[]): Readonly<Record<StatementRow['status'], number>> {
  const counts = { created: 0, duplicate: 0, ignored: 0, refused: 0 };
  for (const { status } of rows) counts[status] += 1;
  return counts;
}

/** Ids of the payments that an import made. */
export const madeBy = ({ rows }: Tried): number[] =>
  rows.flatMap(({ status, payment }) => (status === 'created' && payment ? [payment] : []));

/** The rows as they were shown, with what became of each. */
export const withAnswers = (rows: readonly StatementRow[], made: Tried): Tried => ({
  rows: made.rows.map((row, place) => ({ ...rows[place], ...row })),
});
