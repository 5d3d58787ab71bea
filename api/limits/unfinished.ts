import type { IncomingMessage, ServerResponse } from 'node:http';
import { presentError } from '../../present/kernel/error.ts';

/** Maximum number of unfinished bodies without a valid credential: of one address, and in all. */
export const MOST_OF_ADDRESS = 100;
export const MOST_WITHOUT_CREDENTIALS = 500;
/** Maximum number of unfinished bodies of one account. As many of its requests may wait. */
export const MOST_OF_ACCOUNT = 500;
/** Maximum number of unfinished bodies in all. */
const MOST_IN_ALL = 2000;

/** A request whose body has not arrived completely. */
interface Sending {
  request: IncomingMessage;
  response: ServerResponse;
  /** As in `admission`: its address, or the account whose credential it has shown. */
  who: string;
}

/** The requests whose bodies have not arrived completely, the oldest first. They hold no place; this bounds how many there are. */
export interface Unfinished {
  /**
   * Follows a request until its body has arrived. Newcomers are never refused. At a bound of a holder, its oldest one ends in their place; at the
   * bound of all, the oldest one without a credential, and if there is none, the oldest one of the account that has most.
   */
  follow(request: IncomingMessage, response: ServerResponse, address: string): void;
  /** Counts a request for its account from now on. */
  belongsTo(request: IncomingMessage, account: string): void;
  /** Ends all of them, when the server closes. */
  endAll(): void;
  count(): number;
}

/** `mostInAll`: maximum number of unfinished bodies of all holders together. */
export function createUnfinished(mostInAll = MOST_IN_ALL): Unfinished {
  const all = new Map<IncomingMessage, Sending>();
  const forget = (request: IncomingMessage) => void all.delete(request);
  /** Those that are still sending. Bodies that nobody has read yet are forgotten here. */
  const sending = (): Sending[] => {
    for (const { request } of all.values()) if (hasEnded(request)) forget(request);
    return [...all.values()];
  };
  const end = (one: Sending) => {
    forget(one.request);
    cutOff(one);
  };
  const bound = (group: readonly Sending[], most: number) => {
    for (const one of group.slice(0, Math.max(group.length - most, 0))) end(one);
  };
  const keepBounds = (who: string) => {
    if (all.size <= Math.min(MOST_OF_ADDRESS, mostInAll)) return;
    const isOf = (one: Sending) => one.who === who;
    bound(sending().filter(isOf), isAccount(who) ? MOST_OF_ACCOUNT : MOST_OF_ADDRESS);
    bound(
      sending().filter((one) => !isAccount(one.who)),
      MOST_WITHOUT_CREDENTIALS,
    );
    for (let over = all.size - mostInAll; over > 0; over -= 1) endOne();
  };
  /**
   * Ends the oldest one without a credential, but not the newcomer, who shows a credential only later. If there is no other, ends the oldest
   * one of the account that has most, so that nobody pays for another.
   */
  const endOne = () => {
    const earlier = sending().slice(0, -1);
    const groups = [...Map.groupBy(earlier, (one) => one.who).values()];
    const [ofLargest] = groups.toSorted((one, other) => other.length - one.length)[0] ?? [];
    const oldest = earlier.find((one) => !isAccount(one.who)) ?? ofLargest;
    if (oldest) end(oldest);
  };
  return {
    follow(request, response, who) {
      if (!hasBody(request)) return;
      all.set(request, { request, response, who });
      request.once('end', () => forget(request)).once('close', () => forget(request));
      keepBounds(who);
    },
    belongsTo(request, account) {
      const known = all.get(request);
      if (!known) return;
      known.who = account;
      keepBounds(account);
    },
    endAll: () => bound(sending(), 0),
    count: () => sending().length,
  };
}

const isAccount = (who: string) => who.startsWith('account ');

/** Whether its body has arrived, or will not. Node does not close the request of a connection that ends after the answer. */
function hasEnded(request: IncomingMessage): boolean {
  return request.complete || request.destroyed || request.socket.destroyed;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Answers 408, unless the request was answered before, and closes its connection. */
function cutOff({ request, response }: Sending): void {
  if (response.headersSent) return void request.destroy();
  const json = JSON.stringify(
    presentError({ type: 'invalid_request', code: 'body_invalid', message: 'The request took too long to arrive' }),
  );
  // Node does not end the request with its connection, so its reader would wait forever.
  response.once('close', () => request.destroy());
  response.writeHead(408, { 'Content-Type': 'application/json', Connection: 'close' }).end(json);
}
