import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { circlesOf, forbiddenImports } from '../support/arrows.ts';
import { misplacedParsers } from '../support/foreignParsers.ts';
import { sourceFiles } from '../support/sources.ts';

test('rooms import only the allowed rooms', () => {
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => forbiddenImports(file, readFileSync(join(projectFolder, file), 'utf8')))).toEqual([]);
});

test.each([
  ['billing/a.ts', `import { Invoice } from '../db/schema/invoice.ts';`],
  ['billing/a.ts', `import type { Invoice } from '../db/schema/invoice.ts';`],
  ['billing/a.ts', `import { readFileSync } from 'node:fs';`],
  ['billing/a.ts', `import { failpoint } from '../db/failpoint.ts';`],
  ['billing/a.ts', `import type { Logger } from 'pino';`],
  ['billing/a/b.ts', `export * from '../../commands/invoices/invoices.ts';`],
  ['db/a.ts', `import { issueInvoice } from '../commands/invoices.ts';`],
  ['db/a.ts', `import koa from 'koa';`],
  ['present/a.ts', ''],
  ['present/kernel/a.ts', `import { presentInvoice } from '../documents/invoice.ts';`],
  ['present/kernel/a.ts', `import { Invoice } from '../../db/schema/invoice.ts';`],
  ['present/kernel/a.ts', `import { type Invoice } from '../../db/schema/invoice.ts';`],
  ['present/kernel/a.ts', `import type { NewInvoice } from '../../commands/invoices.ts';`],
  ['commands/kernel/a.ts', `import { LockMode } from '@mikro-orm/core';`],
  ['commands/kernel/a.ts', `import { stripe } from '../../adapters/gateways/stripe.ts';`],
  ['commands/kernel/a.ts', `import { poke } from '../../workers/relay.ts';`],
  ['commands/kernel/a.ts', `import { signal } from '../../workflows/client.ts';`],
  ['commands/kernel/a.ts', `const later = await import('../../api/server.ts');`],
  ['commands/kernel/a.ts', `const file = './b.ts'; await import(file);`],
  ['commands/kernel/a.ts', `import type { Logger } from 'winston';`],
  ['commands/kernel/a.ts', `import { pino } from 'pino';`],
  ['commands/a.ts', ''],
  ['commands/elsewhere/a.ts', ''],
  ['commands/ports/ports.ts', `import type { Caller } from '../kernel/caller.ts';`],
  ['commands/kernel/a.ts', `import { writeInvoice } from '../invoices/issuing.ts';`],
  ['commands/kernel/a.ts', `import type { NewInvoice } from '../invoices/issuing.ts';`],
  ['commands/payments/a.ts', `export { writeInvoice } from '../invoices/issuing.ts';`],
  ['commands/invoices/a.ts', `import { b } from '../b.ts';`],
  ['db/queries/a.ts', ''],
  ['db/queries/elsewhere/a.ts', ''],
  ['db/queries/kernel/a.ts', `import type { Balance } from '../customers/balances.ts';`],
  ['adapters/a.ts', `import { noAnswer } from '../commands/ports/ports.ts';`],
  ['adapters/a.ts', `import type { NewInvoice } from '../commands/invoices.ts';`],
  ['adapters/a.ts', `import type { Invoice } from '../db/schema/invoice.ts';`],
  ['adapters/a.ts', `import Koa from 'koa';`],
  ['workflows/a.ts', `import { dueStep } from '../billing/subscription.ts';`],
  ['workflows/a.ts', `import { type Step } from '../billing/subscription.ts';`],
  ['workflows/a.ts', `import type { Invoice } from '../db/schema/invoice.ts';`],
  ['workflows/a.ts', `import type { Logger } from 'pino';`],
  ['workflows/a.ts', `import { Client } from '@temporalio/client';`],
  ['workflows/a.ts', `import { startSubscription } from './client.ts';`],
  ['workflows/a.ts', `import { createHash } from 'node:crypto';`],
  ['workflows/a.ts', `type Answer = import('../commands/invoices.ts').Answer;`],
  ['workflows/client.ts', `import { openDatabase } from '../db/database.ts';`],
  ['api/a.ts', ''],
  ['api/framework/a.ts', `import { invoiceRoutes } from '../resources/invoices/routes.ts';`],
  ['api/framework/a.ts', `import { createServer } from '../server.ts';`],
  ['api/framework/a.ts', `import { signal } from '../../workflows/client.ts';`],
  ['api/framework/a.ts', `import { Client } from '@temporalio/client';`],
  ['api/framework/a.ts', `import { sendMail } from '../../adapters/mail.ts';`],
  ['api/framework/a.ts', `import { relay } from '../../workers/relay.ts';`],
  ['workers/a.ts', `import { createServer } from '../api/server.ts';`],
  ['workers/a.ts', `import { sendMail } from '../adapters/mail.ts';`],
  ['workers/a.ts', `import { config } from '../bin/config.ts';`],
  ['api/framework/a.ts', `import { until } from '../../test/support/wait.ts';`],
  ['words/a.ts', `import { money } from '../billing/money.ts';`],
  ['words/a.ts', `import type { Invoice } from '../db/schema/invoice.ts';`],
  ['words/a.ts', `import { z } from 'zod';`],
  ['client/a.ts', `import { money } from '../billing/money.ts';`],
  ['db/a.ts', `const { run } = require('../commands/run.ts');`],
  ['db/a.ts', `import outside from '../../elsewhere/file.ts';`],
  ['rooms/a.ts', ''],
])('%s may not have the import: %s', (file, source) => {
  expect(forbiddenImports(file, source)).toHaveLength(1);
});

