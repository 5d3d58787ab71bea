/** Handles one batch of a relay's work over a connection. Answers whether there is more. */
export type RelayBatch = () => Promise<boolean>;
