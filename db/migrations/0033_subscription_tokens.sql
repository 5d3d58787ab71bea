update "subscription" set "token" = replace((gen_random_uuid())::text, '-'::text, ''::text) where "token" is null;
