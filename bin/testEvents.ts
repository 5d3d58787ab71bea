import type { TestGateway } from '../adapters/gateways/test/gateway.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { repeat } from './repeat.ts';

/** Time between two looks for due events of the test gateway. */
const REST_MILLISECONDS = 1000;

export interface TestEvents {
  close(): Promise<void>;
}

/** Sends the due events of the test gateway to the API of this process, as a real gateway sends them over the network. */
export function startTestEvents(
  { testGateway, log }: Pick<Deps, 'log'> & { testGateway: TestGateway },
  config: Pick<Config, 'host' | 'port'>,
): TestEvents {
  const url = `http://${reachable(config.host)}:${config.port}`;
  return repeat(REST_MILLISECONDS, () =>
    testGateway.sendEvents(url).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'events of the test gateway could not be sent');
    }),
  );
}

/** The host at which this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
