create index "chasing_cadence_by_kind" on "chasing_cadence" ("account_id", "kind", "id");
