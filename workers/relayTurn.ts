/** One turn of a relay's work over a connection. Answers whether there is more. */
export type RelayTurn = () => Promise<boolean>;
