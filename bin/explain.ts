import { visibleLine } from '../billing/look/visibleText.ts';
import {
  findNamed,
  type Named,
  readCustomerFacts,
  readInvoiceFacts,
  readSubscriptionFacts,
  readTimeline,
} from '../db/queries/events/explanation.ts';
import { readNoteFacts } from '../db/queries/events/noteExplanation.ts';
import { type TimelineScope, timelineScopes } from '../db/queries/events/timeline.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { explainCreditNote } from '../present/explanations/creditNote.ts';
import { explainCustomer, explainTimeline } from '../present/explanations/customer.ts';
import { explainInvoice } from '../present/explanations/invoice.ts';
import { explainSubscription } from '../present/explanations/subscription.ts';
import { connect } from '../workers/connection.ts';

export const EXPLAIN_HELP = `Usage: perennial explain invoice|credit_note|estimate|payment|subscription|customer <number or id> [--account <id>]

Explains an object: its history, its upcoming steps with their reasons and, except of estimates and payments, the arithmetic of each amount.
--account selects the account if several have that number.`;

interface Asked {
  scope: TimelineScope;
  name: string;
  accountId: number | null;
}

/** Prints the explanation and returns the exit code: 0 if exactly one object has that number or id. */
export async function printExplanation(databaseUrl: () => string, args: readonly string[]): Promise<number> {
  const asked = askedIn(args);
  if (!asked) {
    console.log(EXPLAIN_HELP);
    return args.some((word) => ['help', '--help', '-h'].includes(word)) ? 0 : 1;
  }
  const connection = await connect(databaseUrl());
  try {
    const found = await findNamed(connection, asked.scope, asked);
    const [only, ...others] = found;
    if (only && others.length === 0) {
      console.log((await explain(connection, asked.scope, only)).map(visibleLine).join('\n'));
      return 0;
    }
    console.error(only ? severalOf(asked, found) : `There is no ${asked.scope} ${asked.name}.`);
    return 1;
  } finally {
    await connection.close();
  }
}

function askedIn(args: readonly string[]): Asked | null {
  const [kind, name = '', option, account, ...more] = args;
  const scope = timelineScopes.find((one) => one === kind);
  const isWhole = option === undefined || (option === '--account' && /^\d{1,9}$/.test(account ?? ''));
  if (!scope || name === '' || name.startsWith('-') || !isWhole || more.length > 0) return null;
  return { scope, name, accountId: option === undefined ? null : Number(account) };
}

function severalOf({ scope, name }: Asked, found: readonly Named[]): string {
  const lines = found.map(({ accountId, account, environment, id }) => {
    return visibleLine(`  --account ${accountId}   ${account}, ${environment}: ${scope} ${id}`);
  });
  return [`Several accounts have a ${scope} ${name}:`, ...lines].join('\n');
}

async function explain(sql: Sql, scope: TimelineScope, named: Named): Promise<string[]> {
  const timeline = await readTimeline(sql, scope, named);
  return [
    `Account ${named.accountId}: ${named.account}, ${named.environment}`,
    ...(await factsOf(sql, scope, named)),
    '',
    ...explainTimeline(timeline, named.timeZone),
  ];
}

async function factsOf(sql: Sql, scope: TimelineScope, named: Named): Promise<string[]> {
  switch (scope) {
    case 'invoice':
      return explainInvoice(await readInvoiceFacts(sql, named));
    case 'subscription':
      return explainSubscription(await readSubscriptionFacts(sql, named), named.id);
    case 'credit_note':
      return explainCreditNote(await readNoteFacts(sql, named));
    case 'customer':
      return explainCustomer(await readCustomerFacts(sql, named), named.id);
    case 'estimate':
    case 'payment':
      return [`${scope} ${named.id}`];
  }
}
