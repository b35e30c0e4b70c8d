-- Indexes that nothing reads by any more: 005 brought better ones. Each cost a page of every commit on the way of a job.
DROP INDEX jobs_queue;
DROP INDEX jobs_active;
DROP INDEX jobs_created;
DROP INDEX history_at;
