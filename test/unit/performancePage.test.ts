import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { subscriptionFigures } from '../../bench/figures.ts';
import {
  booksFigures,
  chasingFigures,
  mailsFigures,
  moneyFigures,
  pagesFigures,
  plansFigure,
} from '../../bench/moneyFigures.ts';
import { stagedRows } from '../../bench/pairs/stagedRows.ts';
import type { Compared } from '../../bench/rows/money.ts';
import type { Requested, Subscribed } from '../../bench/rows/subscriptions.ts';
import { usageFigures } from '../../bench/usageFigures.ts';
import { projectFolder } from '../suites.ts';

const page = readFileSync(join(projectFolder, 'docs/performance.md'), 'utf8').replaceAll('`', '');

test('docs/performance.md has a row for each figure of subscriptions that npm run bench prints', () => {
  const rows = subscriptionFigures(measured).map(({ what }) => what);
  expect(rows).toEqual([
    'POST /subscriptions with its first invoice, 8 clients',
    'PATCH /subscriptions/:id with proration, 8 clients',
    'POST /subscriptions/preview, 8 clients',
    'PATCH /subscriptions/:id?dry_run=12, 8 clients',
    '2,000 subscriptions by 8 clients until the last first invoice is issued',
    '500 renewals due at once with three add-ons, two of them in tiers',
  ]);
  expect(rows.filter((what) => !page.includes(`| ${what} | `))).toEqual([]);
});

test('docs/performance.md has a row for each figure of chasing that npm run bench prints', () => {
  const cost = { seconds: 100, cpu: 20, rows: 200 };
  const growth = { due: 1000, amongFew: cost, many: 1_000_000, amongMany: cost };
  const figures = chasingFigures({ customers: 10_000, run: cost, replanned: cost, ...growth });
  const plans = plansFigure({ count: 1000, installments: 12, cost });
  const rows = [...figures, plans].map(({ what }) => what);
  expect(rows).toEqual([
    'A run of a cadence that mails 10,000 customers',
    'A changed cadence: 10,000 customers planned anew',
    'Growth: a step of 1,000 customers among 1,000,000',
    '1,000 payment plans of 12 installments on a test clock, charged',
  ]);
  expect(rows.filter((what) => !page.includes(`| ${what} | `))).toEqual([]);
});

test('docs/performance.md has a row for each figure of mails that npm run bench prints', () => {
  const mailed = { count: 10_000, seconds: 100, cpu: 5, memory: { few: 400, all: 400 } };
  const rows = mailsFigures({ plain: mailed, withPdf: mailed, statements: mailed }).map(({ what }) => what);
  expect(rows).toEqual([
    '10,000 mails without a PDF',
    '10,000 mails with the PDF of an invoice',
    'Statements of 10,000 customers, mailed with their PDF',
  ]);
  expect(rows.filter((what) => !page.includes(`| ${what} | `))).toEqual([]);
});

test('docs/performance.md has a row for each figure of usage that npm run bench prints', () => {
  const rows = usageFigures({
    clients: 16,
    batch: 1000,
    single: requested,
    batched: requested,
    raw: { single: 1000, batched: 100_000 },
    bill: { records: 1_000_000, seconds: 20, cpu: 20_000, longestLock: 600 },
    cancellation: { records: 250_000, seconds: 5 },
    buffers: { records: 100, before: 1400, after: 1400 },
  }).map(({ what }) => what);
  expect(rows).toEqual([
    'POST /subscriptions/:id/usage, 16 clients',
    'POST /subscriptions/:id/usage/batch of 1,000, 16 clients',
    'A bill of 1,000,000 usage records',
    'DELETE /subscriptions/:id with 250,000 unbilled usage records',
    'Buffers of the tables of usage for a bill of 100 records, after the bill of 1,000,000',
  ]);
  expect(rows.filter((what) => !page.includes(`| ${what} | `))).toEqual([]);
});

test('docs/performance.md has a row for each figure of money and books that npm run bench prints', () => {
  const money = moneyFigures({
    clients: 16,
    charges: compared,
    refunds: compared,
    slow: { clients: 64, ...requested, gateway: 300, requests: 6 },
    events: { clients: 4, ...requested, processed: 100, paced: requested.load },
  });
  const books = booksFigures({
    invoices: 100_000,
    audit: 10,
    auditSince: { customers: 100, seconds: 1 },
    matching: { clients: 4, ...requested },
  });
  const paid = { clients: 16, ...requested };
  const pages = pagesFigures({ quick: paid, slow: { ...paid, clients: 64, gateway: 300 } });
  const rows = [...money, ...pages, ...books].map(({ what }) => what);
  expect(rows).toEqual([
    'POST /charges, 16 clients',
    'POST /charges, 16 clients, no worker running',
    'POST /charges/:id/refunds, 16 clients',
    'POST /charges/:id/refunds, 16 clients, no worker running',
    'POST /charges beside a gateway of 300 ms, 64 clients',
    'POST /gateway_events, 4 clients',
    'Payments on the page of an invoice, 16 clients',
    'Payments on the page of an invoice beside a gateway of 300 ms, 64 clients',
    'npm run audit, 100,000 open invoices',
    'npm run audit -- --since, 100 of 10,000 customers changed',
    'GET /payments/:id/matches among 100,000 open invoices, 4 clients',
  ]);
  expect(rows.filter((what) => !page.includes(`| ${what} | `))).toEqual([]);
});

test('docs/performance.md compares each row of npm run bench -- pairs that needs running checkouts', () => {
  const rows = stagedRows.map(({ what }) => what.replaceAll('`', ''));
  expect(rows.filter((what) => !page.includes(`| ${what} | `))).toEqual([]);
});

test('no row is more than 5 % worse than at commit 55f697f5, by the median of its pairs', () => {
  const [, section = ''] = page.split('## Comparing two versions');
  const [table = ''] = section.split('\n## ');
  const ratios = new Map(
    [...table.matchAll(/^\| (.+?) \| .+? \| .+? \| (\d\.\d\d) \|/gm)].map(([, what = '', ratio]) => [
      what.replace(' *', ''),
      Number(ratio),
    ]),
  );
  const ofPrograms = [
    'Calculation of 1,000 lines, ms CPU',
    'Calculation of 1,000 lines, discounts and taxes, ms CPU',
    ...[3, 50, 500].map((lines) => `PDF of an invoice of ${lines} lines, ms CPU`),
    'npm start with an empty data folder, seconds',
    'npm start, seconds',
    'Memory at rest, MiB',
  ];
  const rows = [...stagedRows.map(({ what }) => what.replaceAll('`', '')), ...ofPrograms];
  expect([...ratios.keys()].sort()).toEqual(rows.sort());
  expect([...ratios].filter(([, ratio]) => ratio > 1.05)).toEqual([]);
});

const requested: Requested = { load: { perSecond: 50, p50: 100, p99: 300, requests: 250 }, cpu: 30 };
const compared: Compared = { product: requested, alone: requested, raw: requested, statements: 26 };
const cpu = { postgres: 5, temporal: 8, worker: 12, api: 0, total: 25 };
const renewed: Subscribed['plain'] = {
  count: 500,
  subscriptions: { first: 1, count: 500 },
  dueAt: 0,
  issuedSeconds: 10,
  doneSeconds: 10,
  cpu,
  deliveriesEach: 0,
  load: 1,
};
const measured: Subscribed = {
  clients: 8,
  created: requested,
  changed: requested,
  previewed: requested,
  dryRun: requested,
  rush: { count: 2000, seconds: 50, lag: 0 },
  plain: renewed,
  withAddons: renewed,
};
