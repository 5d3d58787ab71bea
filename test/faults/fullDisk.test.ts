import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createDiskStore } from '../../adapters/files/disk.ts';
import { createServer } from '../../api/server.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { projectFolder } from '../suites.ts';
import { basic, send, startApi, type TestApi } from '../support/api.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { upload } from '../support/upload.ts';
import { until } from '../support/wait.ts';

/** Full disks: of the files, of the API's temporary folder, of its log, and of PostgreSQL. Reads go on, and no process ends. */

let api: TestApi;
let owner: Connection;
let disk: SmallDisk;
let origin: string;
let end: () => Promise<void>;
const { TMPDIR } = process.env;

beforeAll(async () => {
  api = await startApi();
  owner = await connect(api.databaseUrl);
  if (canMount) disk = await mountSmallDisk();
  const log = { ...api.deps.log, error: () => undefined };
  const server = createServer({ ...api.deps, log, ...(canMount ? { fileStore: createDiskStore(disk.folder) } : {}) });
  origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  end = () => server.close();
});

afterEach(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await disk?.free();
});

afterAll(async () => {
  await end();
  await disk?.remove();
  await owner.close();
  await api.close();
});

const to = () => ({ url: `${origin}/sandbox/api`, key: api.sandbox.key });
const ask = (method: string, path: string, body?: object) =>
  send(`${to().url}${path}`, { method, headers: basic(to().key), body });
const part = { name: 'file', filename: 'terms.txt', content: 'a'.repeat(20_000) };
const files = async () => (await ask('GET', '/files')).body.length;

const mounted = canMount ? test : test.skip;

mounted.each(['the folder of files', 'the temporary folder'])(
  'while %s is full, uploads are answered 503 and leave nothing behind; files are read and everything else is written',
  async (place) => {
    const kept = await upload(to(), [part]);
    expect(kept.status).toBe(201);
    if (place === 'the temporary folder') process.env.TMPDIR = disk.folder;
    await disk.fill();
    const [before, count] = [await readdir(disk.folder, { recursive: true }), await files()];
    const refused = await upload(to(), [part]);
    expect(refused).toMatchObject({ status: 503, body: { type: 'api', code: 'files_unavailable' } });
    expect(refused.headers.get('Retry-After')).toBe('30');
    expect(await readdir(disk.folder, { recursive: true })).toEqual(before);
    const read = await send(`${origin}${new URL(kept.body.url).pathname}`, { method: 'GET' });
    expect([read.status, read.body]).toEqual([200, part.content]);
    expect((await ask('POST', '/customers', { name: 'Meanwhile' })).status).toBe(201);
    expect(await files()).toBe(count);
    await disk.free();
    expect((await upload(to(), [part])).status).toBe(201);
  },
);

test("while PostgreSQL's disk is full, writes are answered 503, and reads go on", async () => {
  await owner.query(`
    create function no_space() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$`);
  await owner.query('create trigger no_space before insert on customer for each row execute function no_space()');
  const refused = await ask('POST', '/customers', { name: 'Too much' });
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect((await ask('GET', '/customers')).status).toBe(200);
  await owner.query('drop trigger no_space on customer');
  expect((await ask('POST', '/customers', { name: 'Too much' })).status).toBe(201);
});

mounted('a process whose log is on a full disk goes on, and logs again when there is space', async () => {
  await disk.fill();
  const path = join(disk.folder, 'log');
  const output = openSync(path, 'a');
  const program = `
    import { createLog } from './bin/log.ts';
    const log = createLog('info');
    log.info('lost or late');
    process.on('message', () => { log.info('said later'); process.disconnect(); });
    process.send('alive');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: projectFolder,
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  closeSync(output);
  let [isAlive, code] = [false, null as number | null];
  child.on('message', () => (isAlive = true)).on('exit', (ended) => (code = ended));
  await until(() => isAlive || code !== null, { what: 'the process to have logged' });
  expect([isAlive, code]).toEqual([true, null]);
  await disk.free();
  child.send('go on');
  await until(() => code !== null, { what: 'the process to end' });
  expect(code).toBe(0);
  expect(await readFile(path, 'utf8')).toContain('said later');
});
