import { createRequire } from 'node:module';
import { portAnswers } from './ports.ts';
import { type Child, startChild, untilReady } from './process.ts';

/** `mailFolder` keeps mail across restarts; null: a temporary folder. `logFile` null: the log is discarded. */
export interface MaildevOptions {
  smtpPort: number;
  webPort: number;
  mailFolder?: string | null;
  logFile?: string | null;
  onSpawn?: (child: Child) => void;
}

/** A running development mail server with its web mailbox; both listen on the loopback interface. */
export interface Maildev {
  smtpUrl: string;
  mailboxUrl: string;
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** Starts maildev and resolves when both of its ports accept connections. Throws when it does not start. */
export async function startMaildev(options: MaildevOptions): Promise<Maildev> {
  const { smtpPort, webPort, mailFolder = null, logFile = null } = options;
  const folder = mailFolder ? ['--mail-directory', mailFolder] : [];
  const child = await startChild({
    name: 'maildev',
    command: process.execPath,
    args: [
      '--optimize-for-size', // saves 25 MiB at rest (docs/performance.md)
      createRequire(import.meta.url).resolve('maildev/bin/maildev'),
      '--ip',
      '127.0.0.1',
      '--web-ip',
      '127.0.0.1',
      '--smtp',
      String(smtpPort),
      '--web',
      String(webPort),
      ...folder,
    ],
    logFile,
    onSpawn: options.onSpawn,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
  });
  const isReady = async () => {
    if (!(await portAnswers(smtpPort)) || !(await portAnswers(webPort))) throw new Error('its ports do not answer');
  };
  await untilReady(child, isReady, logFile);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    mailboxUrl: `http://127.0.0.1:${webPort}`,
    pid: child.pid,
    exited: child.exited,
    stop: child.stop,
  };
}
