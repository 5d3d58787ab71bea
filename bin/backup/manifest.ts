import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../configError.ts';

/** The format of backups that this version writes and reads. */
export const FORMAT = 1;
const PRODUCT = 'perennial';
const MANIFEST = 'manifest.json';

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.number().int().nonnegative();

const partShape = z.object({
  /** Path within the backup. */
  path: z.string().regex(/^(tables|files)(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*){1,2}$/),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const tableShape = partShape.extend({
  schema: z.enum(['public', 'test_gateway']),
  table: identifier,
  columns: z.array(identifier).min(1),
  rows: count,
});

const manifestShape = z.object({
  format: z.literal(FORMAT),
  product: z.literal(PRODUCT),
  /** Version of the product that wrote the backup. */
  version: z.string().max(64),
  /** The last migration of the database. */
  migration: z.string().max(255),
  created_at: z.iso.datetime(),
  /** Fingerprint of the encryption key. The key itself is never in a backup. */
  key_fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  /** `s3`: the backup has no files, because the bucket holds them. */
  file_store: z.enum(['disk', 's3']),
  tables: z.array(tableShape),
  /** The last value of each sequence of the schema public that has one, as text. */
  sequences: z.array(z.object({ name: identifier, last: z.string().regex(/^\d{1,19}$/) })),
  files: z.array(partShape),
});

/** A part of a backup: a file in its folder. */
export type Part = z.output<typeof partShape>;
/** A part that holds the rows of a table. */
export type TablePart = z.output<typeof tableShape>;
/** The list of everything in a backup, and the facts that a restore checks. It contains no secrets. */
export type Manifest = z.output<typeof manifestShape>;

/** The manifest of a new backup. */
export function newManifest(facts: Omit<Manifest, 'format' | 'product'>): Manifest {
  return { format: FORMAT, product: PRODUCT, ...facts };
}

/** Path of the manifest of a backup. */
export function manifestFile(folder: string): string {
  return join(folder, MANIFEST);
}

/** Reads the manifest of a backup. Throws a ConfigError if there is none, or if this version cannot read it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => {
    throw new ConfigError(`${folder} is not a backup: it has no ${MANIFEST}`);
  });
  return parseManifest(text);
}

/** Parses a manifest. Throws a ConfigError for a damaged one and for an unknown format. */
export function parseManifest(text: string): Manifest {
  const value = parsed(text);
  const head = z.object({ format: z.number() }).safeParse(value);
  if (head.success && head.data.format !== FORMAT)
    throw new ConfigError(`The backup has the format ${head.data.format}; this version reads the format ${FORMAT}`);
  const manifest = manifestShape.safeParse(value);
  if (manifest.success) return manifest.data;
  const places = manifest.error.issues.map(({ path }) => path.join('.') || 'all of it');
  throw new ConfigError(`${MANIFEST} of the backup is damaged: ${[...new Set(places)].slice(0, 5).join(', ')}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(`${MANIFEST} of the backup is damaged: it is not JSON`);
  }
}

/** Throws a ConfigError if a backup cannot be restored with this key, or by a version that knows these migrations. */
export function refuseUnfit(manifest: Manifest, own: { keyFingerprint: string; migrations: readonly string[] }): void {
  const { key_fingerprint: needed, migration, version } = manifest;
  if (needed !== own.keyFingerprint)
    throw new ConfigError(
      `The backup was made with another encryption key (fingerprint ${needed}) than the one given (${own.keyFingerprint}). ` +
        'Set PERENNIAL_ENCRYPTION_KEY to that key, or put its file back as encryption.key in the data folder.',
    );
  if (!own.migrations.includes(migration))
    throw new ConfigError(
      `The backup has the migration ${migration}, which this version does not know: restore it with version ${version} or a later one`,
    );
}
