import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { RANDOM_PAGE_COST } from '../../../db/database.ts';
import { tableOf } from '../../../db/queries/kernel/plain.ts';
import { Role } from '../../../db/schema/member.ts';
import { TimelineEntry } from '../../../db/schema/timelineEntry.ts';
import { projectFolder } from '../../suites.ts';
import { type Answer, startApi, type TestApi } from '../../support/api.ts';
import {
  type DeclaredList,
  declaredLists,
  filtersOf,
  type ListPlan,
  OWNER,
  ordersOf,
  planOf,
} from '../../support/listPlans.ts';
import { fillTables } from '../../support/manyRows.ts';

// A list sorted or filtered by one column uses an index that includes the account, for any data.

const lists = declaredLists();
const plans = join(projectFolder, 'test/api/long/listPlans.md');
const isRecording = process.env.PERENNIAL_RECORD_PLANS === '1';
/** Tables that lists read in addition to their own. */
const MORE_TABLES = [
  'attempt',
  'attempt_invoice',
  'customer_balance',
  'ledger_entry',
  'subscription_addon',
  'usage_rate',
  'wakeup',
];

let api: TestApi;
let sql: pg.Client;
const record: ListPlan[] = [];

beforeAll(async () => {
  api = await startApi();
  // An account has at most a hundred roles, so that their list needs no index.
  const listed = lists.filter(({ resource: { row } }) => row !== TimelineEntry && row !== Role);
  const tables = listed.map(({ resource }) => tableOf(api.em, resource.row).name);
  await fillTables(api.databaseUrl, api.sandbox.account.id, new Set([...tables, ...MORE_TABLES]));
  sql = new pg.Client({ connectionString: api.databaseUrl, options: `-c random_page_cost=${RANDOM_PAGE_COST}` });
  await sql.connect();
});

afterAll(async () => {
  if (isRecording) writeFileSync(plans, recorded());
  await sql?.end();
  await api?.close();
});

test('the test finds lists', () => expect(lists.length).toBeGreaterThan(10));

test.each(lists.map((list) => [list.path, list] as const))('%s', async (_path, list) => {
  const faults: string[] = [];
  const look = async (request: string) => {
    const plan = await planOf(api, sql, request);
    record.push(plan);
    expect([plan.answer.status, request]).toEqual([200, request]);
    faults.push(...plan.faults.map((fault) => `${request}: ${fault}`));
    return plan.answer;
  };
  const ends = await sorted(list, look);
  for (const query of filters(list, ends)) await look(`${list.path}?${query}`);
  expect(faults).toEqual([]);
});

test('the table of plans contains every sort and filter of every list, and no others', () => {
  const text = isRecording ? recorded() : readFileSync(plans, 'utf8');
  const kept = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, request = '']) => withoutValue(request));
  const declared = lists.flatMap((list) => [
    list.path,
    ...ordersOf(list).map((order) => `${list.path}?sort=${order}`),
    ...filtersOf(list).map((filter) => `${list.path}?${filter}`),
  ]);
  expect([...new Set(kept)].sort()).toEqual(declared.sort());
});

function withoutValue(request: string): string {
  return request.includes('?sort=') ? request : request.replace(/=.*$/, '');
}

test.each([
  ['invoice', 2],
  ['credit_note', 1],
  ['subscription', 20],
  ['customer', 20],
])('the timeline of the %s has enough entries for meaningful plans', async (kind, least) => {
  const { body } = await api.sandbox.get(`/${kind}s/${OWNER}/timeline`);
  expect(body.length).toBeGreaterThanOrEqual(least);
});

/** Requests the first and the last but one page of a list, in its default order and in every other. Returns the objects at both ends. */
async function sorted(list: DeclaredList, look: (request: string) => Promise<Answer>): Promise<Answer['body']> {
  const ends: Answer['body'] = [];
  for (const order of ['', ...ordersOf(list).map((by) => `sort=${by}`)]) {
    const first = await look(`${list.path}?${order}`);
    const lastLink = linkOf(first, 'last') ?? '';
    const last = lastLink.includes('cursor') ? await api.sandbox.get(lastLink) : first;
    const previous = linkOf(last, 'previous');
    if (previous) await look(previous);
    if (order === '') ends.push(first.body.at(0), last.body.at(-1));
  }
  return ends;
}

/** A query for each filter with the value of the first and of the last row, one of which is rare. */
function filters(list: DeclaredList, ends: Answer['body']): string[] {
  return ends.flatMap((end: Answer['body']) =>
    filtersOf(list).map(
      (name) => `${encodeURIComponent(name)}=${encodeURIComponent(valueFor(end, name))}${orderFor(name)}`,
    ),
  );
}

/** The order in which an index has the objects of a range. */
function orderFor(name: string): string {
  const [, column] = /^filter\[(.*)\]\[gte\]$/.exec(name) ?? [];
  return column ? `&sort=${column}` : '';
}

function valueFor(end: Answer['body'], name: string): string {
  if (name === 'metadata[batch]') return '200';
  if (['canceled', 'finished', 'member', 'api_key'].includes(name)) return '1';
  if (name === 'kind') return 'change'; // the rows have made-up kinds
  if (name === 'filter[held]') return 'true'; // tasks do not show it
  if (name.endsWith('[empty]')) return 'true';
  const value = fieldOf(end, /^filter\[(.*?)\]/.exec(name)?.[1] ?? name);
  return name.endsWith('[gte]') && value === 'none' ? '1' : value;
}

function fieldOf(end: Answer['body'], name: string): string {
  if (/_(after|before|date)$/.test(name)) return String(end.updated_at ?? end.created_at ?? end.timestamp ?? end.at);
  if (name === 'related_to') return `invoice,1001`;
  const value = name === 'object' && end.subject ? end.subject.object : end[name];
  return String(value?.id ?? value?.code ?? value ?? 'none');
}

function linkOf(answer: Answer, rel: string): string | undefined {
  const found = new RegExp(`<[^>]*/sandbox/api([^>]+)>; rel="${rel}"`).exec(answer.headers.get('Link') ?? '');
  return found?.[1];
}

/** The text of the table of plans. */
function recorded(): string {
  const rows = record
    .filter(({ request }) => !request.includes('cursor='))
    .map(({ request, access }) => `| \`${decodeURIComponent(request).replace(/\?$/, '')}\` | ${access.join(', ')} |`);
  return [
    '# How lists are served',
    '',
    'This page lists the indexes with which PostgreSQL finds the rows of a page, the rows that they refer to, and the total. There is a',
    'row for each column and parameter that a list can be sorted or filtered by, with the value of the first and of the last object.',
    '`test/api/long/indexes.test.ts` checks the page; with `PERENNIAL_RECORD_PLANS=1` it writes the page instead.',
    '',
    '| list | by |',
    '| --- | --- |',
    ...new Set(rows),
    '',
  ].join('\n');
}
