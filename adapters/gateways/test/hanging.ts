/** The connection of callers to the gateway, over which calls may hang. */
export interface GatewayConnection {
  /** A signal that aborts with the caller's signal, or when the connection breaks. */
  orBroken(signal: AbortSignal): AbortSignal;
  /** Breaks the connection: calls that hang end with an error. Later calls get a new one. */
  hangUp(): void;
}

export function createGatewayConnection(): GatewayConnection {
  let connection = new AbortController();
  return {
    orBroken: (signal) => AbortSignal.any([signal, connection.signal]),
    hangUp() {
      connection.abort(new Error('The connection to the test gateway broke'));
      connection = new AbortController();
    },
  };
}

/** Rejects with the reason of the signal when it aborts. */
export function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
