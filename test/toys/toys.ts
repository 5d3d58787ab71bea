import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../suites.ts';

/** An addition to the project that follows a section of CONTRIBUTING.md. */
export interface Toy {
  /** Heading of the section. */
  section: string;
  /** Values of placeholders in `section`. */
  names: Readonly<Record<string, string>>;
  /** Folder of its new files, beside this file. Their paths are those in the project, plus `.txt`. */
  folder: string;
  edits: readonly Edit[];
}

/** Inserts `add` after the line `after`, which must be unique in the file. */
interface Edit {
  file: string;
  after: string;
  add: string;
}

export const resourceToy: Toy = {
  section: 'Adding a resource',
  names: { noun: 'badge', nouns: 'badges', folder: 'customers' },
  folder: 'badge',
  edits: [
    {
      file: 'db/schema/customerTables.ts',
      after: "import { Attempt } from './attempt.ts';",
      add: "import { Badge } from './badge.ts';",
    },
    { file: 'db/schema/customerTables.ts', after: '  note: Note,', add: '  badge: Badge,' },
    {
      file: 'billing/eventTypes.ts',
      after: "  charge: ['failed', 'disputed'],",
      add: "  badge: ['created', 'deleted'],",
    },
    {
      file: 'api/resources/routes.ts',
      after: "import { attachmentRoutes } from './attachments.ts';",
      add: "import { badgeRoutes } from './badges.ts';",
    },
    {
      file: 'api/resources/routes.ts',
      after: "  { name: 'Customers', description: 'Companies and persons that you bill.', routes: customerRoutes },",
      add: "  { name: 'Badges', description: 'Words that describe customers.', routes: badgeRoutes },",
    },
  ],
};

export const processToy: Toy = {
  section: 'Adding a process',
  names: { noun: 'task', nouns: 'tasks', folder: 'tasks', room: 'collection' },
  folder: 'dueTask',
  edits: [
    {
      file: 'billing/processes.ts',
      after: "  charge: { table: 'attempt', step: 'advanceCharge', rules: ['look_up', 'dispute'] },",
      add: "  task: { table: 'task', step: 'advanceTask', rules: ['end'] },",
    },
    {
      file: 'workflows/index.ts',
      after: "  return steps(input, { process: 'estimate', step: 'advanceEstimate' });",
      add: `}

/** Waits until a task is due. */
export function task(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'task', step: 'advanceTask' });`,
    },
    {
      file: 'workers/activities.ts',
      after: "import { advanceSubscription } from '../commands/subscriptions/steps/steps.ts';",
      add: "import { advanceTask } from '../commands/tasks/steps.ts';",
    },
    {
      file: 'workers/activities.ts',
      after: "    advanceCharge: stepping('charge', advanceCharge),",
      add: "    advanceTask: stepping('task', advanceTask),",
    },
    {
      file: 'commands/tasks/tasks.ts',
      after: "import { Missing } from '../kernel/missing.ts';",
      add: "import { planTask } from './steps.ts';",
    },
    {
      file: 'commands/tasks/tasks.ts',
      after:
        "  if (task.complete) recordOfCustomer(em, locked, { type: 'task.completed', row: task, shown: presentTask(task) });",
      add: '  await planTask(em, locked, { task, inside: false });',
    },
    {
      file: 'commands/tasks/tasks.ts',
      after: '  recordOfCustomer(em, locked, { type, row: task, shown: presentTask(task), before });',
      add: '  await planTask(em, locked, { task, inside: false });',
    },
    {
      file: 'commands/tasks/tasks.ts',
      after: "  recordOfCustomer(em, locked, { type: 'task.deleted', row: task, shown: presentTask(task) });",
      add: '  task.dueAt = null;\n  await planTask(em, locked, { task, inside: false });',
    },
  ],
};

/** Copies the working tree of the project. The copy links to the project's dependencies. */
export function copyProject(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: projectFolder, encoding: 'utf8' });
  const gone = new Set(deleted.split('\0'));
  for (const file of listed.split('\0'))
    if (file !== '' && !gone.has(file)) cpSync(join(projectFolder, file), join(copy, file));
  symlinkSync(join(projectFolder, 'node_modules'), join(copy, 'node_modules'));
}

/** Adds a toy to a copy of the project. Returns the files that it creates or edits. */
export function addToy(copy: string, { folder, edits }: Toy): string[] {
  const source = join(import.meta.dirname, folder);
  const added = globSync('**/*.txt', { cwd: source }).map((file) => file.slice(0, -'.txt'.length));
  for (const file of added) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), readFileSync(join(source, `${file}.txt`)), { flag: 'wx' });
  }
  for (const { file, after, add } of edits) {
    const [before = '', ...rest] = readFileSync(join(copy, file), 'utf8').split(`${after}\n`);
    if (rest.length !== 1) throw new Error(`${file} has this line ${rest.length} times: ${after}`);
    writeFileSync(join(copy, file), `${before}${after}\n${add}\n${rest[0]}`);
  }
  return [...new Set([...added, ...edits.map(({ file }) => file)])].sort();
}

/** The files named by the steps of a toy's section. Each numbered step starts with a file. */
export function filesOfSteps({ section, names }: Toy): string[] {
  const guide = readFileSync(join(projectFolder, 'CONTRIBUTING.md'), 'utf8');
  const steps = guide.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...steps.matchAll(/^\d+\. `([^`]+)`/gm)]
    .map(([, path = '']) => path.replace(/<(\w+)>/g, (_, name: string) => names[name] ?? name))
    .sort();
}
