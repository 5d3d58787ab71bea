import type { Logger } from 'pino';

const EVERY_MILLISECONDS = 60_000;

/**
 * Tells operators that the mail server does not answer: a line at once, and then at most one a minute, with the number of mails since the line
 * before. Each mail keeps its own reason in its row.
 */
export function mailServerLog(
  log: Pick<Logger, 'warn'> | undefined,
  smtpUrl: string,
  every = EVERY_MILLISECONDS,
): (reason: string) => void {
  const { hostname, port } = new URL(smtpUrl);
  const server = port ? `${hostname}:${port}` : hostname;
  let mails = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (reason) => {
    mails += 1;
    if (performance.now() - toldAt < every) return;
    log?.warn({ server, mails, reason }, 'the mail server does not answer; mails wait and are tried again');
    toldAt = performance.now();
    mails = 0;
  };
}
