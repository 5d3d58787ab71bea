/** Something in the environment is wrong, or does not fit the database: its message is for the operator and needs no stack. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
