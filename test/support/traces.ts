import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { Client, Connection } from '@temporalio/client';
import { readableHistory } from './histories.ts';
import type { Product } from './product.ts';
import { temporalAddress } from './temporal.ts';

/** Searches for secrets in what a run leaves behind. */

/** The test gateway stands for a company outside the product, which knows its cards. */
const OUTSIDE = ['test_gateway', 'pg_catalog', 'information_schema'];

/** Texts of a run, by the place where they are: a table, a history, a mail, a file. */
export type Traces = Record<string, string>;

/** All rows of all tables of the product; `schemas`: others instead. */
export async function rowsOf(product: Product, schemas?: readonly string[]): Promise<Traces> {
  const tables = await product.rows<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and not c.relispartition order by 1, 2`,
  );
  const traces: Traces = {};
  const isWanted = (schema: string) => schemas?.includes(schema) ?? !(OUTSIDE.includes(schema) || /^pg_/.test(schema));
  for (const { schema, name } of tables.filter((table) => isWanted(table.schema))) {
    const rows = await product.rows<{ row: string }>(`select t::text as row from "${schema}"."${name}" t`);
    traces[`table ${name}`] = rows.map(({ row }) => row).join('\n');
  }
  return traces;
}

/** The histories of all processes of a product. */
export async function historiesOf(product: Pick<Product, 'deps'>): Promise<Traces> {
  const connection = await Connection.connect({ address: temporalAddress() });
  try {
    const client = new Client({ connection });
    const { id } = product.deps.deployment;
    const traces: Traces = {};
    for await (const { workflowId, memo } of client.workflow.list({ query: `WorkflowId STARTS_WITH "${id}/"` }))
      traces[`history ${workflowId}`] = `${JSON.stringify(memo)} ${await readableHistory(client, workflowId)}`;
    return traces;
  } finally {
    await connection.close();
  }
}

/** Mails with their headers and attachments. */
export function mailsOf({ mailbox }: Product): Traces {
  const texts = mailbox.messages().map(({ headers, text, html, files }, n) => {
    const attached = files.map(({ name, bytes }) => `${name} ${textOf(bytes)}`);
    return [`mail ${n}`, [JSON.stringify(headers), text, html, ...attached].join('\n')];
  });
  return Object.fromEntries(texts);
}

/** All files below a folder. */
export async function filesOf(folder: string): Promise<Traces> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(await Promise.all(files.map(async (path) => [path, textOf(await readFile(path))])));
}

/** The bytes as text, followed by the streams that they compress, as PDFs do. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, stream = '']) => {
    try {
      return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return [text, ...streams].join('\n');
}

/** The places that show one of these secrets, in clear or in a usual encoding, as `<place>: <name of the secret>`. */
export function leaksIn(traces: Traces, secrets: Readonly<Record<string, string>>): string[] {
  const wanted = Object.entries(secrets).map(([name, secret]) => ({ name, spellings: spellingsOf(secret) }));
  return Object.entries(traces).flatMap(([place, text]) => {
    const whole = `${text}\n${joined(text)}`;
    const found = wanted.filter(({ spellings }) => spellings.some((spelling) => whole.includes(spelling)));
    return found.map(({ name }) => `${place}: ${name}`);
  });
}

/** Groups of digits that spaces or hyphens separate, as one number. */
const joined = (text: string): string => text.replaceAll(/(?<=\d)[ -](?=\d)/g, '');

/** A secret as it may be written: itself, in an address, in hexadecimal digits, in base64 at each of the three offsets. */
function spellingsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${'.'.repeat(offset)}${secret}`)
      .toString('base64')
      .replaceAll('=', '');
    return encoded.slice(offset === 0 ? 0 : 4, -2); // the ends depend on the text around it
  });
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...base64];
}
