update contact set portal_role = 'pay' where is_primary and email is not null;
