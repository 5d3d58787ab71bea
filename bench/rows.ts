import type { Database } from './database.ts';
import {
  actionFigure,
  chainFigure,
  clockFigures,
  invoiceFigures,
  memoryFigure,
  numberingFigure,
  readFigures,
  renewalFigures,
  rowSecurityFigure,
  subscriptionFigures,
  webhookFigures,
} from './figures.ts';
import {
  booksFigures,
  chasingFigures,
  mailsFigures,
  moneyFigures,
  pagesFigures,
  plansFigure,
  previewsFigures,
} from './moneyFigures.ts';
import { residentMiB } from './processes.ts';
import type { Figure } from './report.ts';
import { actionsOf } from './rows/actions.ts';
import { measureBooks } from './rows/books.ts';
import { chainOfMiddleware } from './rows/chain.ts';
import { measureChasing, measurePlans } from './rows/chasing.ts';
import { measureClocks } from './rows/clocks.ts';
import { createInvoices } from './rows/invoices.ts';
import { measureMails } from './rows/mails.ts';
import { measureMoney } from './rows/money.ts';
import { issueAtOnce } from './rows/numbering.ts';
import { measurePages } from './rows/pages.ts';
import { measurePortal } from './rows/portal.ts';
import { measurePreviews } from './rows/previews.ts';
import { readInvoices } from './rows/reads.ts';
import { renew } from './rows/renewals.ts';
import { measureRowSecurity } from './rows/rowSecurity.ts';
import { measureSignIns } from './rows/signIns.ts';
import { subscribe } from './rows/subscriptions.ts';
import { bareTimers } from './rows/timers.ts';
import { measureTrips } from './rows/trips.ts';
import { measureUsage } from './rows/usage.ts';
import { deliver } from './rows/webhooks.ts';
import type { Stage } from './stage.ts';
import { usageFigures } from './usageFigures.ts';

const INVOICE_SECONDS = 8;
const LINES = 3;
const MANY_LINES = 200;
const READ_SECONDS = 5;
const RENEWALS = [500, 2000];

export interface Running {
  stage: Stage;
  sql: Database;
  rows: ReadonlySet<string>;
  add(...figures: Figure[]): void;
}

/** The rows of the table that share one stage, in this order. A row runs if one of its names is requested. */
export const stagedRows: { names: string[]; run(running: Running): Promise<void> }[] = [
  { names: ['invoices', 'reads'], run: invoicesAndReads },
  { names: ['webhooks'], run: async ({ stage, sql, add }) => add(...webhookFigures(await deliver(stage, sql))) },
  { names: ['renewals'], run: renewals },
  {
    names: ['subscriptions'],
    run: async ({ stage, sql, add }) => add(...subscriptionFigures(await subscribe(stage, sql))),
  },
  { names: ['clocks'], run: async ({ stage, sql, add }) => add(...clockFigures(await measureClocks(stage, sql))) },
  { names: ['usage'], run: async ({ stage, sql, add }) => add(...usageFigures(await measureUsage(stage, sql))) },
  { names: ['pages'], run: async ({ stage, sql, add }) => add(...pagesFigures(await measurePages(stage, sql))) },
  {
    names: ['previews'],
    run: async ({ stage, sql, add }) => add(...previewsFigures(await measurePreviews(stage, sql))),
  },
  { names: ['money'], run: async ({ stage, sql, add }) => add(...moneyFigures(await measureMoney(stage, sql))) },
  { names: ['books'], run: async ({ stage, sql, add }) => add(...booksFigures(await measureBooks(stage, sql))) },
  { names: ['numbering'], run: async ({ stage, sql, add }) => add(numberingFigure(await issueAtOnce(stage, sql, 5))) },
  { names: ['people'], run: people },
  { names: ['trips'], run: async ({ stage, add }) => add(...(await measureTrips(stage))) },
  // Last, because the rows that read invoices must not read these.
  { names: ['lines'], run: manyLines },
  { names: ['mails'], run: async ({ stage, sql, add }) => add(...mailsFigures(await measureMails(stage, sql))) },
  { names: ['plans'], run: async ({ stage, sql, add }) => add(plansFigure(await measurePlans(stage, sql))) },
  { names: ['portal'], run: async ({ stage, sql, add }) => add(...(await measurePortal(stage, sql))) },
  // After them, because an account with cadences plans reminders for each invoice.
  { names: ['chasing'], run: async ({ stage, sql, add }) => add(...chasingFigures(await measureChasing(stage, sql))) },
];

async function people({ stage, sql, add }: Running): Promise<void> {
  await createInvoices(stage, sql, { lines: LINES, seconds: 1 });
  add(...(await measureSignIns(stage, sql)));
}

async function manyLines({ stage, sql, add }: Running): Promise<void> {
  add(...invoiceFigures(await createInvoices(stage, sql, { lines: MANY_LINES, seconds: INVOICE_SECONDS })));
}

async function invoicesAndReads({ stage, sql, rows, add }: Running): Promise<void> {
  const fresh = residentMiB(stage.api.pid);
  // Reads need invoices. If only reads are requested, a short run creates some.
  const seconds = rows.has('invoices') ? INVOICE_SECONDS : 3;
  const created = await createInvoices(stage, sql, { lines: LINES, seconds });
  if (rows.has('invoices')) add(...invoiceFigures(created));
  if (rows.has('reads')) {
    const reads = await readInvoices(stage, sql, READ_SECONDS);
    add(...readFigures(reads));
    add(rowSecurityFigure(await measureRowSecurity(stage, sql), reads.one));
    add(chainFigure(await chainOfMiddleware(stage, READ_SECONDS)));
  }
  add(memoryFigure({ fresh, loaded: residentMiB(stage.api.pid) }));
}

async function renewals({ stage, sql, add }: Running): Promise<void> {
  for (const count of RENEWALS) {
    const bare = await bareTimers(stage, count);
    add(renewalFigures(await renew(stage, sql, { count, charged: false }), false, bare));
    const charged = await renew(stage, sql, { count, charged: true });
    add(renewalFigures(charged, true, bare));
    if (count === RENEWALS[0]) add(actionFigure(await actionsOf(stage, sql, charged)));
  }
}
