/** The environment is wrong, or does not fit the database. The message tells the operator what to change, and is printed without a stack. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
