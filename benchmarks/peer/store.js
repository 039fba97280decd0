// The least that boardgame.io can ask of PostgreSQL: a match is a row, its log rows of their own, a turn one statement.
'use strict';

const { Async } = require('boardgame.io/internal');
const { Pool } = require('pg');

const TABLES = `
  CREATE TABLE IF NOT EXISTS peer_match (id text PRIMARY KEY, state jsonb, initial jsonb, metadata jsonb);
  CREATE TABLE IF NOT EXISTS peer_line (id bigserial PRIMARY KEY, match text NOT NULL REFERENCES peer_match, lines jsonb);
  CREATE INDEX IF NOT EXISTS peer_line_match ON peer_line (match);
`;
const TURN = `
  WITH turn AS (UPDATE peer_match SET state = $2 WHERE id = $1 RETURNING id)
  INSERT INTO peer_line (match, lines) SELECT id, $3 FROM turn
`;

class PlainStore extends Async {
  constructor(url) {
    super();
    this.pool = new Pool({ connectionString: url, max: 8 });
  }

  async connect() {
    await this.pool.query(TABLES);
  }

  async createMatch(id, { initialState, metadata }) {
    const state = JSON.stringify(initialState);
    await this.pool.query('INSERT INTO peer_match VALUES ($1, $2, $2, $3)', [id, state, JSON.stringify(metadata)]);
  }

  async setState(id, state, deltalog) {
    const values = [id, JSON.stringify(state), JSON.stringify(deltalog ?? [])];
    await this.pool.query({ name: 'turn', text: TURN, values });
  }

  async setMetadata(id, metadata) {
    const values = [id, JSON.stringify(metadata)];
    await this.pool.query({ name: 'metadata', text: 'UPDATE peer_match SET metadata = $2 WHERE id = $1', values });
  }

  async fetch(id, { state, log, metadata, initialState }) {
    const wanted = Object.entries({ state, metadata, initial: initialState }).filter(([, want]) => want);
    const columns = wanted.map(([column]) => column);
    const text = `SELECT ${columns.join(', ') || 'id'} FROM peer_match WHERE id = $1`;
    const { rows } = await this.pool.query({ name: `fetch ${columns}`, text, values: [id] });
    if (rows.length === 0) return {};
    const { initial, ...found } = rows[0];
    if (initialState) found.initialState = initial;
    if (log) {
      const lines = await this.pool.query('SELECT lines FROM peer_line WHERE match = $1 ORDER BY id', [id]);
      found.log = lines.rows.flatMap((row) => row.lines);
    }
    return found;
  }

  async wipe(id) {
    await this.pool.query('DELETE FROM peer_line WHERE match = $1', [id]);
    await this.pool.query('DELETE FROM peer_match WHERE id = $1', [id]);
  }

  async listMatches() {
    const { rows } = await this.pool.query('SELECT id FROM peer_match');
    return rows.map((row) => row.id);
  }
}

module.exports = { PlainStore };
