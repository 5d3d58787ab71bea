import { type DatabaseUrls, databaseUrls } from '../adapters/databaseLogins.ts';
import { type Config, configTable, readConfig, readSettings } from './config.ts';
import type { Service } from './roles/service.ts';
import { endWithParent, stopRequested } from './stopSignal.ts';
import { environmentFromParent } from './supervise/later.ts';
import { runningEnvironment } from './supervise/running.ts';

interface Command {
  /** Its arguments, as in the help. */
  args?: string;
  summary: string;
  /** The command prints its own help. */
  ownHelp?: boolean;
  /** Returns the exit code. */
  run(args: string[]): Promise<number>;
}

const commands: Record<string, Command> = {
  start: {
    summary: 'run everything on this machine: PostgreSQL, Temporal, mail server, API and worker',
    run: () => startAll(),
  },
  api: { summary: 'run an API', run: async () => serve((await import('./roles/api.ts')).runApi) },
  worker: { summary: 'run a worker', run: async () => serve((await import('./roles/worker.ts')).runWorker) },
  migrate: {
    args: '[--check]',
    summary: 'migrate the database to this version; --check only shows the pending changes and their locks',
    run: async (args) => (await import('./migrate.ts')).migrateOrCheck(roleConfig(), args),
  },
  keys: {
    args: 'rotate',
    summary: 'encrypt stored secrets with a new key, while API and workers run',
    run: async (args) => (await import('./keys.ts')).keys(roleConfig(), args),
  },
  open: {
    args: '"<name>" <email>',
    summary: 'open a business and print its API keys',
    ownHelp: true,
    run: async (args) => (await import('./openBusiness.ts')).openBusiness(roleConfig, args),
  },
  accounts: {
    args: '[list|create …]',
    summary: 'list the businesses, or open one with its first administrator',
    ownHelp: true,
    run: async (args) => (await import('./openBusiness.ts')).accounts(roleConfig, args),
  },
  members: {
    args: '<account> [invite|role|deactivate|activate|reset-factor …]',
    summary: 'list the members of an account, or invite and change them',
    ownHelp: true,
    run: async (args) => (await import('./members.ts')).members(roleConfig, args),
  },
  settings: {
    args: '<account> [<name>=<value> …]',
    summary: 'show or change the settings of an account',
    ownHelp: true,
    run: async (args) => (await import('./settings.ts')).printSettings(loginUrls, args),
  },
  audit: {
    args: '[<seconds>] [--since <time>] | --gateway [--since <time>] [--until <time>]',
    summary: 'check the books; <seconds>: timeout of each check; --since: what changed; --gateway: against gateways',
    run: audit,
  },
  backup: {
    args: '<folder>',
    summary: 'write the database and the stored files into a new folder, without the encryption key',
    run: async (args) => (await import('./backup/backup.ts')).backup(roleConfig(), args),
  },
  restore: {
    args: '<folder> [--test-gateway-of <database>]',
    summary: 'restore a backup into an empty database; --test-gateway-of: with the test gateway of another one',
    run: async (args) => (await import('./backup/restore.ts')).restore(roleConfig(), args),
  },
  recover: {
    args: '--since <time> [--apply]',
    summary: 'list charges and refunds that the gateways know and the database has lost; --apply: record them',
    run: async (args) => (await import('./recover.ts')).recover(roleConfig(), args),
  },
  reconcile: {
    summary: "rebuild Temporal's processes from the database",
    run: async () => (await import('./reconcile.ts')).runReconcile(roleConfig()),
  },
  explain: {
    args: '<type> <number or id> [--account <id>]',
    summary: 'explain an invoice, subscription or customer: history, upcoming steps, reasons, arithmetic',
    ownHelp: true,
    run: async (args) => (await import('./explain.ts')).printExplanation(systemUrl, args),
  },
  problems: {
    summary: 'list the open problems of all accounts with their reasons',
    run: async () => (await import('./problems.ts')).printProblems(systemUrl()),
  },
  demo: {
    summary: 'play a year of billing on the running instance',
    run: async () => (await import('./demo/demo.ts')).demo(readSettings(process.env).dataFolder),
  },
  bench: {
    summary: 'run benchmarks',
    ownHelp: true,
    run: async (args) => (await import('../bench/run.ts')).run(readSettings(process.env), args),
  },
  fuzz: {
    summary: 'send generated requests to the whole product',
    ownHelp: true,
    run: async (args) => (await import('../test/fuzz/run.ts')).run(readSettings(process.env), args),
  },
  siege: {
    summary: 'attack the whole product from one account and measure another one',
    ownHelp: true,
    run: async (args) => (await import('../test/siege/run.ts')).run(readSettings(process.env), args),
  },
  'stripe:live-test': {
    summary: 'charge and refund test cards at Stripe itself, with the test key STRIPE_SECRET_KEY',
    ownHelp: true,
    run: async () => (await import('../test/adapters/stripe/liveTest.ts')).run(process.env, console.log),
  },
  torture: {
    summary: 'compare the calendar with another library',
    ownHelp: true,
    run: async (args) => (await import('../test/torture/run.ts')).run(args),
  },
  test: { summary: 'run the tests', ownHelp: true, run: async (args) => (await import('../test/run.ts')).run(args) },
};

