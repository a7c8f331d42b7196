#!lua name=postern_fence_3

-- The steps of the fence, each atomic because Valkey runs one function at a time.
--
-- Keys, all behind one prefix P that names the cluster:
--   P dir        hash    inc, run (the incarnation, and the run of this server that it is for),
--                        v (directory counter), o (open tokens on it), n and b (all open tokens
--                        and the bytes that they hold)
--   P i:UUID     hash    m, d (counters of metadata and data), o, u (open tokens, those of them
--                        that do not know their ids), f (sequences up to it left the log), s (_seq_no)
--   P l:UUID     list    the log, oldest first: "SEQUENCE:ID" a line, "SEQUENCE!" for unknown ids
--   P c:UUID     hash    id -> token that claims it
--   P u:UUID     set     fields that ever held an uncovered value
--   P t:TOKEN    hash    an open token; owners name their tokens, so that they know them whatever
--                        becomes of an answer
--   P open       set     open tokens
--   P owners     hash    gateway -> when it was last heard of, microseconds of this server's clock
--   P awaited    set     gateways that have not said yet, since the incarnation advanced, which tokens
--                        they hold open; until then nothing is quiet
--   P a:KEY      string  an answer with the vector it was made under; the only key with a time to live
--
-- Every call names the incarnation and the run id of this server that the caller knows. Another
-- run id means a restart, perhaps from an older file: nothing may be served, published or begun
-- until somebody has advanced the incarnation (advance).

-- The server's run id, asked once in the life of the process: INFO is slow.
local run

local function run_id()
  if not run then
    run = string.match(server.call('INFO', 'server'), 'run_id:(%x+)')
  end
  return run
end

-- whole writes a number without an exponent.
local function whole(n) return string.format('%.0f', n) end

local function now()
  local t = server.call('TIME')
  return tonumber(t[1]) * 1000000 + tonumber(t[2])
end

-- moved answers a caller that knows another incarnation or another run of this server.
local function moved(p, inc, known)
  local current = server.call('HGET', p .. 'dir', 'inc') or '0'
  local seen = server.call('HGET', p .. 'dir', 'run') or ''
  if current ~= inc or known ~= run_id() or seen ~= known then
    return { 'incarnation', current, run_id(), seen }
  end
end

local function number(v) return tonumber(v or 0) end

