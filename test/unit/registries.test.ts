import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { creditNoteStatuses } from '../../billing/documents/creditNote.ts';
import { documentTypes } from '../../billing/documents/document.ts';
import { estimateStatuses } from '../../billing/documents/estimate.ts';
import { invoiceStatuses } from '../../billing/documents/invoice.ts';
import { environments } from '../../billing/environments.ts';
import { errorCodeNames } from '../../billing/errorCodes.ts';
import { declineCodes, declineKinds } from '../../billing/payments/declines.ts';
import { paymentMethods, sourceMethods, sourceTypes } from '../../billing/payments/paymentMethods.ts';
import { timedNames } from '../../billing/processes.ts';
import { billTimes } from '../../billing/subscriptions/billIn.ts';
import { renewalModes, resumeModes, subscriptionStatuses } from '../../billing/subscriptions/subscription.ts';
import { attemptKinds, attemptStates } from '../../db/schema/attempt.ts';
import { chargeStatuses } from '../../db/schema/charge.ts';
import { customerTables } from '../../db/schema/customerTables.ts';
import { emailStates } from '../../db/schema/email.ts';
import { testClockStatuses } from '../../db/schema/testClock.ts';
import { deliveryStates } from '../../db/schema/webhookDelivery.ts';
import { queueClasses } from '../../workflows/queues.ts';
import { searchAttributes } from '../../workflows/searchAttributes.ts';
import { projectFolder } from '../suites.ts';
import { sourceFiles } from '../support/sources.ts';

/** Lists that may exist only once, with the file that declares them. */
const registries: readonly [file: string, words: readonly string[]][] = [
  ['billing/processes.ts', [...timedNames, 'webhook', 'mail', 'clock']],
  ['billing/documents/document.ts', documentTypes],
  ['billing/payments/declines.ts', declineKinds],
  ['billing/payments/declines.ts', Object.keys(declineCodes)],
  ['billing/errorCodes.ts', errorCodeNames],
  ['billing/environments.ts', environments],
  ['billing/payments/paymentMethods.ts', paymentMethods],
  ['billing/payments/paymentMethods.ts', sourceMethods],
  ['billing/payments/paymentMethods.ts', sourceTypes],
  ['billing/documents/invoice.ts', invoiceStatuses],
  ['billing/documents/estimate.ts', estimateStatuses],
  ['billing/documents/creditNote.ts', creditNoteStatuses],
  ['billing/subscriptions/subscription.ts', subscriptionStatuses],
  ['billing/subscriptions/subscription.ts', renewalModes],
  ['billing/subscriptions/subscription.ts', resumeModes],
  ['billing/subscriptions/billIn.ts', billTimes],
  ['db/schema/attempt.ts', attemptKinds],
  ['db/schema/attempt.ts', attemptStates],
  ['db/schema/charge.ts', chargeStatuses],
  ['db/schema/customerTables.ts', customerTables],
  ['db/schema/email.ts', emailStates],
  ['db/schema/testClock.ts', testClockStatuses],
  ['db/schema/webhookDelivery.ts', deliveryStates],
  ['workflows/queues.ts', queueClasses.sandbox],
  ['workflows/searchAttributes.ts', Object.values(searchAttributes).map(({ name }) => name)],
];

const others = new Set([
  ...['record', 'schema'].map((name) => `adapters/gateways/test/${name}.ts`), // the test gateway is a service of its own
  'db/migrations/declaredOfOwners.ts', // names the tables that migrations lock
  'db/queries/customers/deletion.ts', // names the tables whose rows do not prevent the deletion of a customer
]);

/** Literal lists of two or more words in a source, in code or in SQL. */
function listsIn(source: string): string[][] {
  const lists = source.matchAll(/(['"`])[\w.]+\1(?:\s*[,|]\s*(['"`])[\w.]+\2)+/g);
  return [...lists].map(([list]) => [...list.matchAll(/[\w.]+/g)].map(([word]) => word));
}

/** Whether a list copies a part of another, or all of it. Two words copy only a list of two. */
function isCopy(list: readonly string[], words: readonly string[]): boolean {
  return list.every((word) => words.includes(word)) && (list.length > 2 || words.length === 2);
}

function copiesIn(file: string, source: string): string[] {
  return listsIn(source).flatMap((list) => {
    const homes = registries.filter(([, words]) => isCopy(list, words)).map(([home]) => home);
    return homes.includes(file)
      ? []
      : homes.map((home) => `${file} has a part of the list of ${home}: ${list.join(', ')}`);
  });
}

test('processes, tables of customers, documents, statuses, kinds, environments and search attributes are listed once', () => {
  const files = sourceFiles().filter((file) => !/^(test|client|bench)\//.test(file) && !others.has(file));
  expect(files.flatMap((file) => copiesIn(file, readFileSync(join(projectFolder, file), 'utf8')))).toEqual([]);
});

test('the second step of an attempt names no kind of operation', () => {
  const source = readFileSync(join(projectFolder, 'commands/charges/attempts.ts'), 'utf8');
  expect(attemptKinds.filter((kind) => source.includes(`'${kind}'`))).toEqual([]);
});

test.each([
  ["type Process = 'subscription' | 'estimate' | 'invoice' | 'charge';", 'billing/processes.ts'],
  ["const moved = [\n  'attempt',\n  'contact',\n  'email',\n];", 'db/schema/customerTables.ts'],
  ["`state in ('open', 'unknown', 'pending')`", 'db/schema/attempt.ts'],
  ["fields.choice('draft', 'not_sent', 'sent', 'viewed')", 'billing/documents/invoice.ts'],
  ["const environment: 'sandbox' | 'live' = b;", 'billing/environments.ts'],
  ["type in ('card', 'bank_account')", 'billing/payments/paymentMethods.ts'],
])('a copy of a list is found: %s', (source, home) => {
  expect(copiesIn('a.ts', source)).toContainEqual(expect.stringContaining(`the list of ${home}`));
  expect(copiesIn(home, source)).toEqual([]);
});