/** Runs `start`. A failure prints only its message, which names the part and gives advice, unless the log level is debug. */
async function startAll(): Promise<number> {
  const stopped = stopRequested();
  const { start } = await import('./start.ts');
  try {
    await start(readSettings(process.env), stopped);
    return 0;
  } catch (error) {
    console.error(process.env.LOG_LEVEL !== 'debug' && error instanceof Error ? error.message : error);
    return 1;
  }
}

/** Runs `audit`, or `audit --gateway`, which compares the books with the gateways. Both take `--since`. Returns the exit code. */
async function audit(args: string[]): Promise<number> {
  if (args.includes('--gateway')) return (await import('./gatewayAudit.ts')).printGatewayAudit(roleConfig(), args);
  const { encryptionKey, otherEncryptionKey } = roleConfig();
  const cipher = (await import('../adapters/cipher.ts')).createCipher(encryptionKey, otherEncryptionKey);
  return (await import('./audit.ts')).printAudit(systemUrl(), args, console.log, cipher);
}

/** The configuration of a role. Without DATABASE_URL, the role joins the instance that runs in the data folder. */
function roleConfig(): Config {
  if (process.env.DATABASE_URL) return readConfig(process.env);
  return readConfig({ ...runningEnvironment(readSettings(process.env).dataFolder), ...process.env });
}

/** The URL of the database for each login. */
function loginUrls(): DatabaseUrls {
  const { databaseUrl, encryptionKey } = roleConfig();
  return databaseUrls(databaseUrl, encryptionKey);
}

/** The URL of the database for the login that sees all accounts. */
const systemUrl = () => loginUrls().system;

/** Runs a role until it is asked to end, and lets it finish its current work. Returns the exit code: 1 if that takes too long. */
async function serve(run: (config: Config) => Promise<Service>): Promise<number> {
  const stopped = stopRequested();
  const service = await Promise.race([environmentFromParent().then(() => run(roleConfig())), stopped]);
  if (!service) return 0;
  const line = `Ready${service.url ? `: ${service.url}` : ''}`;
  if (process.send) process.send(line);
  else console.log(line);
  await stopped;
  const tooLong = new Promise<number>((resolve) => setTimeout(() => resolve(1), service.closeMilliseconds));
  return Promise.race([service.close().then(() => 0), tooLong]);
}

function usageOf(name: string, { args }: Command): string {
  return args ? `${name} ${args}` : name;
}

function help(): string {
  const width = Math.max(...configTable.map((row) => row.name.length)) + 2;
  const variables = configTable.map(({ name, type, default: fallback, meaning }) => {
    return `  ${name.padEnd(width)}${meaning} (${type}${fallback ? `; default: ${fallback}` : ''})`;
  });
  const listed = Object.entries(commands).map(([name, command]) => {
    return { usage: usageOf(name, command), summary: command.summary };
  });
  const commandWidth = Math.max(...listed.map(({ usage }) => usage.length)) + 2;
  return [
    'Usage: perennial <command>   (in this folder: npm run perennial -- <command>)',
    '',
    'Commands',
    ...listed.map(({ usage, summary }) => `  ${usage.padEnd(commandWidth)}${summary}`),
    '',
    'Environment variables',
    ...variables,
  ].join('\n');
}

async function main([name = '', ...args]: string[]): Promise<number> {
  const isHelp = (argument: string) => ['help', '--help', '-h'].includes(argument);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (isHelp(name) || (args.some(isHelp) && !command?.ownHelp)) {
    console.log(
      command
        ? `Usage: perennial ${usageOf(name, command)}\n\nCommand: ${command.summary}\n\nAll commands and variables: perennial --help`
        : help(),
    );
    return 0;
  }
  if (command) return command.run(args);
  const complaint = name ? `Unknown command "${name}".` : 'Command missing.';
  console.error(`${complaint} Commands: ${Object.keys(commands).join(', ')}. See --help.`);
  return 1;
}

endWithParent();
process.exit(
  await main(process.argv.slice(2)).catch(async (error: unknown) => {
    // Imported only now, because its dependencies would take memory in the process of `start`.
    const { explainFailure } = await import('./explainFailure.ts');
    console.error(explainFailure(error));
    return 1;
  }),
);
