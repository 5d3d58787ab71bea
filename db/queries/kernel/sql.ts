/** A connection, or a transaction on one, that runs statements with $1, $2, … and returns rows. */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}
