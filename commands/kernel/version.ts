/** Versions of the API, oldest first: docs/versions.md. An account keeps the version it was created with. */
export const VERSIONS = ['2026-09-01', '2026-11-01'] as const;

export const CURRENT_VERSION: string = VERSIONS[VERSIONS.length - 1] ?? '';
