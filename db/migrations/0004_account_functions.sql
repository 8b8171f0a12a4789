-- Filled by the change that follows.
select 1;
