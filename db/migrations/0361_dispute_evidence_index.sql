create index "dispute_by_evidence" on "dispute" ("account_id", "evidence_due_at", "id");
