/** A running role. */
export interface Service {
  url?: string;
  /** Maximum time for `close`. After it, the process exits anyway. */
  closeMilliseconds: number;
  close(): Promise<void>;
}
