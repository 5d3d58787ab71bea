/** Handles one batch of a relay's work. Returns whether there may be more. */
export type RelayBatch = () => Promise<boolean>;
