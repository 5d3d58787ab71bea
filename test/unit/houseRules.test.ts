import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { migrationNames } from '../../db/migrations/names.ts';
import { rights } from '../../db/rights.ts';
import { projectFolder } from '../suites.ts';
import { nodesOf } from '../support/imports.ts';
import { sourceFiles } from '../support/sources.ts';

const emptyWords = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager']);

/** Words of a path that say nothing. A path is split at slashes, dots, dashes and in camelCase names. */
function emptyNames(file: string): string[] {
  const words = file
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter((word) => emptyWords.has(word));
}

function assertions(source: string): number {
  return nodesOf(source).filter((node) => node.type === 'TsAsExpression' || node.type === 'TsTypeAssertion').length;
}

test('a file is named after what it holds', () => {
  expect(sourceFiles().filter((file) => emptyNames(file).length > 0)).toEqual([]);
  expect(
    ['db/utils.ts', 'api/helpers/date.ts', 'workers/jobManager.ts', 'test/support/mail-helper.ts'].map(emptyNames),
  ).toEqual([['utils'], ['helpers'], ['manager'], ['helper']]);
});

test('tests of processes use the typed client', () => {
  const processes = sourceFiles().filter((file) => file.startsWith('test/processes/'));
  const untyped = (file: string) =>
    /product\.call\(|\bAnswered\b/.test(readFileSync(join(projectFolder, file), 'utf8'));
  expect(processes.length).toBeGreaterThan(10);
  expect(processes.filter(untyped)).toEqual([]);
});

test('the product contains no type assertions', () => {
  const files = sourceFiles().filter((file) => !file.startsWith('test/'));
  const asserting = files.filter((file) => assertions(readFileSync(join(projectFolder, file), 'utf8')) > 0);
  expect(asserting).toEqual([]);
  expect(assertions('const a = b as string; const c = <string>d; const e = f as const; g satisfies string;')).toBe(2);
});

/** Time limits in a test file: the last argument of a test or hook after its function, and `within` of a wait. */
function ownLimits(source: string): number {
  const waits = source.match(/\bwithin: \d/g) ?? [];
  const calls = nodesOf(source).filter(({ type, callee, arguments: given }) => {
    if (type !== 'CallExpression' || !Array.isArray(given)) return false;
    const [before, last] = given.slice(-2).map(({ expression }) => expression?.type);
    const isTest = Object(callee).type === 'CallExpression' || /^(test|before|after)/.test(Object(callee).value);
    return isTest && before === 'ArrowFunctionExpression' && last !== undefined;
  });
  return waits.length + calls.length;
}

test('no test file sets its own time limit', () => {
  const files = sourceFiles().filter(
    (file) => file.endsWith('.test.ts') && !/unit.(support|houseRules)|extra.(pdfText|subscriptionOracle)/.test(file),
  );
  expect(files.filter((file) => ownLimits(readFileSync(join(projectFolder, file), 'utf8')) > 0)).toEqual([]);
  const limited =
    "test('a', async () => {}, 5 * SECONDS); afterAll(() => stop(), 9); await until(look, { what: 'it', within: 9 });";
  expect(ownLimits(limited)).toBe(3);
  expect(
    ownLimits(
      "setTimeout(() => go(), 5); [1].reduce((a, b) => a + b, 0); test('a', () => {}); test.each([1])('%i', (n) => n, 7);",
    ),
  ).toBe(1);
});

/** The privileges on tables that the statements of a source need, and the login that runs them. */
function writesIn(file: string, source: string): { table: string; privilege: string; login: 'app' | 'system' }[] {
  const isSystem =
    /^db\/queries\/accounts\/(oauth|members|people|throttle)\.ts$|^commands\/accounts\/(accounts|members)\.ts$|^commands\/people\/(?!audit|invitations|members|rights|roles)/.test(
      file,
    );
  return source.split(/^(?=(?:export )?(?:async )?function )/m).flatMap((block) => {
    const login = isSystem || /\bsql: Sql\b/.test(block) ? 'system' : 'app';
    const written = [...block.matchAll(/\b(insert into|update|delete from) ([a-z_]+)\b/g)];
    const mapped = [...block.matchAll(/\bem\.(append|create|upsert|nativeUpdate|nativeDelete)\((\w+)/g)];
    const added = [...block.matchAll(/\b(updateRows|deleteRows)\(em, (\w+)/g)];
    return [...written, ...mapped, ...added].map(([, verb = '', name = '']) => {
      const table = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
      const privilege = /update/i.test(verb) ? 'update' : /delete/i.test(verb) ? 'delete' : 'insert';
      return { table, privilege, login } as const;
    });
  });
}

test('each table has listed rights, which cover the written statements', () => {
  const schema = migrationNames.map((name) => readFileSync(join(projectFolder, `db/migrations/${name}.sql`), 'utf8'));
  const tables = [...schema.join('\n').matchAll(/^create table "(\w+)"/gm)].map(([, table]) => table ?? '');
  expect(Object.keys(rights).toSorted()).toEqual([...tables, 'mikro_orm_migrations'].toSorted());
  const writes = sourceFiles()
    .filter((file) => /^(commands|db\/queries|api|workers)\//.test(file))
    .flatMap((file) => writesIn(file, readFileSync(join(projectFolder, file), 'utf8')).map((one) => ({ file, ...one })))
    .filter(({ table }) => tables.includes(table));
  expect(writes.length).toBeGreaterThan(150);
  expect(writes.filter(({ table, privilege, login }) => !rights[table]?.[login].includes(privilege))).toEqual([]);
});

/** Whether an expression is a literal object or list, also in parentheses or with a type. */
function isLiteral(node: unknown): boolean {
  const { type, expression }: Record<string, unknown> = Object(node);
  const isWrapper = /^((Parenthesis|TsAs|TsSatisfies)Expression|TsConstAssertion)$/.test(String(type));
  return isWrapper ? isLiteral(expression) : type === 'ObjectExpression' || type === 'ArrayExpression';
}

/** Number of spread literals, `...{ a, b }` and `...[a, b]`, which could be written without the spread. */
function packings(source: string): number {
  return nodesOf(source).flatMap((node): unknown[] => {
    if (node.type === 'SpreadElement') return isLiteral(node.arguments) ? [node] : [];
    const listed: unknown = node.type === 'ArrayExpression' ? node.elements : node.arguments;
    return Array.isArray(listed) ? listed.filter((one) => one?.spread && isLiteral(one.expression)) : [];
  }).length;
}

test('no literal is spread in place', () => {
  const packing = sourceFiles().filter((file) => packings(readFileSync(join(projectFolder, file), 'utf8')) > 0);
  expect(packing).toEqual([]);
  expect(packings('a({ ...{ b, c }, d }); e([...[f, g], h]);')).toBe(2);
  expect(packings('a({ ...({ b } as const), c }); e([...([f] as const), ...([g])]); h(...([i] satisfies J));')).toBe(4);
  expect(packings('a({ ...b, ...(c ? { d } : {}) }); e([...f, ...[g].map(h), ...([i] as const).map(h)]);')).toBe(0);
});

/** Number of writes of a column: assignments, members of literals, its name as a string, and SQL. */
function writesOf(field: string, source: string): number {
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (!source.includes(field) && !source.includes(column)) return 0;
  const sql = new RegExp(`\\b${column}"?\\s*=|\\binsert into [^)]*\\b${column}\\b`, 'i');
  return nodesOf(source).filter((node) => {
    const { left, key, properties, value, raw }: Record<string, unknown> = node;
    if (node.type === 'AssignmentExpression') return Object(left).property?.value === field;
    if (node.type === 'KeyValueProperty') return Object(key).value === field;
    if (node.type === 'ObjectExpression' && Array.isArray(properties))
      return properties.some((one) => one.type === 'Identifier' && one.value === field);
    if (node.type === 'StringLiteral') return value === field || sql.test(String(value));
    return node.type === 'TemplateElement' && sql.test(String(raw));
  }).length;
}

test("one file writes the time of an invoice's next charge", () => {
  const outside = /^(test|bench|present\/(emails|templates\/samples))\//;
  const writes = (file: string) => writesOf('nextPaymentAttemptAt', readFileSync(join(projectFolder, file), 'utf8'));
  const writing = sourceFiles().filter((file) => !outside.test(file) && writes(file) > 0);
  expect(writing).toEqual(['commands/aggregates/collectionState.ts', 'db/schema/invoice.ts']);
  const samples = [
    'a.nextAt = b',
    'a["nextAt"] = b',
    'Object.assign(a, { nextAt: b })',
    'c({ ...a, nextAt })',
    'sql("update a set next_at = now()")',
    'sql(`insert into a (id, next_at) values (1, 2)`)',
  ];
  expect(samples.filter((source) => writesOf('nextAt', source) === 0)).toEqual([]);
  const reads =
    'const { nextAt, d } = a; if (a.nextAt) e(`select next_at from a where next_at is null`, a.nextAt === b);';
  expect(writesOf('nextAt', reads)).toBe(0);
});

/** Fields that hold text for people. */
const prose = /^(message|step|did|why|words|[a-z]+Message|[a-z]+Reason|[a-z]+Detail)$/;
const searches = new Set(
  'startsWith endsWith includes indexOf lastIndexOf match matchAll search split replace replaceAll'.split(' '),
);

/** Number of places where code searches or compares text for people, instead of using a code. */
function proseMatched(source: string): number {
  const isWords = (tree: unknown) => /\w \w/.test(String(Object(tree).value ?? ''));
  return nodesOf(source).filter((node) => {
    if (node.type === 'BinaryExpression') {
      const { operator, left, right } = Object(node);
      return /^[!=]=/.test(operator) && (isWords(left) || isWords(right));
    }
    if (node.type === 'StringLiteral') return sqlMatchesProse(String(node.value));
    if (node.type === 'TemplateElement') return sqlMatchesProse(String(node.raw));
    const { callee: called, arguments: given } = Object(node);
    const callee = called?.type === 'OptionalChainingExpression' ? called.base : called;
    if (node.type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
    const method: unknown = callee.property.value;
    const args: { expression: unknown }[] = given;
    if (method === 'test' || method === 'exec') return args.some(({ expression }) => namesIn(expression).some(isProse));
    if (!searches.has(String(method))) return false;
    return namesIn(callee.object).some(isProse) || args.some(({ expression }) => isWords(expression));
  }).length;
}

const isProse = (name: string) => prose.test(name);

/** The names in an expression, without those in functions that it passes. */
function namesIn(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(namesIn);
  if (typeof tree !== 'object' || tree === null) return [];
  const { type, value, ...parts }: Record<string, unknown> = { ...tree };
  if (type === 'Identifier') return [String(value)];
  return type === 'ArrowFunctionExpression' ? [] : Object.values(parts).flatMap(namesIn);
}

function sqlMatchesProse(sql: string): boolean {
  return /\b(step|message|did|\w+_message|\w+_reason|reason_detail)"? *(not )?(like|ilike|similar to|~|= *'[^']* )/i.test(
    sql,
  );
}

/** Files that may search texts. */
const searchingTexts = new Set([
  'api/middleware/dispatch.ts', // renames a field in a message, and learns nothing from it
  'bin/demo/months.ts', // prints why charges were declined, and decides nothing by it: no field of the API has the code of a decline
]);

test('code learns reasons from codes, not from words', () => {
  const matching = sourceFiles()
    .filter((file) => /^(api|billing|bin|commands|db\/queries|present|workers|workflows)\//.test(file))
    .filter((file) => !searchingTexts.has(file))
    .filter((file) => proseMatched(readFileSync(join(projectFolder, file), 'utf8')) > 0);
  expect(matching).toEqual([]);
  const samples = [
    'error.message.endsWith(`: 7`)',
    "const from = step.indexOf(': ')",
    "const [what] = (step ?? rule).split(': ')",
    'if (/decline/.test(attempt.failureMessage)) stop()',
    "if (clock.stopReason?.startsWith('invoice')) go()",
    "if (webhook.disabledReason === 'answered 410 Gone') tell()",
    "text.includes('cached plan')",
    'if (/^[A-Z]/.test(message)) throw new Refusal(message)',
    "sql(`select 1 from wakeup where step like 'attempt%'`)",
    `sql("select 1 from problem where message = 'no plan'")`,
  ];
  expect(samples.filter((source) => proseMatched(source) !== 1)).toEqual([]);
  const codes = "if (reason === 'soft_decline' && type.endsWith('.deleted')) say(step, message, why.length)";
  expect(proseMatched(codes)).toBe(0);
});
