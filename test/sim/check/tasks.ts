// What must hold of the stored tasks after every step. Each statement finds offenders; it must find none.

const ENDED = `('completed', 'failed', 'canceled', 'rejected')`;
const OPENED = `count(*) FROM tasks t WHERE t.conversation_id = c.id AND t.expires_at IS NULL AND t.sender_id =`;

/** By what an offender would break. */
export const OFFENDING_TASKS: Readonly<Record<string, string>> = {
  'a task with a gap in its updates': `SELECT t.id, t.last_n, count(u.id) AS updates, max(u.n) AS last FROM tasks t
    LEFT JOIN task_updates u ON u.task_id = t.id WHERE coalesce(t.expires_at, ?1 + 1) > ?1
    GROUP BY t.id HAVING updates <> t.last_n OR last <> t.last_n`,
  'a task whose state is not that of its last update': `SELECT t.id, t.state, u.state AS told FROM tasks t
    LEFT JOIN task_updates u ON u.task_id = t.id AND u.n = t.last_n AND u.n = t.status_n
    WHERE coalesce(t.expires_at, ?1 + 1) > ?1 AND u.state IS NOT t.state`,
  'an update behind the end of a task': `SELECT u.id, u.n FROM task_updates u JOIN task_updates e
    ON e.task_id = u.task_id AND e.n < u.n WHERE e.state IN ${ENDED}`,
  'an update of no task': `SELECT u.id FROM task_updates u LEFT JOIN tasks t ON t.id = u.task_id WHERE t.id IS NULL`,
  'a task that is open for ever, or kept for no time': `SELECT t.id, t.state FROM tasks t
    WHERE (t.state IN ${ENDED}) <> (t.expires_at IS NOT NULL)`,
  'an open task of which nothing will be heard': `SELECT t.id FROM tasks t WHERE t.expires_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.id = 'task.end_open:' || t.conversation_id || ':late')`,
  'an open task in a conversation that is over': `SELECT t.id, c.status FROM tasks t JOIN conversations c
    ON c.id = t.conversation_id WHERE t.expires_at IS NULL AND c.status NOT IN ('open', 'escalated')`,
  'an open task of an agent that is gone': `SELECT t.id FROM tasks t JOIN agents a ON a.id IN (t.sender_id, t.target_id)
    WHERE t.expires_at IS NULL AND a.deactivated_at IS NOT NULL`,
  'a task that is open though it was answered': `SELECT t.id, m.id AS answer FROM tasks t JOIN messages m
    ON m.conversation_id = t.conversation_id AND m.sender_id = t.target_id AND m.created_at > t.updated_at
    WHERE t.expires_at IS NULL AND NOT EXISTS (SELECT 1 FROM forwards f WHERE f.answer_id = m.id)`,
  'an answer of an endpoint that is posted twice': `SELECT answer_id FROM forwards WHERE answer_id IS NOT NULL
    GROUP BY answer_id HAVING count(*) > 1`,
  'a message that was sent on and of which nothing will be heard': `SELECT f.id, f.state FROM forwards f
    WHERE f.state IN ('working', 'answered') AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.id =
      CASE f.state WHEN 'working' THEN 'forward.follow:' ELSE 'forward.settle:' END || f.id)`,
  'push configs that their task does not count': `SELECT t.id, t.push_configs FROM tasks t
    WHERE coalesce(t.expires_at, ?1 + 1) > ?1
      AND t.push_configs <> (SELECT count(*) FROM push_configs p WHERE p.task_id = t.id)`,
  'a push config that is beyond its task': `SELECT p.id, p.n, t.last_n FROM push_configs p JOIN tasks t ON t.id = p.task_id
    WHERE p.n > t.last_n`,
  'open tasks that their conversation does not count': `SELECT c.id, c.opener_tasks, c.other_tasks FROM conversations c
    WHERE c.opener_tasks <> (SELECT ${OPENED} c.opener_id) OR c.other_tasks <> (SELECT ${OPENED} c.other_id)`,
  'open tasks that their sender does not count': `SELECT a.id, c.n FROM agents a LEFT JOIN counters c
    ON c.id = 'tasks:' || a.id WHERE coalesce(c.n, 0) <>
    (SELECT count(*) FROM tasks t WHERE t.sender_id = a.id AND t.expires_at IS NULL)`,
  'a message of a task that its conversation does not hold': `SELECT u.id FROM task_updates u JOIN tasks t
    ON t.id = u.task_id LEFT JOIN messages m ON m.id = u.id AND m.conversation_id = t.conversation_id
      AND m.sender_id = t.sender_id
    WHERE json_extract(u.message, '$.role') = 'user' AND m.id IS NULL`,
};
