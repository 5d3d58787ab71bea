import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createClient } from '../../client/index.ts';
import { createApiKey } from '../../commands/accounts/apiKeys.ts';
import { Account } from '../../db/schema/account.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Product } from './product.ts';
import { until } from './wait.ts';

/** A job at its end. */
export function jobAtEnd({ client }: Product, id: number) {
  return until(
    async () => {
      const job = await client.get('/jobs/{id}', { id });
      if (job.status === 'queued' || job.status === 'running') throw new Error(job.status);
      return job;
    },
    { what: `the end of job ${id}` },
  );
}

/** The answer to a request for the file of a job. */
export function fileOfJob({ url, key }: Pick<Product, 'url' | 'key'>, id: number): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  return fetch(`${url}/jobs/${id}/file`, { headers: { authorization } });
}

interface WrittenReport {
  rows: Record<string, unknown>[];
  totals: object[];
  parameters: object;
}

/** The report that a job wrote as JSON. */
export async function reportOfJob(product: Pick<Product, 'url' | 'key'>, id: number): Promise<WrittenReport> {
  return JSON.parse(await (await fileOfJob(product, id)).text());
}

/** Number of files in the file store of a product. */
export function filesIn({ config: { files } }: Product): number {
  const folder = 'folder' in files ? files.folder : '';
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length;
}

/** A new member that sees only its own customers, and a client with its key. */
export async function limitedMember(product: Product, now: Date) {
  const { deps, accountId, url } = product;
  const account = await deps.em.fork().findOneOrFail(Account, { id: accountId });
  const [member] = await product.rows<{ id: number }>(
    `insert into member (account_id, email, role, is_limited, status, created_at, updated_at)
     values (?, ?, 'account_manager', true, 'active', now(), now()) returning id`,
    [account.twinId, `${randomUUID()}@example.com`],
  );
  const memberId = member?.id ?? 0;
  const { key } = await inTransaction(deps.em, (em) =>
    createApiKey(em, { account, name: 'Limited', scope: 'read_write', expiresAt: null, memberId }, now),
  );
  return { memberId, key, client: createClient({ baseUrl: url, apiKey: key, retries: 0 }) };
}
