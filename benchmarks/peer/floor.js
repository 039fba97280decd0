// The least that a turn can cost in a server of this kind: a form, an update and an insert in one transaction, 10 kB.
'use strict';

const Koa = require('koa');
const { Pool } = require('pg');

const PAGE = `<!doctype html><title>Floor</title>${'<p>One of the lines of this page.</p>'.repeat(280)}`;
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 8 });

async function readForm(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return new URLSearchParams(Buffer.concat(pieces).toString());
}

async function noteTurn(id, turn) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(
      'UPDATE floor_row SET version = version + 1 WHERE id = $1 RETURNING version', [id],
    );
    await client.query(
      'INSERT INTO floor_line (row_id, seq, turn, at) VALUES ($1, $2, $3, now())', [id, rows[0].version, turn],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const app = new Koa();
app.use(async (context) => {
  const form = await readForm(context.req);
  await noteTurn(Number(context.path.split('/').pop()), form.get('steps'));
  context.type = 'html';
  context.body = PAGE;
});
app.listen(Number(process.env.PORT));
