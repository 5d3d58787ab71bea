import {
  type AnyEntity,
  type EntityData,
  isRaw,
  type LoggingOptions,
  type QueryResult,
  type RawQueryFragment,
  type Transaction,
} from '@mikro-orm/core';
import {
  NativeQueryBuilder,
  PostgreSqlConnection,
  PostgreSqlDriver,
  type PostgreSqlPlatform,
} from '@mikro-orm/postgresql';
import { CompiledQuery, PostgresDialect, type PostgresPool } from 'kysely';
import type { PoolConfig } from 'pg';

type OpenPool = (options: PoolConfig) => PostgresPool;
type Method = 'all' | 'get' | 'run';
type Query = string | NativeQueryBuilder | RawQueryFragment;

/**
 * Sends values as parameters instead of inside the statement, so that the server parses and plans each statement once per connection (see
 * db/pooledConnection.ts). Without this, planning costs as much as execution.
 */
export class PreparedConnection extends PostgreSqlConnection {
  /** `openPool` of the driver's options opens the connections. */
  override createKyselyDialect({ openPool, ...options }: PoolConfig & { openPool: OpenPool }): PostgresDialect {
    return new PostgresDialect({ pool: openPool(this.mapOptions(options)) });
  }

  /** Does nothing. The hook of the ORM creates a schema generator, which fails where `openDatabase` creates the entity manager. */
  protected override async onConnect(): Promise<void> {}

  override async execute<Rows extends QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]>(
    query: Query,
    params: readonly unknown[] | Record<string, unknown> = [],
    ...[method = 'all', transaction, context]: [Method?, Transaction?, LoggingOptions?]
  ): Promise<Rows> {
    if (!isList(params)) throw new Error('statements here have values in order, not by name');
    await this.ensureConnection();
    const { sql, values } = statementOf(query, params);
    const { text, parameters } = withParameters(this.platform, sql, values);
    const send = async (): Promise<Rows> => {
      const result = await (transaction ?? this.getClient()).executeQuery(CompiledQuery.raw(text, parameters));
      return this.transformRawResult<Rows>(result, method);
    };
    return this.executeQuery(sql, send, { query: sql, params: [...values], ...context });
  }
}

function isList(params: readonly unknown[] | Record<string, unknown>): params is readonly unknown[] {
  return Array.isArray(params);
}

/** Statement and values of a query in any of the ORM's forms. */
export function statementOf(query: Query, params: readonly unknown[]): { sql: string; values: readonly unknown[] } {
  const built = query instanceof NativeQueryBuilder ? query.toRaw() : query;
  return isRaw(built) ? { sql: built.sql, values: built.params } : { sql: built, values: params };
}

/** Converts a statement with `?` for values and `??` for names to the server's form: `$1`, `$2`, … with separate values. */
export function withParameters(
  platform: Pick<PostgreSqlPlatform, 'quoteIdentifier'>,
  sql: string,
  values: readonly unknown[],
): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  if (values.length === 0) return { text: sql, parameters };
  const placeholder = (value: unknown): string => {
    if (isRaw(value)) return expand(value.sql, value.params);
    if (Array.isArray(value)) return value.map(placeholder).join(', ');
    return `$${parameters.push(value instanceof Date ? value.toISOString() : (value ?? null))}`;
  };
  const expand = (part: string, given: readonly unknown[]): string => {
    let next = 0;
    return part.replace(/\\\?|\?\??/g, (mark) => {
      if (mark === '\\?') return '?';
      const value = given[next++];
      return mark === '??' ? platform.quoteIdentifier(String(value)) : placeholder(value);
    });
  };
  return { text: expand(sql, values), parameters };
}

/** MikroORM's PostgreSQL driver with prepared statements. */
export class PreparedDriver extends PostgreSqlDriver {
  // The base class creates one of its own kind, which never connects.
  protected override readonly connection = this.#prepared();

  #prepared(): PreparedConnection {
    const connection = new PreparedConnection(this.config);
    connection.setPlatform(this.platform);
    return connection;
  }
}
