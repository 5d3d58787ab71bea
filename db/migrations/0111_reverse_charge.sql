alter table "tax_rule" add "reverse_charge" boolean not null default false;
