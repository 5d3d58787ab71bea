import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../db/database.ts';
import { isUnavailable } from '../../db/failure.ts';

/** While the database is unavailable, steps wait. Any other failure counts against the step. */

async function failureOf(url: string): Promise<unknown> {
  const orm = openDatabase({ urls: { app: url, system: url }, poolSize: 1 });
  const failure = await orm.em
    .fork()
    .execute('select 1')
    .catch((error: unknown) => error);
  await orm.close(true);
  return { code: Object(failure).code, unavailable: isUnavailable(failure) };
}

test('a refused port and a missing Unix socket count as an unavailable database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sockets-'));
  const socket = `postgres://a:b@localhost/name?host=${encodeURIComponent(folder)}`;
  expect(await failureOf('postgres://a:b@127.0.0.1:1/name')).toEqual({ code: 'ECONNREFUSED', unavailable: true });
  expect(await failureOf(socket)).toEqual({ code: 'ENOENT', unavailable: true });
  await rm(folder, { recursive: true });
});

test.each(['ENOENT', 'EAGAIN', 'EACCES'])(
  '%s counts as an unavailable database only when a connection fails',
  (code) => {
    const failed = (syscall: string) => Object.assign(new Error(code), { code, syscall });
    expect([isUnavailable(failed('connect')), isUnavailable(failed('open'))]).toEqual([true, false]);
  },
);
