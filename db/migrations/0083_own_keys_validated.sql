alter table agent_keys validate constraint agent_keys_signs;
