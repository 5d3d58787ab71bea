update "problem" set "told_at" = "since" where "closed_at" is null and "money_at_risk" > 0;
