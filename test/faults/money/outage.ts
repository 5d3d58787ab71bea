import pg from 'pg';
import type { Product } from '../../support/product.ts';

/**
 * Puts a table of the test gateway out of its reach: without `operation` it cannot be reached at all; without `source` it accepts
 * operations but fails to do what concerns a stored source. Answers what brings it back.
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
