import { type Connection, connect } from '../../workers/connection.ts';

/**
 * Settings that reading and writing rows as text depend on: values lose nothing, and mean the same in any other database. No limit of time
 * ends a session that reads or writes a whole database.
 */
const SETTINGS = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  row_security: 'off',
  default_transaction_read_only: 'off',
  lock_timeout: '0',
  statement_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};

/** Opens a connection of a backup or restore, whatever the settings of the server, the database and the owner are. */
export async function openSession(url: string): Promise<Connection> {
  const connection = await connect(url);
  try {
    // Earlier versions of PostgreSQL have no `transaction_timeout`.
    await connection.query(
      `select set_config(s.name, own.value, false) from json_each_text($1::json) own join pg_settings s on lower(s.name) = own.key`,
      [JSON.stringify(SETTINGS)],
    );
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
