// boardgame.io with PostgreSQL: what the site is measured beside. `STORE` names the package that stores, or is empty for
// the leanest store there can be.
'use strict';

const { INVALID_MOVE } = require('boardgame.io/core');
const { Server } = require('boardgame.io/server');
const { PostgresStore } = require('bgio-postgres');
const { PlainStore } = require('./store');

const SIZE = 12;
const WAYS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const around = (place) => (place + SIZE) % SIZE;

// Two pawns gather stars, a step a turn, over a board without edges. It goes on for ever.
const stars = {
  name: 'stars',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({
    rows: Array.from({ length: SIZE }, () => '.b.y.r.b.y.r'),
    pawns: [[0, 0], [6, 6]],
    points: [0, 0],
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step: ({ G, playerID }, way) => {
      if (!Object.hasOwn(WAYS, way)) return INVALID_MOVE;
      const seat = Number(playerID);
      const [x, y] = G.pawns[seat].map((place, axis) => around(place + WAYS[way][axis]));
      G.pawns[seat] = [x, y];
      if (G.rows[y][x] !== '.') {
        G.rows[y] = `${G.rows[y].slice(0, x)}.${G.rows[y].slice(x + 1)}`;
        G.points[seat] += 1;
      }
      return undefined;
    },
  },
};

const url = process.env.DATABASE_URL;
const db = process.env.STORE === 'bgio-postgres'
  ? new PostgresStore(url, { logging: false, pool: { max: 8 } })
  : new PlainStore(url);
Server({ games: [stars], db, origins: false }).run(Number(process.env.PORT));