-- vector reads the incarnation and the counters of the directory and of indices.
local function vector(p, uuids)
  local dir = server.call('HMGET', p .. 'dir', 'inc', 'v', 'o')
  local out = { dir[1] or '0', dir[2] or '0' }
  local quiet = number(dir[3]) == 0 and server.call('EXISTS', p .. 'awaited') == 0
  for _, uuid in ipairs(uuids) do
    local ix = server.call('HMGET', p .. 'i:' .. uuid, 'm', 'd', 'o', 'u')
    out[#out + 1] = ix[1] or '0'
    out[#out + 1] = ix[2] or '0'
    quiet = quiet and number(ix[3]) == 0
  end
  return out, quiet
end

-- trim drops whole mutations from the log's old end.
local function trim(p, uuid, limit)
  local l = p .. 'l:' .. uuid
  local n = server.call('LLEN', l)
  if n <= limit then return end
  local cut = n - math.floor(limit / 2)
  local last = server.call('LINDEX', l, cut - 1)
  local seq = string.match(last, '^(%d+)')
  while cut < n and string.match(server.call('LINDEX', l, cut), '^(%d+)') == seq do
    cut = cut + 1
  end
  server.call('LTRIM', l, cut, -1)
  server.call('HSET', p .. 'i:' .. uuid, 'f', seq)
end

-- open records a token and what it claims. It is also how an owner announces a token anew
-- after the server came back without it.
local function open(p, t, limit)
  local bytes = 0
  for _, id in ipairs(t.ids) do bytes = bytes + #id end
  server.call('HSET', p .. 't:' .. t.token, 'owner', t.owner, 'index', t.index, 'scope', t.scope, 'sequence', t.sequence,
    'at', whole(now()), 'operation', t.operation, 'bytes', bytes,
    'unbounded', t.unbounded, 'ids', cmsgpack.pack(t.ids), 'incarnation', t.inc)
  server.call('SADD', p .. 'open', t.token)
  server.call('HINCRBY', p .. 'dir', 'n', 1)
  server.call('HINCRBY', p .. 'dir', 'b', bytes)
  if t.scope == 'directory' then
    server.call('HINCRBY', p .. 'dir', 'o', 1)
  end
  if t.index ~= '' then
    local ix = p .. 'i:' .. t.index
    server.call('HINCRBY', ix, 'o', 1)
    if t.scope == 'documents' then
      local lines = {}
      if t.unbounded == '1' then
        server.call('HINCRBY', ix, 'u', 1)
        lines[1] = t.sequence .. '!'
      end
      for _, id in ipairs(t.ids) do
        server.call('HSET', p .. 'c:' .. t.index, id, t.token)
        lines[#lines + 1] = t.sequence .. ':' .. id
      end
      -- unpack has a bound on the stack
      for from = 1, #lines, 1000 do
        server.call('RPUSH', p .. 'l:' .. t.index, unpack(lines, from, math.min(from + 999, #lines)))
      end
      trim(p, t.index, limit)
    end
  end
end

-- count raises the counter of what a token changes.
local function count(p, t)
  if t.scope == 'directory' then
    t.sequence = whole(server.call('HINCRBY', p .. 'dir', 'v', 1))
  elseif t.scope == 'metadata' then
    t.sequence = whole(server.call('HINCRBY', p .. 'i:' .. t.index, 'm', 1))
  else
    t.sequence = whole(server.call('HINCRBY', p .. 'i:' .. t.index, 'd', 1))
  end
end

-- begin: P, incarnation, run, token, owner, scope, index, operation, unbounded, _seq_nos wanted, log
-- limit, limits of open tokens and of their bytes, the planned directory ('' for unchecked),
-- n indices with their planned metadata, n fields, n ids.
local function begin(keys, a)
  local p = keys[1]
  local refused = moved(p, a[1], a[2])
  if refused then return refused end
  local t = { inc = a[1], token = a[3], owner = a[4], scope = a[5], index = a[6], operation = a[7], unbounded = a[8], ids = {} }
  local seqs, limit, max_tokens, max_bytes, planned = tonumber(a[9]), tonumber(a[10]), tonumber(a[11]), tonumber(a[12]), a[13]
  local at = 14
  local n = tonumber(a[at])
  if planned ~= '' and planned ~= (server.call('HGET', p .. 'dir', 'v') or '0') then return { 'moved' } end
  for i = 1, n do
    local uuid, meta = a[at + 2 * i - 1], a[at + 2 * i]
    if meta ~= (server.call('HGET', p .. 'i:' .. uuid, 'm') or '0') then return { 'moved' } end
  end
  at = at + 2 * n + 1
  -- Its owner has announced it already, when it learned of a new incarnation amid this begin.
  local announced = server.call('HGET', p .. 't:' .. t.token, 'sequence')
  local fields_at, fields = at, tonumber(a[at])
  at = at + fields + 1
  local ids, bytes = tonumber(a[at]), 0
  for i = 1, ids do
    local id = a[at + i]
    t.ids[i] = id
    bytes = bytes + #id
    local held = server.call('HGET', p .. 'c:' .. t.index, id)
    if held and held ~= t.token then return { 'held', held } end
  end
  local totals = server.call('HMGET', p .. 'dir', 'n', 'b')
  if not announced and (number(totals[1]) >= max_tokens or number(totals[2]) + bytes > max_bytes) then return { 'full' } end

  if announced then t.sequence = announced else count(p, t) end
  local seq = '0'
  if seqs > 0 then
    -- Each incarnation has numbers of its own: an older file gives none a second time.
    local last = server.call('HINCRBY', p .. 'i:' .. t.index, 's', seqs)
    seq = whole((tonumber(t.inc) - 1) * 2 ^ 40 + last - seqs)
  end
  for i = 1, fields do server.call('SADD', p .. 'u:' .. t.index, a[fields_at + i]) end
  if not announced then open(p, t, limit) end
  return { 'ok', t.sequence, seq }
end

-- announce: P, incarnation, run, token, owner, scope, index, operation, unbounded, log limit, ids.
-- Says 'ok', or 'lost' when the server has come back without the token: it is open again, and its
-- counter raised, for what it writes must not be missed; but others may have claimed its ids since.
local function announce(keys, a)
  local p = keys[1]
  local refused = moved(p, a[1], a[2])
  if refused then return refused end
  local t = { inc = a[1], token = a[3], owner = a[4], scope = a[5], index = a[6], operation = a[7], unbounded = a[8], ids = {} }
  if server.call('EXISTS', p .. 't:' .. t.token) == 1 then return { 'ok' } end
  for i = 10, #a do t.ids[#t.ids + 1] = a[i] end
  count(p, t)
  open(p, t, tonumber(a[9]))
  return { 'lost' }
end

-- complete: P, token. Answers 'ok' or 'unknown'. Its flag lets it run when memory is full.
local function complete(keys, a)
  local p, token = keys[1], a[1]
  local key = p .. 't:' .. token
  local t = server.call('HMGET', key, 'index', 'scope', 'bytes', 'unbounded', 'ids')
  if not t[1] then return { 'unknown' } end
  local index, scope = t[1], t[2]
  server.call('DEL', key)
  server.call('SREM', p .. 'open', token)
  server.call('HINCRBY', p .. 'dir', 'n', -1)
  server.call('HINCRBY', p .. 'dir', 'b', -number(t[3]))
  if scope == 'directory' then server.call('HINCRBY', p .. 'dir', 'o', -1) end
  local ix = p .. 'i:' .. index
  if index ~= '' and server.call('EXISTS', ix) == 1 then
    server.call('HINCRBY', ix, 'o', -1)
    if t[4] == '1' then server.call('HINCRBY', ix, 'u', -1) end
    for _, id in ipairs(cmsgpack.unpack(t[5])) do
      if server.call('HGET', p .. 'c:' .. index, id) == token then
        server.call('HDEL', p .. 'c:' .. index, id)
      end
    end
  end
  return { 'ok' }
end

-- lookup: P, incarnation, run, key ('' for none), whether open ids and uncovered fields are
-- wanted, n indices.
local function lookup(keys, a)
  local p = keys[1]
  local refused = moved(p, a[1], a[2])
  if refused then return refused end
  local uuids = {}
  for i = 5, #a do uuids[#uuids + 1] = a[i] end
  local v, quiet = vector(p, uuids)
  local entry = false
  if quiet and a[3] ~= '' then
    local stored = server.call('GET', p .. 'a:' .. a[3])
    if stored then
      local text = table.concat(v, ',')
      if string.sub(stored, 1, #text + 1) == text .. '\n' then
        entry = string.sub(stored, #text + 2)
      end
    end
  end
  local positions = {}
  if a[4] == '1' then
    for i, uuid in ipairs(uuids) do
      positions[i] = {
        server.call('HGET', p .. 'i:' .. uuid, 'u') or '0',
        server.call('HKEYS', p .. 'c:' .. uuid),
        server.call('SMEMBERS', p .. 'u:' .. uuid),
      }
    end
  end
  return { 'ok', v, quiet and 1 or 0, entry, positions }
end

-- publish: P, incarnation, run, key, entry, milliseconds to live, vector as text, n indices.
local function publish(keys, a)
  local p = keys[1]
  local refused = moved(p, a[1], a[2])
  if refused then return refused end
  local uuids = {}
  for i = 7, #a do uuids[#uuids + 1] = a[i] end
  local v, quiet = vector(p, uuids)
  if not quiet or table.concat(v, ',') ~= a[6] then return { 'stale' } end
  server.call('SET', p .. 'a:' .. a[3], a[6] .. '\n' .. a[4], 'PX', a[5])
  return { 'ok' }
end

-- since: P, incarnation, run, index, sequence. The ids written after it, or 'outrun'.
local function since(keys, a)
  local p = keys[1]
  local refused = moved(p, a[1], a[2])
  if refused then return refused end
  local uuid, after = a[3], tonumber(a[4])
  local f = server.call('HGET', p .. 'i:' .. uuid, 'f')
  if after < number(f) then return { 'outrun' } end
  local ids = {}
  local l = p .. 'l:' .. uuid
  local to = server.call('LLEN', l) - 1
  -- Read from the new end, in blocks: most callers are only a little behind.
  while to >= 0 do
    local from = math.max(0, to - 255)
    local lines = server.call('LRANGE', l, from, to)
    for i = #lines, 1, -1 do
      local seq, kind, id = string.match(lines[i], '^(%d+)([:!])(.*)$')
      if tonumber(seq) <= after then return { 'ok', ids } end
      if kind == '!' then return { 'outrun' } end
      ids[#ids + 1] = id
    end
    to = from - 1
  end
  return { 'ok', ids }
end

-- forget: P, index.
local function forget(keys, a)
  local p, uuid = keys[1], a[1]
  server.call('DEL', p .. 'i:' .. uuid, p .. 'l:' .. uuid, p .. 'c:' .. uuid, p .. 'u:' .. uuid)
  return { 'ok' }
end

-- state: P. What a gateway asks first: incarnation, this run, the run that the incarnation is for.
local function state(keys, _)
  local dir = server.call('HMGET', keys[1] .. 'dir', 'inc', 'run')
  return { dir[1] or '0', run_id(), dir[2] or '' }
end

-- advance: P, the incarnation that the durable store has advanced to, run, the gateways that may
-- hold open tokens. The incarnation never goes back.
local function advance(keys, a)
  local p = keys[1]
  if a[2] ~= run_id() then return { 'run', run_id() } end
  local current = number(server.call('HGET', p .. 'dir', 'inc'))
  if tonumber(a[1]) <= current then return { 'behind', whole(current) } end
  server.call('HSET', p .. 'dir', 'inc', a[1], 'run', a[2])
  for i = 3, #a do server.call('SADD', p .. 'awaited', a[i]) end
  return { 'ok' }
end

-- present: P, incarnation, run, owner. All tokens of the owner have been announced, or it has been
-- silent and what it left has been recovered.
local function present(keys, a)
  local p = keys[1]
  local refused = moved(p, a[1], a[2])
  if refused then return refused end
  server.call('SREM', p .. 'awaited', a[3])
  return { 'ok' }
end

-- beat: P, incarnation, run, owner. An owner says that it lives, and learns of another incarnation
-- even when nobody asks it for anything: the others wait for what it has to announce.
local function beat(keys, a)
  local refused = moved(keys[1], a[1], a[2])
  if refused then return refused end
  server.call('HSET', keys[1] .. 'owners', a[3], whole(now()))
  return { 'ok' }
end

-- status: P. All open tokens with the age of each and of their owner's last beat in microseconds.
local function status(keys, _)
  local p, t = keys[1], now()
  local out = {}
  for _, token in ipairs(server.call('SMEMBERS', p .. 'open')) do
    local k = server.call('HMGET', p .. 't:' .. token, 'owner', 'index', 'scope', 'operation', 'sequence', 'at', 'unbounded', 'ids')
    if k[1] then
      local beaten = server.call('HGET', p .. 'owners', k[1])
      out[#out + 1] = { token, k[1], k[2], k[3], k[4], k[5], whole(t - number(k[6])),
        beaten and whole(t - number(beaten)) or '', k[7], cmsgpack.unpack(k[8]) }
    end
  end
  return out
end

-- gateways: P. Those that were heard of or are awaited, with the age of their last beat in
-- microseconds ('' for never) and whether they are awaited.
local function gateways(keys, _)
  local p, t, out, seen = keys[1], now(), {}, {}
  local beaten = server.call('HGETALL', p .. 'owners')
  for i = 1, #beaten, 2 do
    seen[beaten[i]] = true
    out[#out + 1] = { beaten[i], whole(t - number(beaten[i + 1])), server.call('SISMEMBER', p .. 'awaited', beaten[i]) }
  end
  for _, owner in ipairs(server.call('SMEMBERS', p .. 'awaited')) do
    if not seen[owner] then out[#out + 1] = { owner, '', 1 } end
  end
  return out
end

-- excuse: P, owner. It is gone for good and has nothing open: nobody waits for it any more.
local function excuse(keys, a)
  server.call('SREM', keys[1] .. 'awaited', a[1])
  server.call('HDEL', keys[1] .. 'owners', a[1])
  return { 'ok' }
end

-- clear: P, how many keys to look at a call, cursor. Drops answers; coordination stays.
local function clear(keys, a)
  local p = keys[1]
  local found = server.call('SCAN', a[2], 'MATCH', p .. 'a:*', 'COUNT', a[1])
  local n = 0
  for _, key in ipairs(found[2]) do n = n + server.call('UNLINK', key) end
  return { found[1], n }
end

local function register(name, callback, flags)
  server.register_function { function_name = 'postern_3_' .. name, callback = callback, flags = flags }
end

-- Without allow-oom a function is refused when memory is full and nothing can be evicted.
register('begin', begin, {})
register('announce', announce, { 'allow-oom' })
register('complete', complete, { 'allow-oom' })
register('lookup', lookup, { 'no-writes' })
register('publish', publish, {})
register('since', since, { 'no-writes' })
register('forget', forget, { 'allow-oom' })
register('state', state, { 'no-writes' })
register('advance', advance, { 'allow-oom' })
register('present', present, { 'allow-oom' })
register('beat', beat, { 'allow-oom' })
register('status', status, { 'no-writes' })
register('gateways', gateways, { 'no-writes' })
register('excuse', excuse, { 'allow-oom' })
register('clear', clear, { 'allow-oom' })
