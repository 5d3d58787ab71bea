/** Does what there is to do over a connection; answers whether there is more. */
export type RelayTurn = () => Promise<boolean>;
