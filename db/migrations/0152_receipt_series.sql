insert into "numbering" ("account_id", "series", "prefix", "prefix_key", "next")
select "id", 'receipt', 'REC-', 'REC-', 1 from "account" on conflict do nothing;
