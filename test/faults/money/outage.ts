import pg from 'pg';
import type { Product } from '../../support/product.ts';

/**
 * Renames a table of the test gateway. Without `operation` the gateway cannot be reached. Without `source` it accepts operations, but those
 * on stored sources fail. Returns a function that restores the table.
 */
export async function gatewayWithout(product: Product, table: 'operation' | 'source'): Promise<() => Promise<void>> {
  await asOwner(product, `alter table test_gateway.${table} rename to ${table}_away`);
  return () => asOwner(product, `alter table test_gateway.${table}_away rename to ${table}`);
}

async function asOwner(product: Product, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: product.config.databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
