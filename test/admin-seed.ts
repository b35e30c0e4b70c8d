/** A full database, as after a large event: what the operators' lists are tried and measured on. */

export const JOBS = 5000;
export const SESSIONS = 20_000;
export const LEADS = 10_000;

/** What the page asks for, with every filter it has. */
export const lists = [
  "overview",
  "jobs",
  "jobs?before=2500",
  "jobs?status=done",
  "jobs?status=failed&before=2500",
  "jobs?search=Guest%2012",
  "jobs?search=2500",
  "jobs/2500",
  "sessions",
  "sessions?before=10000",
  "sessions?status=blocked",
  "sessions?status=done&before=10000",
  "sessions?status=created",
  "sessions?status=photo_taken&before=10000",
  "leads",
  "leads?before=5000",
  "leads?status=won",
  "leads?status=new&before=5000",
  "costs",
  "costs?days=92",
  "audit",
  "audit?before=1000",
  "kiosks",
  "templates",
  "settings",
  "branding",
] as const;

/**
 * SQL of a busy day: every fourth visit ends in a pack, some fail, all since this morning.
 * @param day when it began, in milliseconds
 */
export const seed = (day: number) => `
  INSERT INTO users (id, first_name, lang, created_at, seen_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT i, 'Guest ' || i, 'ru', ${day}, ${day} FROM n;
  INSERT INTO sessions (token, status, kiosk, lang, user_id, template_id, problem, created_at, updated_at, expires_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SESSIONS})
    SELECT printf('seeded-session-token-%08d', i), CASE i % 4 WHEN 0 THEN iif(i % 40 = 0, 'failed', 'done') WHEN 1 THEN 'expired' WHEN 2 THEN 'expired' ELSE 'blocked' END,
      'hall-' || (i % 3), 'ru', 1 + i % 4000, 'chef', 'timeout', ${day} + i * 1000, ${day} + i * 1000, ${day} FROM n;
  INSERT INTO history (machine, subject, before, after, actor, reason, at)
    SELECT 'sessions', s.token, m.before, m.after, 'kiosk', NULL, s.created_at FROM sessions s,
      (SELECT NULL AS before, 'created' AS after, 0 AS k UNION ALL SELECT 'created', 'linked', 1 UNION ALL SELECT 'linked', 'consented', 2
       UNION ALL SELECT 'consented', 'template_chosen', 3 UNION ALL SELECT 'template_chosen', 'photo_taken', 4 UNION ALL SELECT 'photo_taken', 'done', 5) m
    ORDER BY s.rowid, m.k;
  INSERT INTO jobs (session_token, user_id, template_id, lang, status, problem, selfie, sheet_by, created_at, updated_at, started_at, finished_at)
    SELECT token, user_id, 'chef', 'ru', status, iif(status = 'failed', 'bad_sheet', NULL), 'selfie.jpg', 'gemini', created_at, updated_at, created_at + 500, created_at + 40000
    FROM sessions WHERE status IN ('done', 'failed');
  INSERT INTO history (machine, subject, before, after, actor, at)
    SELECT 'jobs', CAST(j.id AS TEXT), m.before, m.after, 'worker', j.created_at FROM jobs j,
      (SELECT NULL AS before, 'queued' AS after UNION ALL SELECT 'queued', 'running' UNION ALL SELECT 'running', 'delivering') m;
  INSERT INTO steps (job_id, attempt, name, outcome, at, ms)
    SELECT j.id, 1, m.name, 'ok', j.created_at, 900 FROM jobs j, (SELECT 'selfie' AS name UNION ALL SELECT 'draw' UNION ALL SELECT 'check' UNION ALL SELECT 'cut') m;
  INSERT INTO ai_usage (job_id, provider, model, purpose, outcome, input_tokens, output_tokens, images, usd, ms, at)
    SELECT j.id, m.provider, 'model', m.purpose, 'ok', 100, 100, 1, 0.02, 900, j.created_at FROM jobs j,
      (SELECT 'gemini' AS provider, 'selfie' AS purpose UNION ALL SELECT 'gemini', 'draw' UNION ALL SELECT 'openai', 'sheet') m;
  INSERT INTO packs (job_id, user_id, name, title, stickers, decided_at, created_at)
    SELECT id, user_id, 'booth_' || id || '_x_by_bot', 'Pack', 9, created_at, created_at FROM jobs WHERE status = 'done';
  INSERT INTO leads (request_id, status, name, contact, comment, locale, source, status_at, queued_at, published_at, next_publish_at, created_at, updated_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LEADS})
    SELECT 'request-' || i, CASE i % 5 WHEN 0 THEN 'new' WHEN 1 THEN 'in_progress' WHEN 2 THEN 'won' WHEN 3 THEN 'lost' ELSE 'spam' END,
      '=cmd|calc', '+998 90 ' || i, '<img src=x onerror=alert(1)>', 'ru', 'insta', ${day}, ${day}, ${day}, ${day}, ${day}, ${day} FROM n;
  INSERT INTO audit_log (at, actor, action, target, before, after)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT ${day} + i, 'admin:operator', 'pause', '', '{"open":true}', '{}' FROM n;
  INSERT INTO kiosks (id, camera, first_at, seen_at) VALUES ('hall-1', 'ok', ${day}, ${day});
`;
