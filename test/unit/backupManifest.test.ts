import { expect, test } from '@jest/globals';
import { type Manifest, newManifest, parseManifest, refuseUnfit, type TablePart } from '../../bin/backup/manifest.ts';

/** A manifest with one part of each kind. */
function manifest(over: Partial<Manifest> = {}): Manifest {
  const sha256 = 'ab'.repeat(32);
  const path = 'tables/public.item.json.gz';
  const columns = ['account_id', 'id'];
  const item: TablePart = { path, bytes: 40, sha256, schema: 'public', table: 'item', columns, rows: 2 };
  return {
    ...newManifest({
      version: '0.1.0',
      migration: '0014_refunds',
      created_at: '2026-11-22T10:00:00.123Z',
      key_fingerprint: '0123456789abcdef',
      file_store: 'disk',
      tables: [item],
      sequences: [{ name: 'item_id_seq', last: '2' }],
      files: [{ path: 'files/2/0123456789abcdef', bytes: 3, sha256 }],
    }),
    ...over,
  };
}

const own = { keyFingerprint: '0123456789abcdef', migrations: ['0001_initial', '0014_refunds'] };

test('a manifest is read as it was written, and fits its own key and version', () => {
  const written = manifest();
  expect(parseManifest(JSON.stringify(written))).toEqual(written);
  expect(() => refuseUnfit(written, own)).not.toThrow();
});

test('a backup of an unknown format is refused by its number', () => {
  const later = JSON.stringify({ ...manifest(), format: 2, tables: 'elsewhere' });
  expect(() => parseManifest(later)).toThrow('The backup has the format 2; this version reads the format 1');
});

test('another key and a migration that this version does not know are refused, each by its name', () => {
  const foreign = manifest({ key_fingerprint: 'fedcba9876543210' });
  expect(() => refuseUnfit(foreign, own)).toThrow(/another encryption key \(fingerprint fedcba9876543210\)/);
  const later = manifest({ migration: '0099_later', version: '0.9.0' });
  expect(() => refuseUnfit(later, own)).toThrow(/migration 0099_later.*with version 0\.9\.0/);
});

const [table] = manifest().tables;
const [file] = manifest().files;

test.each<[string, object, string]>([
  ['a path that leaves the folder', { files: [{ ...file, path: 'files/../secret' }] }, 'files.0.path'],
  ['an absolute path', { files: [{ ...file, path: '/etc/passwd' }] }, 'files.0.path'],
  ['a name that is not one of a table', { tables: [{ ...table, table: 'item; drop' }] }, 'tables.0.table'],
  ['a foreign schema', { tables: [{ ...table, schema: 'pg_catalog' }] }, 'tables.0.schema'],
  ['a hash that is cut short', { tables: [{ ...table, sha256: 'ab' }] }, 'tables.0.sha256'],
  ['a sequence without a number', { sequences: [{ name: 'item_id_seq', last: 'x' }] }, 'sequences.0.last'],
  ['no fingerprint', { key_fingerprint: undefined }, 'key_fingerprint'],
  ['another product', { product: 'other' }, 'product'],
])('a manifest with %s is damaged', (_what, over, place) => {
  const damaged = JSON.stringify({ ...manifest(), ...over });
  expect(() => parseManifest(damaged)).toThrow(`manifest.json of the backup is damaged: ${place}`);
});

test('text that is not JSON is damaged', () => {
  expect(() => parseManifest('{"format": 1')).toThrow('it is not JSON');
});
