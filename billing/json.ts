/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A resource as clients see it. */
export type Presented = { [key: string]: Json };
