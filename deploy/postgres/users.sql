-- The owner, as whom `migrate` connects, and the users of the processes, which own nothing: `migrate` grants their rights.
-- Run once as a superuser on a new server; psql takes the passwords as variables.
create role causeway_owner login password :'owner';
create role causeway_gateway login password :'gateway';
create role causeway_graph login password :'graph';
create role causeway_worker login password :'worker';
create database causeway owner causeway_owner;
