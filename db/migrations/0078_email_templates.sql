create table "email_template_version" ("account_id" int not null, "id" serial not null, "template" varchar(64) not null, "language" varchar(2) not null, "version" int not null, "subject" text null, "html" text null, "text" text null, "updated_by" int not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "email_template_version" is 'A version of the wording of an email template in one language; the highest one is in use';
alter table "email_template_version" add constraint "email_template_version_once" unique ("account_id", "template", "language", "version");

alter table "email" add "view" jsonb null;

alter table "email_template_version" enable row level security;
create policy "tenant" on "email_template_version" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "email_template_version" to "perennial_system" using (true);
