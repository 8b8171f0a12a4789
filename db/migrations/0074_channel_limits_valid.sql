alter table channels validate constraint channels_received;
