/** The ORM as the rest of the product sees it; db/database.ts opens it. */
export type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
