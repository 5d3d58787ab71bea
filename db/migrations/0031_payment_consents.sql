create table "payment_consent" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "attempt_id" int not null, "text" text not null, "language" varchar(2) not null, "page" varchar(32) not null, "ip" varchar(64) null, "user_agent" varchar(500) null, "given_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "payment_consent" is 'A consent of a customer to automatic payment, as evidence: the text that was shown, when, and to whom';
create index "payment_consent_by_customer" on "payment_consent" ("account_id", "customer_id", "id");
alter table "payment_consent" add constraint "payment_consent_attempt" unique ("account_id", "attempt_id");

alter table "payment_consent" add constraint "payment_consent_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_consent" add constraint "payment_consent_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_consent" enable row level security;
create policy "tenant" on "payment_consent" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment_consent" to "perennial_system" using (true);
