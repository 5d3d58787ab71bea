create table "theme" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "is_default" boolean not null, "accent_color" varchar(7) null, "text_color" varchar(7) null, "background_color" varchar(7) null, "dark_accent_color" varchar(7) null, "dark_text_color" varchar(7) null, "dark_background_color" varchar(7) null, "logo_file_id" int null, "logo_hash" varchar(64) null, "font" varchar(32) not null, "corners" varchar(16) not null, "footer" text null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "theme" is 'Look of papers, pages and mails; the default one of an account is that of customers without one of their own';
create unique index "theme_default" on "theme" ("account_id") where is_default;
create index "theme_by_name" on "theme" ("account_id", "name", "id");
create index "theme_by_created" on "theme" ("account_id", "created_at", "id");
create index "theme_by_updated" on "theme" ("account_id", "updated_at", "id");

alter table "customer" add "theme_id" int null;
alter table "customer" add constraint "customer_account_id_theme_id_foreign" foreign key ("account_id", "theme_id") references "theme" ("account_id", "id") on update cascade on delete restrict not valid;

alter table "theme" add constraint "theme_font" check (font in ('inter', 'ibm_plex_sans', 'zen_kaku_gothic'));
alter table "theme" add constraint "theme_corners" check (corners in ('round', 'square'));
alter table "theme" enable row level security;
create policy "tenant" on "theme" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "theme" to "perennial_system" using (true);
