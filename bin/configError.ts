/** The environment is wrong or does not fit the database. The message is for the operator, who needs no stack trace. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