test.each([
  [
    'billing/a.ts',
    `import Big from 'big.js'; import { Temporal } from 'temporal-polyfill'; import { b } from './b.ts';`,
  ],
  [
    'db/a.ts',
    `import { p } from '@mikro-orm/core'; import { b } from '../billing/b.ts'; import { join } from 'node:path';`,
  ],
  ['db/queries/audit/a.ts', `import { b } from '../kernel/b.ts'; import { Invoice } from '../../schema/invoice.ts';`],
  [
    'present/documents/a.ts',
    `import { b } from '../../billing/b.ts'; import { c } from '../kernel/c.ts'; import type { Invoice } from '../../db/schema/invoice.ts';`,
  ],
  [
    'commands/kernel/a.ts',
    `import { c } from '../../db/c.ts'; import { failpoint } from '../../db/failpoint.ts'; import type { Logger } from 'pino';`,
  ],
  [
    'commands/invoices/a.ts',
    `import { b } from './b.ts'; import { apply } from '../payments/applying.ts'; import { noAnswer } from '../ports/ports.ts';`,
  ],
  [
    'adapters/a.ts',
    `import type { Gateway } from '../commands/ports/ports.ts'; import { failpoint } from '../db/failpoint.ts';`,
  ],
  [
    'workflows/a.ts',
    `import { sleep } from '@temporalio/workflow'; import type { Step } from '../billing/subscription.ts';`,
  ],
  ['workflows/client.ts', `import { Client } from '@temporalio/client'; import type { x } from './subscription.ts';`],
  [
    'api/framework/a.ts',
    `import Koa from 'koa'; import { issue } from '../../commands/invoices.ts'; import { b } from './b.ts';`,
  ],
  ['workers/a.ts', `import { signal } from '../workflows/client.ts'; import { Worker } from '@temporalio/worker';`],
  ['bin/a.ts', `import { x } from '../api/x.ts'; import { y } from '../adapters/y.ts'; import(process.argv[2]);`],
])('%s may have the import: %s', (file, source) => {
  expect(forbiddenImports(file, source)).toEqual([]);
});

test('no files import values in a circle, those of the product no types either', () => {
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(1000);
  const sources = files.map((file) => [file, readFileSync(join(projectFolder, file), 'utf8')] as const);
  expect(circlesOf(new Map(sources), { withTypes: false })).toEqual([]);
  const product = sources.filter(([file]) => !/^(test|bench)\//.test(file));
  expect(circlesOf(new Map(product), { withTypes: true })).toEqual([]);
});

test('a circular import is found', () => {
  const a = ['commands/kernel/a.ts', `import { b } from './b.ts';`] as const;
  const b = ['commands/kernel/b.ts', `import { type C, c } from './c.ts';`] as const;
  const c = ['commands/kernel/c.ts', `export { a } from './a.ts';`] as const;
  const round = 'commands/kernel/a.ts > commands/kernel/b.ts > commands/kernel/c.ts > commands/kernel/a.ts';
  expect(circlesOf(new Map([a, b, c]), { withTypes: false })).toEqual([round]);
  const ofTypes = new Map([a, b, ['commands/kernel/c.ts', `import type { A } from './a.ts';`]]);
  expect(circlesOf(ofTypes, { withTypes: false })).toEqual([]);
  expect(circlesOf(ofTypes, { withTypes: true })).toEqual([round]);
});

test('no program that answers others loads a parser of foreign text', () => {
  const sources = new Map(sourceFiles().map((file) => [file, readFileSync(join(projectFolder, file), 'utf8')]));
  expect(misplacedParsers(sources)).toEqual([]);
});

test('a parser of foreign text is found where a serving program loads it, at once or later, and where no program does', () => {
  const api = ['api/server.ts', `import { read } from '../adapters/reports.ts';`] as const;
  const later = ['adapters/reports.ts', `const { default: Parser } = await import('postal-mime');`] as const;
  const program = [
    'adapters/program.ts',
    `import { serveTasks } from './children/serve.ts'; import { read } from './reports.ts';`,
  ] as const;
  const ofTypes = ['api/server.ts', `import type { Report } from '../adapters/reports.ts';`] as const;
  const complaint = 'adapters/reports.ts brings postal-mime into a program that answers others';
  expect(misplacedParsers(new Map([api, later, program]))).toEqual([complaint]);
  expect(misplacedParsers(new Map([ofTypes, later, program]))).toEqual([]);
  expect(misplacedParsers(new Map([ofTypes, later]))).toEqual([
    'adapters/reports.ts loads postal-mime outside a child program',
  ]);
});
