create table "portal_session" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "hash" varchar(64) not null, "email" varchar(255) null, "maker" jsonb null, "ip" varchar(64) not null, "user_agent" varchar(255) null, "created_at" timestamptz not null, "last_seen_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "portal_session" is 'A browser that is signed in to the portal of a customer';
create index "portal_session_by_customer" on "portal_session" ("account_id", "customer_id", "id");
create index "portal_session_expiry" on "portal_session" ("expires_at");
alter table "portal_session" add constraint "portal_session_hash" unique ("hash");

create table "portal_link" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "purpose" varchar(7) not null, "hash" varchar(64) not null, "email" varchar(255) null, "browser_hash" varchar(64) null, "code_hash" varchar(64) null, "tries" int not null default 0, "maker" jsonb null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, primary key ("account_id", "id"));
comment on table "portal_link" is 'A link into the portal of a customer that works once: to sign in, from the product of the account, or to confirm an address';
create index "portal_link_by_customer" on "portal_link" ("account_id", "customer_id", "purpose");
create index "portal_link_expiry" on "portal_link" ("expires_at");
alter table "portal_link" add constraint "portal_link_hash" unique ("hash");

alter table "contact" add "portal_role" varchar(4) null;

alter table "payment_consent" add "email" varchar(255) null;

alter table "portal_session" add constraint "portal_session_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "portal_session" add constraint "portal_session_holder" check ((email is null) <> (maker is null));
alter table "portal_session" enable row level security;
create policy "tenant" on "portal_session" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "portal_session" to "perennial_system" using (true);
create policy "owner" on "portal_session" as restrictive to "perennial_limited" using ((exists ( select 1 from customer o where ((o.account_id = portal_session.account_id) and (o.id = portal_session.customer_id)))));

alter table "portal_link" add constraint "portal_link_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "portal_link" add constraint "portal_link_purpose" check (purpose in ('sign_in', 'session', 'email'));
alter table "portal_link" enable row level security;
create policy "tenant" on "portal_link" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "portal_link" to "perennial_system" using (true);
create policy "owner" on "portal_link" as restrictive to "perennial_limited" using ((exists ( select 1 from customer o where ((o.account_id = portal_link.account_id) and (o.id = portal_link.customer_id)))));
