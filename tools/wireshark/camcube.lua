-- Dissector of CamCube's wire format, version 1 (docs/wire-format.md), for Wireshark and tshark 3.6 and later.
--   tshark -X lua_script:tools/wireshark/camcube.lua -r run.pcapng
--   or copy it into Wireshark's folder of personal Lua plug-ins (Help, About, Folders).
-- All numbers are little-endian. A frame has one packet or several; what lies behind its length is padding. In captures of simulated
-- links bulk bytes are virtual: they count in the lengths but are not captured.

local ETHERTYPE = 0x88B5
local FRAME_HEADER, PACKET_HEADER, MOST_HEADER = 4, 24, 64

local services = {
    [0x0001] = "link-state",
    [0x0101] = "diagnostics",
    [0x0102] = "all-to-all",
    [0x0103] = "streams",
    [0x0104] = "second-load",
    [0x0105] = "third-load",
    [0x0106] = "routed-load",
    [0x0107] = "roaming",
    [0x0110] = "cache",
    [0x0112] = "messenger",
    [0x0120] = "link-disjoint",
    [0x0121] = "link-disjoint-native",
    [0x0122] = "shortest-path",
    [0x0123] = "mini-cube",
    [0x0124] = "mini-cube-native",
    [0x0125] = "cache-routing",
    [0x0126] = "cache-routing-native",
    [0x0130] = "distribution",
    [0x0140] = "collectives",
    [0x0170] = "kv",
    [0x0180] = "files",
    [0x0190] = "camdoop",
    [0x01A0] = "images",
    [0x01B0] = "tunnel",
    [0x01B1] = "tunnel-flood",
}

-- Header fields of services, written by 'camcube service dissector' into files of their own, which are loaded before or behind this one:
-- id -> { name, proto, length, parts = { { field, offset, bytes, is_place, flags = { { bit, name } } } } }.
_G.camcube_headers = _G.camcube_headers or {}

-- Services whose headers begin with the part of messages and streams (docs/streams.md), and which use streams. Others are named by the
-- preference: -o camcube.streams:"0x7007 0x7008".
local stream_services = { [0x0103] = true, [0x0112] = true, [0x0130] = true, [0x0140] = true, [0x0170] = true, [0x0190] = true }

-- The key-value store: its header is 24 bytes of messages and streams, then 36 of its own.
local KEY_VALUE, KEY_VALUE_HEADER = 0x0170, 60

-- Services whose streams are pulls along trees (docs/trees.md): a stream begins with the vertex and what is asked of it.
local DISTRIBUTION, DISTRIBUTION_HEADER = 0x0130, 48
local COLLECTIVES, COLLECTIVES_HEADER = 0x0140, 40
local CAMDOOP, CAMDOOP_HEADER = 0x0190, 48

local camcube = Proto("camcube", "CamCube")
camcube.prefs.streams = Pref.string("Further services with streams", "", "Their numbers, as in 0x7007 0x7008: the first 24 bytes of their headers are those of streams")
local f = camcube.fields
f.version = ProtoField.uint8("camcube.version", "Version")
f.flags = ProtoField.uint8("camcube.flags", "Flags", base.HEX)
f.length = ProtoField.uint16("camcube.length", "Length")
f.padding = ProtoField.bytes("camcube.padding", "Padding")
f.count = ProtoField.uint16("camcube.packets", "Packets in the frame")
f.service = ProtoField.uint16("camcube.service", "Service", base.HEX, services)
f.service_name = ProtoField.string("camcube.service.name", "Service name")
f.packet_length = ProtoField.uint16("camcube.packet.length", "Packet length")
f.packet_flags = ProtoField.uint8("camcube.packet.flags", "Packet flags", base.HEX)
f.to_key = ProtoField.bool("camcube.packet.flags.key", "To a key", 8, { "yes", "no, to a server" }, 0x01)
f.header_length = ProtoField.uint8("camcube.packet.header_length", "Service header length")
f.hop_limit = ProtoField.uint16("camcube.packet.hop_limit", "Hops left")
f.route = ProtoField.uint64("camcube.destination.route", "Route", base.HEX)
f.destination = ProtoField.string("camcube.destination", "Destination")
f.destination_key = ProtoField.uint64("camcube.destination.key", "Destination key (its last 64 bits)", base.HEX)
f.source = ProtoField.string("camcube.source", "Source")
f.source_x = ProtoField.uint16("camcube.source.x", "Source x")
f.source_y = ProtoField.uint16("camcube.source.y", "Source y")
f.source_z = ProtoField.uint16("camcube.source.z", "Source z")
f.reserved = ProtoField.uint16("camcube.packet.reserved", "Reserved", base.HEX)
f.header = ProtoField.bytes("camcube.header", "Service header")
f.body = ProtoField.bytes("camcube.body", "Body")
f.body_length = ProtoField.uint16("camcube.body.length", "Body length")
f.not_captured = ProtoField.uint16("camcube.body.not_captured", "Bytes that were not captured (virtual ones, in a simulation)")

local links = { [0] = "+x", "-x", "+y", "-y", "+z", "-z", "none", "base routing" }
local kinds = { [16] = "hello", [17] = "welcome", [18] = "frames", [19] = "close", [20] = "acks" }
local frame_types = { "data", "ack", "credit", "reset", "stop", "ping", "blocked" }
local reasons = { [0] = "unknown", "stopping", "idle", "malformed", "full" }
local whys = { [0] = "aborted", "refused", "not the root" }
local greeted_paths = { [0] = "all", "one", "+x", "-x", "+y", "-y", "+z", "-z" }
local s = {
    run = ProtoField.uint64("camcube.stream.run", "Run", base.HEX),
    peer_run = ProtoField.uint32("camcube.stream.peer_run", "Low half of the receiver's run", base.HEX),
    connection = ProtoField.uint32("camcube.stream.connection", "Connection"),
    packet = ProtoField.uint32("camcube.stream.packet", "Packet on its path"),
    kind = ProtoField.uint8("camcube.stream.kind", "Kind", base.DEC, kinds),
    path_word = ProtoField.uint8("camcube.stream.path_word", "Path, with flags", base.HEX),
    path = ProtoField.uint8("camcube.stream.path", "Path", base.DEC, links, 0x07),
    left = ProtoField.bool("camcube.stream.path.left", "Left its path", 8, nil, 0x40),
    asks = ProtoField.bool("camcube.stream.path.asks", "Asks for an acknowledgement", 8, nil, 0x20),
    opener = ProtoField.bool("camcube.stream.path.opener", "From the opener", 8, nil, 0x80),
    marked = ProtoField.uint8("camcube.stream.marked", "Marked"),
    reason = ProtoField.uint8("camcube.stream.reason", "Reason", base.DEC, reasons),
    hello_paths = ProtoField.uint8("camcube.stream.hello.paths", "Paths asked for", base.DEC, greeted_paths),
    hello_channel = ProtoField.uint16("camcube.stream.hello.channel", "Channel"),
    hello_weight = ProtoField.uint16("camcube.stream.hello.weight", "Weight"),
    frame = ProtoField.uint8("camcube.stream.frame", "Frame", base.DEC, frame_types),
    id = ProtoField.uint32("camcube.stream.id", "Stream"),
    flags = ProtoField.uint8("camcube.stream.data.flags", "Flags", base.HEX),
    first = ProtoField.bool("camcube.stream.data.first", "Says what stream it is", 8, nil, 0x01),
    last = ProtoField.bool("camcube.stream.data.last", "Nothing comes behind it", 8, nil, 0x02),
    offset = ProtoField.uint64("camcube.stream.data.offset", "Offset"),
    length = ProtoField.uint16("camcube.stream.data.length", "Length"),
    label = ProtoField.uint64("camcube.stream.data.label", "Label", base.HEX),
    route = ProtoField.uint64("camcube.stream.data.route", "Route of the key", base.HEX),
    purpose = ProtoField.uint8("camcube.stream.data.purpose", "Flags of the stream", base.HEX),
    to_key = ProtoField.bool("camcube.stream.data.key", "To a key", 8, nil, 0x01),
    pinned = ProtoField.bool("camcube.stream.data.pinned", "Stays when the root moves", 8, nil, 0x02),
    priority = ProtoField.uint8("camcube.stream.data.priority", "Priority", base.DEC, nil, 0x1c),
    least = ProtoField.uint8("camcube.stream.data.least_credit", "Least credit, chunks"),
    bytes = ProtoField.bytes("camcube.stream.data.bytes", "Bytes"),
    ack_path = ProtoField.uint8("camcube.stream.ack.path", "Path", base.DEC, links),
    ack_largest = ProtoField.uint32("camcube.stream.ack.largest", "Largest packet"),
    ack_delay = ProtoField.uint16("camcube.stream.ack.delay", "Delay in microseconds"),
    ack_marked = ProtoField.uint32("camcube.stream.ack.marked", "Marked so far"),
    ack_ranges = ProtoField.uint8("camcube.stream.ack.ranges", "Ranges"),
    ack_range = ProtoField.string("camcube.stream.ack.range", "Range"),
    consumed = ProtoField.uint64("camcube.stream.credit.consumed", "Consumed"),
    limit = ProtoField.uint64("camcube.stream.credit.limit", "Limit"),
    why = ProtoField.uint8("camcube.stream.reset.why", "Why", base.DEC, whys),
    reset_code = ProtoField.uint32("camcube.stream.reset.code", "Code"),
    final = ProtoField.uint64("camcube.stream.reset.final", "Bytes written"),
    stop_code = ProtoField.uint32("camcube.stream.stop.code", "Code"),
    blocked = ProtoField.uint64("camcube.stream.blocked.offset", "Has bytes behind"),
}
for name, field in pairs(s) do
    f["stream_" .. name] = field
end

local message_kinds = { "piece", "missing", "complete", "gone", "grant" }
local m = {
    kind = ProtoField.uint8("camcube.message.kind", "Kind", base.DEC, message_kinds),
    run = ProtoField.uint64("camcube.message.run", "Run", base.HEX),
    sequence = ProtoField.uint32("camcube.message.sequence", "Number"),
    length = ProtoField.uint32("camcube.message.length", "Length"),
    piece_length = ProtoField.uint16("camcube.message.piece_length", "Length of a piece"),
    piece = ProtoField.uint16("camcube.message.piece", "Piece"),
}
for name, field in pairs(m) do
    f["message_" .. name] = field
end

local kv_types = {
    "groups", "beat", "request", "answer", "refusal", "ask store", "store", "founding", "state offer", "state ask", "state chunk",
    "record ask", "record", "copy ask", "copy page" }
local kv_requests = {
    "get", "get any", "wait", "put", "delete", "list", "add", "append", "set range", "exchange", "take", "expire", "batch" }
local kv_conditions = { [0] = "none", "absent", "present", "version" }
local kv_statuses = {
    [0] = "done", "not found", "conflict", "too large", "full", "unavailable", "data away", "unknown", "cross group", "bad key", "bad cursor",
    "not a number", "overflow" }
local kv_messages = {
    [0] = "pre-vote", "pre-voted", "request vote", "vote", "append", "accepted", "behind", "confirm", "confirmed", "refused", "hand over",
    "start epoch", "epoch started", "ask blank", "is blank", "is known", "birth", "birth accepted", "birth refused" }
local kv = {
    type = ProtoField.uint8("camcube.kv.type", "Type", base.DEC, kv_types),
    key_hash = ProtoField.bytes("camcube.kv.key_hash", "Hash of the key"),
    question = ProtoField.uint64("camcube.kv.question", "Question"),
    attempt = ProtoField.uint8("camcube.kv.attempt", "Attempt"),
    passed = ProtoField.uint8("camcube.kv.passed", "Times passed on"),
    hops = ProtoField.uint16("camcube.kv.hops", "Hops that the request had made"),
    request = ProtoField.uint8("camcube.kv.request", "Request", base.DEC, kv_requests),
    table = ProtoField.uint8("camcube.kv.table", "Table"),
    condition = ProtoField.uint8("camcube.kv.condition", "Condition", base.DEC, kv_conditions),
    condition_version = ProtoField.uint64("camcube.kv.condition.version", "Version that is asked for"),
    asker = ProtoField.string("camcube.kv.asker", "Asker"),
    run = ProtoField.uint64("camcube.kv.run", "Run of the asker", base.HEX),
    number = ProtoField.uint64("camcube.kv.number", "Number of the request"),
    closed = ProtoField.uint64("camcube.kv.closed", "Waits for none up to"),
    expires = ProtoField.uint32("camcube.kv.expires", "Seconds that the key is there"),
    key = ProtoField.string("camcube.kv.key", "Key"),
    metadata = ProtoField.bytes("camcube.kv.metadata", "Metadata"),
    value = ProtoField.bytes("camcube.kv.value", "Value"),
    status = ProtoField.uint8("camcube.kv.status", "Status", base.DEC, kv_statuses, 0x7f),
    pieces = ProtoField.bool("camcube.kv.pieces", "Value in pieces", 8, nil, 0x80),
    copies = ProtoField.uint8("camcube.kv.copies", "Copies"),
    version = ProtoField.uint64("camcube.kv.version", "Version"),
    length = ProtoField.uint64("camcube.kv.length", "Length of the value"),
    group = ProtoField.string("camcube.kv.group", "Group: table/rank of the home/sequence"),
    message = ProtoField.uint8("camcube.kv.message", "Message of the group", base.DEC, kv_messages),
    from_store = ProtoField.uint64("camcube.kv.from_store", "Store that says it", base.HEX),
    to_store = ProtoField.uint64("camcube.kv.to_store", "Store that it is for", base.HEX),
    ballot = ProtoField.string("camcube.kv.ballot", "Ballot: generation/epoch/term"),
    index = ProtoField.uint64("camcube.kv.index", "Index"),
    entry_ballot = ProtoField.string("camcube.kv.entry_ballot", "Ballot of the entry there"),
    commit = ProtoField.uint64("camcube.kv.commit", "Committed"),
    applied = ProtoField.uint64("camcube.kv.applied", "Applied"),
    round = ProtoField.uint64("camcube.kv.round", "Round"),
    lead = ProtoField.uint64("camcube.kv.beat.lead", "Ballots of what the sender leads, as a sum", base.HEX),
    leaving = ProtoField.bool("camcube.kv.beat.leaving", "Is about to stop"),
}
for name, field in pairs(kv) do
    f["kv_" .. name] = field
end

local pull_fields = {
    format = ProtoField.uint8("camcube.pull.format", "Format"),
    job = ProtoField.uint64("camcube.pull.job", "Job", base.HEX),
    attempt = ProtoField.uint32("camcube.pull.attempt", "Attempt"),
    part = ProtoField.uint32("camcube.pull.part", "Part"),
    tree = ProtoField.uint8("camcube.pull.tree", "Tree"),
    at = ProtoField.string("camcube.pull.at", "Vertex of"),
    length = ProtoField.uint16("camcube.pull.length", "Bytes of the request"),
    request = ProtoField.bytes("camcube.pull.request", "Request"),
}
for name, field in pairs(pull_fields) do
    f["pull_" .. name] = field
end

local distribution_kinds = { "begin", "poll", "end", "fetch", "hashes", "origin", "tell", "digest" }
local member_stages = { [0] = "waiting", "receiving", "checking", "done", "failed", "lost" }
local tree_kinds = { [0] = "six", "one", "mini-cube", "even" }
local origin_kinds = { [0] = "unknown", "right here", "given", "passed on" }
local d = {
    job = ProtoField.uint64("camcube.distribution.job", "Job", base.HEX),
    kind = ProtoField.uint8("camcube.distribution.kind", "Kind", base.DEC, distribution_kinds),
    question = ProtoField.uint64("camcube.distribution.question", "Question"),
    answer = ProtoField.bool("camcube.distribution.answer", "It answers"),
    from = ProtoField.uint32("camcube.distribution.request.from", "First piece that is wanted"),
    begun = ProtoField.uint32("camcube.distribution.request.begun", "Piece of which the first bytes are there"),
    offset = ProtoField.uint32("camcube.distribution.request.offset", "So many bytes of it"),
    bits = ProtoField.bytes("camcube.distribution.request.bits", "Which are wanted; none: all"),
    piece = ProtoField.uint32("camcube.distribution.piece", "Piece of the stripe"),
    piece_offset = ProtoField.uint32("camcube.distribution.piece.offset", "From a byte of it on"),
    stage = ProtoField.uint8("camcube.distribution.report.stage", "Stage", base.DEC, member_stages),
    bytes = ProtoField.uint64("camcube.distribution.report.bytes", "Bytes that it has"),
    words = ProtoField.string("camcube.distribution.report.words", "Words"),
    digest = ProtoField.bytes("camcube.distribution.digest", "SHA-256 of the manifest"),
    giver = ProtoField.string("camcube.distribution.giver", "Who gives it"),
    source = ProtoField.string("camcube.distribution.manifest.source", "Source"),
    name = ProtoField.string("camcube.distribution.manifest.name", "Name"),
    length = ProtoField.uint64("camcube.distribution.manifest.length", "Bytes of the file"),
    piece_bytes = ProtoField.uint32("camcube.distribution.manifest.piece_bytes", "Bytes of a piece"),
    block_bytes = ProtoField.uint32("camcube.distribution.manifest.block_bytes", "Bytes of a block"),
    weight = ProtoField.uint16("camcube.distribution.manifest.weight", "Weight"),
    limit = ProtoField.uint64("camcube.distribution.manifest.limit", "Most bytes per second; 0: no limit"),
    trees = ProtoField.uint8("camcube.distribution.manifest.trees", "Trees", base.DEC, tree_kinds),
    code = ProtoField.uint8("camcube.distribution.manifest.code", "Trees of parity"),
    hash = ProtoField.bytes("camcube.distribution.manifest.hash", "SHA-256"),
    origin = ProtoField.uint8("camcube.distribution.origin", "Origin of the piece", base.DEC, origin_kinds),
    origin_by = ProtoField.string("camcube.distribution.origin.by", "Given by"),
}
for name, field in pairs(d) do
    f["distribution_" .. name] = field
end

local operation_kinds = { "barrier", "allreduce", "reduce", "broadcast", "reduce-scatter", "allgather" }
local element_types = { "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bfloat16" }
local operators = { "sum", "product", "min", "max", "and", "or", "xor" }
local directions = { [0] = "up, to the root", "down, from the root" }
local channels = { [0] = "all trees", "one tree, for short vectors" }
local c = {
    question = ProtoField.uint64("camcube.collectives.question", "Question"),
    answer = ProtoField.bool("camcube.collectives.answer", "It answers"),
    kind = ProtoField.uint8("camcube.collectives.kind", "Kind", base.DEC, { "measure" }),
    direction = ProtoField.uint32("camcube.collectives.direction", "Direction", base.DEC, directions),
    channel = ProtoField.uint32("camcube.collectives.channel", "Channel", base.DEC, channels),
    position = ProtoField.uint64("camcube.collectives.position", "From a byte of the edge on"),
    session = ProtoField.uint64("camcube.collectives.session", "Session of who asks", base.HEX),
    expected = ProtoField.uint64("camcube.collectives.expected", "Session of who is asked; 0: not known", base.HEX),
    ways = ProtoField.uint32("camcube.collectives.ways", "Which way operations go: ShortBytes x 2, and 1 with parts"),
    operation = ProtoField.uint8("camcube.collectives.operation", "Operation", base.DEC, operation_kinds),
    type = ProtoField.uint8("camcube.collectives.type", "Elements", base.DEC, element_types),
    operator = ProtoField.uint8("camcube.collectives.operator", "Operator", base.DEC, operators),
    root = ProtoField.uint32("camcube.collectives.root", "Rank of the root"),
    number = ProtoField.uint64("camcube.collectives.number", "Number of the operation"),
    length = ProtoField.uint32("camcube.collectives.length", "Bytes of the vector"),
    ["function"] = ProtoField.uint32("camcube.collectives.function", "Function of a service's own: its hash", base.HEX),
}
for name, field in pairs(c) do
    f["collectives_" .. name] = field
end

local camdoop_kinds = { "sync", "changed", "status", "cancel", "report" }
local job_statuses = { [0] = "done", "not found", "bad job", "not allowed", "full", "unavailable", "too late" }
local a = {
    job = ProtoField.uint64("camcube.camdoop.job", "Job", base.DEC),
    name = ProtoField.string("camcube.camdoop.name", "Name of the job"),
    kind = ProtoField.uint8("camcube.camdoop.kind", "Kind", base.DEC, camdoop_kinds),
    status = ProtoField.uint8("camcube.camdoop.status", "Status", base.DEC, job_statuses),
    question = ProtoField.uint64("camcube.camdoop.question", "Question"),
    answer = ProtoField.bool("camcube.camdoop.answer", "It answers"),
    said = ProtoField.string("camcube.camdoop.said", "What is said"),
    task = ProtoField.int32("camcube.camdoop.request.task", "Map task that is asked; -1: the vertex"),
    taken = ProtoField.int64("camcube.camdoop.request.taken", "Records of the key that are taken"),
    from = ProtoField.bytes("camcube.camdoop.request.key", "From a key on; none: from the beginning"),
    key = ProtoField.bytes("camcube.camdoop.record.key", "Key of the first record"),
    key_length = ProtoField.uint32("camcube.camdoop.record.key.length", "Bytes of that key"),
    value_length = ProtoField.uint32("camcube.camdoop.record.value.length", "Bytes of its value"),
}
for name, field in pairs(a) do
    f["camdoop_" .. name] = field
end

local malformed = ProtoExpert.new("camcube.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
local other_version = ProtoExpert.new(
    "camcube.other_version", "Another version of the wire format: dropped whole", expert.group.PROTOCOL, expert.severity.WARN)
local spent = ProtoExpert.new("camcube.hop_limit_spent", "No hops left: dropped", expert.group.PROTOCOL, expert.severity.WARN)
local stream_malformed = ProtoExpert.new(
    "camcube.stream.malformed", "No packet of streams can be so: its receiver drops it, or ends the connection",
    expert.group.MALFORMED, expert.severity.ERROR)
camcube.experts = { malformed, other_version, spent, stream_malformed }

local control_kinds = { "hello", "report", "known reports", "map request", "map part" }

local function coordinate(x, y, z)
    return string.format("%d,%d,%d", x, y, z)
end

local function hex(number, digits)
    return "0x" .. string.rep("0", digits - #number) .. number
end

-- Reads one frame after the other from bytes of which some may not have been captured.
local function reader(tvb, offset, length, captured)
    return { tvb = tvb, at = offset, last = offset + length, there = offset + captured }
end

-- The next bytes; or nil and what is wrong, which is nothing where they were not captured.
local function take(r, length, what)
    if r.at + length > r.last then
        return nil, string.format("%s: %d bytes are left where %d should be", what, r.last - r.at, length)
    end
    if r.at + length > r.there then
        r.is_cut = true
        return nil, nil
    end
    r.at = r.at + length
    return r.tvb(r.at - length, length)
end

local PULL_HEAD, EDGE_REQUEST, PIECE_REQUEST, OPERATION_HEAD, PAIRS_REQUEST = 26, 28, 12, 24, 12

-- The name of a job of MapReduce: milliseconds, and a number of four digits.
local function job_name(number)
    local text = tostring(number)
    return #text > 4 and string.format("job_%s_%s", text:sub(1, -5), text:sub(-4)) or text
end

-- The first bytes of a stream of who pulls: which vertex, and what is asked of it. Answers short words.
local function pull_request(b, service, t)
    local length = b(24, 2):le_uint()
    local at = coordinate(b(18, 2):le_uint(), b(20, 2):le_uint(), b(22, 2):le_uint())
    local branch = t:add(camcube, b, "Pull")
    branch:add(pull_fields.format, b(0, 1))
    branch:add_le(pull_fields.job, b(1, 8))
    branch:add_le(pull_fields.attempt, b(9, 4))
    branch:add_le(pull_fields.part, b(13, 4))
    branch:add(pull_fields.tree, b(17, 1))
    branch:add(pull_fields.at, b(18, 6), at)
    branch:add_le(pull_fields.length, b(24, 2))
    local text = string.format("pull of tree %d at %s", b(17, 1):uint(), at)
    local there = math.min(length, b:len() - PULL_HEAD)
    if there == 0 then
        return text
    end

    local request = b(PULL_HEAD, there)
    branch:add(pull_fields.request, request)
    if service == DISTRIBUTION and there >= PIECE_REQUEST then
        branch:add_le(d.from, request(0, 4))
        branch:add_le(d.begun, request(4, 4))
        branch:add_le(d.offset, request(8, 4))
        if there > PIECE_REQUEST then
            branch:add(d.bits, request(PIECE_REQUEST))
        end
        text = string.format("%s, pieces from %d on", text, request(0, 4):le_uint())
    elseif service == COLLECTIVES and there >= EDGE_REQUEST then
        branch:add_le(c.direction, b(9, 4))
        branch:add_le(c.channel, b(13, 4))
        branch:add_le(c.position, request(0, 8))
        branch:add_le(c.session, request(8, 8))
        branch:add_le(c.expected, request(16, 8))
        branch:add_le(c.ways, request(24, 4))
        text = string.format(
            "%s, %s, from byte %s on", text, b(9, 4):le_uint() == 0 and "up" or "down", tostring(request(0, 8):le_uint64()))
    elseif service == CAMDOOP and there >= PAIRS_REQUEST then
        local task = request(0, 4):le_int()
        branch:add(a.name, b(1, 8), job_name(b(1, 8):le_uint64())):set_generated()
        branch:add_le(a.task, request(0, 4))
        branch:add_le(a.taken, request(4, 8))
        if there > PAIRS_REQUEST then
            branch:add(a.from, request(PAIRS_REQUEST))
        end
        text = string.format("%s of reduce %d%s", text, b(13, 4):le_uint(), task >= 0 and string.format(", map task %d", task) or "")
        text = there > PAIRS_REQUEST and text .. ", from where it broke off" or text
    end
    branch:append_text(": " .. text)
    return text
end

-- The head of an operation of collectives, if these bytes can be one: who answers begins where it is asked to, and that is mostly one.
local function operation_head(b, t)
    local kind, type, operator = b(1, 1):uint(), b(2, 1):uint(), b(3, 1):uint()
    local is_own = b(20, 4):le_uint() ~= 0 and type == 0 and operator == 0
    local is_known = element_types[type] ~= nil and operators[operator] ~= nil
    if b(0, 1):uint() ~= 1 or operation_kinds[kind] == nil or not (is_own or is_known) then
        return nil
    end
    local branch = t:add(camcube, b(0, OPERATION_HEAD), "Operation")
    branch:add(c.operation, b(1, 1))
    branch:add(c.type, b(2, 1))
    branch:add(c.operator, b(3, 1))
    branch:add_le(c.root, b(4, 4))
    branch:add_le(c.number, b(8, 8))
    branch:add_le(c.length, b(16, 4))
    branch:add_le(c["function"], b(20, 4))
    local text = string.format("%s %s of %d bytes", operation_kinds[kind], tostring(b(8, 8):le_uint64()), b(16, 4):le_uint())
    branch:append_text(": " .. text)
    return text
end

-- A number of 7 bits a byte, the lowest first, at an offset. Answers it and where the next byte is; nil: it is none, or not all here.
local function number_at(b, at)
    local number = 0
    for i = 0, 4 do
        if at + i >= b:len() then
            return nil
        end
        local byte = b(at + i, 1):uint()
        number = number + (byte % 128) * 128 ^ i
        if byte < 128 then
            return number, at + i + 1
        end
    end
    return nil
end

-- The first record of who answers a pull of pairs: it begins with one wherever it is asked to begin.
local function pair_head(b, t)
    local key, value_at = number_at(b, 0)
    if key == nil or key == 0 then
        return nil
    end
    local value, key_at = number_at(b, value_at)
    if value == nil then
        return nil
    end
    t:add(a.key_length, b(0, value_at), key)
    t:add(a.value_length, b(value_at, key_at - value_at), value)
    if key_at < b:len() then
        t:add(a.key, b(key_at, math.min(key, b:len() - key_at)))
    end
    return string.format("pairs, the first with a key of %d bytes and a value of %d", key, value)
end

-- The first bytes of a stream, of who pulls or of who answers. Answers short words; nil: there is nothing to say.
local function pull_bytes(b, is_request, service, t)
    if service ~= DISTRIBUTION and service ~= COLLECTIVES and service ~= CAMDOOP then
        return nil
    end
    if is_request then
        return b:len() >= PULL_HEAD and pull_request(b, service, t) or nil
    end
    if service == COLLECTIVES then
        return b:len() >= OPERATION_HEAD and operation_head(b, t) or nil
    end
    if service == CAMDOOP then
        return pair_head(b, t)
    end
    if b:len() < 8 then
        return nil
    end
    t:add_le(d.piece, b(0, 4))
    t:add_le(d.piece_offset, b(4, 4))
    return string.format("piece %d", b(0, 4):le_uint())
end

local MOST_OFFSET = 2 ^ 48
local first_length, ack_length = 18, 12

local function data_frame(r, t)
    local b, fault = take(r, 13, "Data")
    if b == nil then
        return fault, "data"
    end
    local flags, id, length = b(0, 1):uint(), b(1, 4):le_uint(), b(11, 2):le_uint()
    local offset = b(5, 6):le_uint64()
    local is_first = flags % 2 == 1
    t:add(s.flags, b(0, 1))
    t:add(s.first, b(0, 1))
    t:add(s.last, b(0, 1))
    t:add_le(s.id, b(1, 4))
    t:add_le(s.offset, b(5, 6))
    t:add_le(s.length, b(11, 2))
    local text = string.format("data %d B of %d at %s", length, id, tostring(offset))
    if flags > 3 then
        return string.format("Data with flags 0x%02x", flags), text
    end
    if offset:tonumber() + length >= MOST_OFFSET then
        return "Data beyond 2^48", text
    end
    if is_first then
        text = text .. ", first"
        b, fault = take(r, first_length, "Data that says what stream it is")
        if b == nil then
            return fault, text
        end
        local purpose = b(16, 1):uint()
        t:add_le(s.label, b(0, 8))
        t:add_le(s.route, b(8, 8))
        t:add(s.purpose, b(16, 1))
        t:add(s.to_key, b(16, 1))
        t:add(s.pinned, b(16, 1))
        t:add(s.priority, b(16, 1))
        t:add(s.least, b(17, 1))
        if purpose > 0x1f then
            return string.format("A stream with flags 0x%02x", purpose), text
        end
        if purpose % 2 == 0 and (b(8, 8):le_uint64() ~= UInt64(0) or purpose % 4 >= 2) then
            return "A stream to a server with a route or pinned", text
        end
    end
    if flags >= 2 then
        text = text .. ", last"
    end
    local captured = math.min(length, r.there - r.at)
    if captured > 0 then
        t:add(s.bytes, r.tvb(r.at, captured))
        local said = offset == UInt64(0) and pull_bytes(r.tvb(r.at, captured), is_first, r.service, t)
        text = said and text .. ", " .. said or text
    end
    b, fault = take(r, length, "Bytes of data")
    return fault, text
end

local function ack_frame(r, t)
    local b, fault = take(r, ack_length, "Ack")
    if b == nil then
        return fault, "ack"
    end
    local path, largest, ranges = b(0, 1):uint(), b(1, 4):le_uint(), b(11, 1):uint()
    t:add(s.ack_path, b(0, 1))
    t:add_le(s.ack_largest, b(1, 4))
    t:add_le(s.ack_delay, b(5, 2))
    t:add_le(s.ack_marked, b(7, 4))
    t:add(s.ack_ranges, b(11, 1))
    local text = string.format("ack to %d on %s", largest, links[path] or tostring(path))
    if path > 7 or path == 6 then
        return string.format("Ack of path %d", path), text
    end
    if ranges == 0 then
        return "Ack without a range", text
    end
    b, fault = take(r, 4 * ranges, "Ranges of an ack")
    if b == nil then
        return fault, text
    end
    local high = largest
    for i = 0, ranges - 1 do
        local gap, length = b(4 * i, 2):le_uint(), b(4 * i + 2, 2):le_uint()
        high = (high - gap) % 2 ^ 32
        local low = (high - length + 1) % 2 ^ 32
        t:add(s.ack_range, b(4 * i, 4), string.format("%.0f-%.0f", low, high))
        if length == 0 then
            return "Ack with an empty range", text
        end
        high = (low - 1) % 2 ^ 32
    end
    return nil, ranges > 1 and text .. string.format(", %d ranges", ranges) or text
end

local function credit_frame(r, t)
    local b, fault = take(r, 16, "Credit")
    if b == nil then
        return fault, "credit"
    end
    t:add_le(s.id, b(0, 4))
    t:add_le(s.consumed, b(4, 6))
    -- The lowest bit says that something of a first flight was not kept.
    local dropped = b(10, 1):uint() % 2
    local limit = b(10, 6):le_uint64() - UInt64(dropped)
    t:add(s.limit, b(10, 6), limit)
    local text = string.format("credit of %d to %s", b(0, 4):le_uint(), tostring(limit))
    text = dropped == 1 and text .. ", first flight dropped" or text
    return b(4, 6):le_uint64() > limit and "More consumed than was allowed" or nil, text
end

local function reset_frame(r, t)
    local b, fault = take(r, 15, "Reset")
    if b == nil then
        return fault, "reset"
    end
    t:add_le(s.id, b(0, 4))
    t:add(s.why, b(4, 1))
    t:add_le(s.reset_code, b(5, 4))
    t:add_le(s.final, b(9, 6))
    local why = b(4, 1):uint()
    return whys[why] == nil and string.format("Reset for reason %d", why) or nil,
        string.format("reset of %d, %s", b(0, 4):le_uint(), whys[why] or tostring(why))
end

local function stop_frame(r, t)
    local b, fault = take(r, 8, "Stop")
    if b == nil then
        return fault, "stop"
    end
    t:add_le(s.id, b(0, 4))
    t:add_le(s.stop_code, b(4, 4))
    return nil, string.format("stop of %d", b(0, 4):le_uint())
end

local function blocked_frame(r, t)
    local b, fault = take(r, 10, "Blocked")
    if b == nil then
        return fault, "blocked"
    end
    t:add_le(s.id, b(0, 4))
    t:add_le(s.blocked, b(4, 6))
    return nil, string.format("blocked %d at %s", b(0, 4):le_uint(), tostring(b(4, 6):le_uint64()))
end

local frame_readers = {
    data_frame, ack_frame, credit_frame, reset_frame, stop_frame,
    function() return nil, "ping" end,
    blocked_frame,
}

-- The frames of a body, up to one that cannot be. Answers what is wrong, and short words.
local function stream_frames(r, tree)
    local texts = {}
    while r.at < r.last and r.at < r.there do
        local start = r.at
        local kind = r.tvb(r.at, 1):uint()
        r.at = r.at + 1
        local t = tree:add(camcube, r.tvb(start, r.there - start), "Frame")
        t:add(s.frame, r.tvb(start, 1))
        local fault, text
        if frame_readers[kind] == nil then
            fault, text = string.format("Frame of type %d", kind), string.format("type %d", kind)
        else
            fault, text = frame_readers[kind](r, t)
        end
        t:set_len(r.at - start)
        t:append_text(": " .. text)
        texts[#texts + 1] = text
        if fault ~= nil then
            t:add_proto_expert_info(stream_malformed, fault)
            return true, table.concat(texts, "; ")
        end
        if r.is_cut then
            break
        end
    end
    return false, table.concat(texts, "; ")
end

local function hello_fault(tvb, body, length)
    if length ~= 6 then
        return string.format("Hello with a body of %d bytes", length)
    end
    local b = tvb(body, 6)
    if b(1, 1):uint() ~= 0 or b(0, 1):uint() > 7 then
        return "Hello for paths that are none"
    end
    if b(4, 2):le_uint() < 1 or b(4, 2):le_uint() > 1000 then
        return string.format("Hello with weight %d", b(4, 2):le_uint())
    end
end

-- A packet of streams: 24 bytes of its header, and its body, of which some may not have been captured. Answers short words, or nil if it
-- is none.
local function stream_packet(tvb, header, body, length, captured, to_key, service, tree)
    local h = tvb(header, 24)
    local kind, path, connection = h(20, 1):uint(), h(21, 1):uint(), h(12, 4):le_uint()
    if kind < 16 then
        return nil
    end

    local branch = tree:add(camcube, tvb(header, body + captured - header), "Streams")
    branch:add_le(s.run, h(0, 8))
    branch:add_le(s.peer_run, h(8, 4))
    branch:add_le(s.connection, h(12, 4))
    branch:add_le(s.packet, h(16, 4))
    branch:add(s.kind, h(20, 1))
    local word = branch:add(s.path_word, h(21, 1))
    word:add(s.path, h(21, 1))
    word:add(s.left, h(21, 1))
    word:add(s.asks, h(21, 1))
    word:add(s.opener, h(21, 1))
    branch:add(s.marked, h(22, 1))
    branch:add(s.reason, h(23, 1))

    local text, is_bad, fault = kinds[kind] or string.format("kind %d", kind), false, nil
    if kinds[kind] == nil then
        fault = string.format("Packet of kind %d", kind)
    elseif connection == 0 then
        fault = "Connection 0"
    elseif path % 8 == 6 then
        fault = "Path 6"
    elseif to_key then
        fault = "Packet of streams to a key"
    elseif kind == 16 and captured >= length then
        fault = hello_fault(tvb, body, length)
    end
    if kind == 16 and captured >= 6 then
        branch:add(s.hello_paths, tvb(body, 1))
        branch:add_le(s.hello_channel, tvb(body + 2, 2))
        branch:add_le(s.hello_weight, tvb(body + 4, 2))
    elseif kind == 18 or kind == 20 then
        local r = reader(tvb, body, length, captured)
        r.service = service
        is_bad, text = stream_frames(r, branch)
        if kind == 18 then
            text = string.format("packet %d on %s: %s", h(16, 4):le_uint(), links[path % 8], text)
        end
    elseif kind == 19 then
        text = "close, " .. (reasons[h(23, 1):uint()] or "no reason")
    end
    if h(22, 1):uint() ~= 0 then
        text = text .. ", marked"
    end
    if path % 128 >= 64 then
        text = text .. ", left its path"
    end
    if fault ~= nil then
        branch:add_proto_expert_info(stream_malformed, fault)
    end
    if fault ~= nil or is_bad then
        text = text .. ", malformed"
    end
    branch:append_text(string.format(": connection %d, %s", connection, text))
    return text
end

local function has_streams(service)
    if stream_services[service] then
        return true
    end
    for number in string.gmatch(camcube.prefs.streams, "[%x]*x?[%x]+") do
        if tonumber(number) == service then
            return true
        end
    end
    return false
end

-- A packet of messages: 24 bytes of the service's header. Answers short words, and whether the whole message is in the packet.
local function message_packet(tvb, header, length, tree)
    local h = tvb(header, 24)
    local kind, number = h(20, 1):uint(), h(8, 4):le_uint()
    local branch = tree:add(camcube, h, "Message")
    branch:add_le(m.run, h(0, 8))
    branch:add_le(m.sequence, h(8, 4))
    branch:add_le(m.length, h(12, 4))
    branch:add_le(m.piece_length, h(16, 2))
    branch:add_le(m.piece, h(18, 2))
    branch:add(m.kind, h(20, 1))
    local text = string.format("%s of message %d", message_kinds[kind] or string.format("kind %d", kind), number)
    if kind == 1 and h(12, 4):le_uint() > length then
        text = string.format("piece %d of message %d of %d bytes", h(18, 2):le_uint(), number, h(12, 4):le_uint())
    end
    branch:append_text(": " .. text)
    return text, kind == 1 and h(12, 4):le_uint() == length
end

-- Text where it can be shown as such, else hexadecimal digits.
local function readable(range)
    local bytes = range:bytes()
    for i = 0, bytes:len() - 1 do
        if bytes:get_index(i) < 32 or bytes:get_index(i) > 126 then
            return "0x" .. bytes:tohex()
        end
    end
    return range:string()
end

local function ballot(range)
    return string.format("%d/%d/%d", range(0, 4):le_uint(), range(4, 4):le_uint(), range(8, 4):le_uint())
end

-- The content of a message of the store, as far as it is known. Answers short words.
local function kv_request(body, branch)
    local kind, key, metadata = body(0, 1):uint(), body(54, 2):le_uint(), body(56, 2):le_uint()
    branch:add(kv.request, body(0, 1))
    branch:add(kv.table, body(1, 1))
    branch:add(kv.condition, body(2, 1))
    branch:add_le(kv.condition_version, body(4, 8))
    branch:add(kv.asker, body(12, 6), coordinate(body(12, 2):le_uint(), body(14, 2):le_uint(), body(16, 2):le_uint()))
    branch:add_le(kv.run, body(18, 8))
    branch:add_le(kv.number, body(26, 8))
    branch:add_le(kv.closed, body(34, 8))
    branch:add_le(kv.expires, body(50, 4))
    local text = kv_requests[kind] or string.format("request %d", kind)
    if 58 + key + metadata > body:len() then
        return text .. ", cut"
    end
    if key > 0 then
        branch:add(kv.key, body(58, key), readable(body(58, key)))
        text = text .. " " .. readable(body(58, key))
    end
    if metadata > 0 then
        branch:add(kv.metadata, body(58 + key, metadata))
    end
    local value = body:len() - 58 - key - metadata
    if value > 0 then
        branch:add(kv.value, body(58 + key + metadata, value))
        text = string.format("%s, %d bytes", text, value)
    end
    return text
end

local function kv_answer(body, branch)
    branch:add(kv.status, body(0, 1))
    branch:add(kv.pieces, body(0, 1))
    branch:add(kv.copies, body(1, 1))
    branch:add_le(kv.version, body(4, 8))
    branch:add_le(kv.length, body(12, 8))
    branch:add_le(kv.expires, body(20, 4))
    local metadata = body(2, 2):le_uint()
    if metadata > 0 and 24 + metadata <= body:len() then
        branch:add(kv.metadata, body(24, metadata))
    end
    if body:len() > 24 + metadata then
        branch:add(kv.value, body(24 + metadata))
    end
    return kv_statuses[body(0, 1):uint() % 128] or "status that is none"
end

-- Only the first of several: the others lie behind its epoch and its entries.
local function kv_group(body, branch)
    local number, kind = body(0, 4):le_uint(), body(4, 1):uint()
    local group = string.format("%d/%d/%d", math.floor(number / 2 ^ 28), math.floor(number / 64) % 2 ^ 22, number % 64)
    branch:add(kv.group, body(0, 4), group)
    branch:add(kv.message, body(4, 1))
    branch:add_le(kv.from_store, body(5, 8))
    branch:add_le(kv.to_store, body(13, 8))
    branch:add(kv.ballot, body(21, 12), ballot(body(21, 12)))
    branch:add_le(kv.index, body(33, 8))
    branch:add(kv.entry_ballot, body(41, 12), ballot(body(41, 12)))
    branch:add_le(kv.commit, body(53, 8))
    branch:add_le(kv.applied, body(61, 8))
    branch:add_le(kv.round, body(69, 8))
    return string.format("%s of %s", kv_messages[kind] or string.format("message %d", kind), group)
end

local function kv_packet(tvb, header, starts, length, captured, tree)
    local h = tvb(header, KEY_VALUE_HEADER)
    local kind = h(53, 1):uint()
    local said, is_whole = message_packet(tvb, header, length, tree)
    local branch = tree:add(camcube, tvb(header, starts + captured - header), "Key-value store")
    branch:add(kv.type, h(53, 1))
    branch:add(kv.key_hash, h(24, 20))
    branch:add_le(kv.question, h(44, 8))
    branch:add(kv.attempt, h(52, 1))
    branch:add(kv.passed, h(54, 1))
    branch:add_le(kv.hops, h(56, 2))
    local text = kv_types[kind] or string.format("type %d", kind)
    if not is_whole or captured < length then
        text = string.format("%s, %s", text, said)
    elseif kind == 1 and length >= 77 then
        text = kv_group(tvb(starts, length), branch)
    elseif kind == 2 and length >= 40 then
        branch:add_le(kv.lead, tvb(starts, 8))
        branch:add(kv.leaving, tvb(starts + 32, 1))
    elseif kind == 3 and length >= 58 then
        text = kv_request(tvb(starts, length), branch)
    elseif kind == 4 and length >= 24 then
        text = "answer: " .. kv_answer(tvb(starts, length), branch)
    end
    if h(52, 1):uint() > 1 and kind == 3 then
        text = string.format("%s, attempt %d", text, h(52, 1):uint())
    end
    branch:append_text(": " .. text)
    return text
end

local MANIFEST_HEAD, REPORT_HEAD, ORIGIN, NOTICE = 83, 9, 7, 38

-- Of a manifest only what stands before its members and sums.
local function manifest(b, branch)
    local source = coordinate(b(2, 2):le_uint(), b(4, 2):le_uint(), b(6, 2):le_uint())
    branch:add(d.source, b(2, 6), source)
    branch:add_le(d.piece_bytes, b(8, 4))
    branch:add_le(d.length, b(12, 8))
    branch:add(d.hash, b(28, 32))
    branch:add_le(d.block_bytes, b(60, 4))
    branch:add_le(d.weight, b(64, 2))
    branch:add_le(d.limit, b(66, 8))
    branch:add(d.trees, b(74, 1))
    branch:add(d.code, b(82, 1))
    local name = b(75, 1):uint()
    if name > 0 and b:len() >= MANIFEST_HEAD + name then
        branch:add(d.name, b(MANIFEST_HEAD, name), readable(b(MANIFEST_HEAD, name)))
    end
    return string.format("manifest of %s bytes from %s", tostring(b(12, 8):le_uint64()), source)
end

local function member_report(b, branch)
    branch:add(d.stage, b(0, 1))
    branch:add_le(d.bytes, b(1, 8))
    if b:len() > REPORT_HEAD then
        branch:add(d.words, b(REPORT_HEAD), b(REPORT_HEAD):string(ENC_UTF_8))
    end
    return member_stages[b(0, 1):uint()] or "stage that is none"
end

local function distribution_packet(tvb, header, starts, length, captured, tree)
    local h = tvb(header, DISTRIBUTION_HEADER)
    local said, is_whole = message_packet(tvb, header, length, tree)
    local branch = tree:add(camcube, tvb(header, starts + captured - header), "Distribution")
    local kind, is_answer = h(44, 1):uint(), h(32, 1):uint() == 1
    branch:add_le(d.question, h(24, 8))
    branch:add(d.answer, h(32, 1))
    branch:add_le(d.job, h(36, 8))
    branch:add(d.kind, h(44, 1))
    local text = distribution_kinds[kind] or string.format("kind %d", kind)
    text = is_answer and "answer to " .. text or text
    local is_piece = h(20, 1):uint() == 1
    local b = captured > 0 and tvb(starts, captured) or nil
    local is_manifest = kind == 4 and is_answer
    if b ~= nil and is_piece and h(18, 2):le_uint() == 0 and is_manifest and captured >= MANIFEST_HEAD then
        -- The first piece of a long one has all of it but the sums.
        text = text .. ", " .. manifest(b, branch)
    elseif b ~= nil and is_whole and kind == 1 and not is_answer and captured == NOTICE then
        local giver = coordinate(b(32, 2):le_uint(), b(34, 2):le_uint(), b(36, 2):le_uint())
        branch:add(d.digest, b(0, 32))
        branch:add(d.giver, b(32, 6), giver)
        text = text .. ", its manifest is at " .. giver
    elseif b ~= nil and is_whole and is_answer and captured == length then
        if kind == 8 and captured == 32 then
            branch:add(d.digest, b(0, 32))
        elseif (kind <= 3 or kind == 7) and captured >= REPORT_HEAD then
            text = text .. ": " .. member_report(b, branch)
        elseif kind == 6 and captured == ORIGIN then
            branch:add(d.origin, b(0, 1))
            branch:add(d.origin_by, b(1, 6), coordinate(b(1, 2):le_uint(), b(3, 2):le_uint(), b(5, 2):le_uint()))
        end
    end
    if not is_whole then
        text = text .. ", " .. said
    end
    branch:append_text(": " .. text)
    return text
end

local function collectives_packet(tvb, header, starts, length, captured, tree)
    local h = tvb(header, COLLECTIVES_HEADER)
    local said, is_whole = message_packet(tvb, header, length, tree)
    local branch = tree:add(camcube, tvb(header, starts + captured - header), "Collectives")
    branch:add_le(c.question, h(24, 8))
    branch:add(c.answer, h(32, 1))
    branch:add(c.kind, h(36, 1))
    local text = h(36, 1):uint() == 1 and "measure" or string.format("kind %d", h(36, 1):uint())
    text = h(32, 1):uint() == 1 and "answer to " .. text or text
    if is_whole and h(32, 1):uint() == 0 and captured >= 24 then
        local b = tvb(starts, captured)
        branch:add(c.operation, b(8, 1))
        branch:add(c.type, b(9, 1))
        branch:add(c.operator, b(10, 1))
        text = text .. ", " .. (operation_kinds[b(8, 1):uint()] or "an operation that is none")
    elseif not is_whole then
        text = text .. ", " .. said
    end
    branch:append_text(": " .. text)
    return text
end

local function camdoop_packet(tvb, header, starts, length, captured, tree)
    local h = tvb(header, CAMDOOP_HEADER)
    local said, is_whole = message_packet(tvb, header, length, tree)
    local branch = tree:add(camcube, tvb(header, starts + captured - header), "MapReduce")
    local kind, is_answer, name = h(44, 1):uint(), h(32, 1):uint() == 1, job_name(h(36, 8):le_uint64())
    branch:add_le(a.question, h(24, 8))
    branch:add(a.answer, h(32, 1))
    branch:add_le(a.job, h(36, 8))
    branch:add(a.name, h(36, 8), name):set_generated()
    branch:add(a.kind, h(44, 1))
    branch:add(a.status, h(45, 1))
    local text = string.format("%s of %s", camdoop_kinds[kind] or string.format("kind %d", kind), name)
    text = is_answer and "answer to " .. text or text
    if is_answer and h(45, 1):uint() ~= 0 then
        text = text .. ": " .. (job_statuses[h(45, 1):uint()] or "a status that is none")
    end
    -- Orders, reports and states are JSON.
    if is_whole and captured == length and captured > 0 then
        branch:add(a.said, tvb(starts, captured), readable(tvb(starts, captured)))
    elseif not is_whole then
        text = text .. ", " .. said
    end
    branch:append_text(": " .. text)
    return text
end

-- The fields of a header as its service declares it.
local function declared_header(tvb, at, captured, tree, declared)
    local branch = tree:add(declared.proto, tvb(at, captured))
    for _, part in ipairs(declared.parts) do
        local field, offset, bytes = part[1], part[2], part[3]
        if offset + bytes <= captured then
            local range = tvb(at + offset, bytes)
            if part.is_place then
                branch:add(field, range, coordinate(range(0, 2):le_uint(), range(2, 2):le_uint(), range(4, 2):le_uint()))
            else
                local item, said = branch:add_le(field, range), {}
                for _, flag in ipairs(part.flags or {}) do
                    if math.floor(range:le_uint() / flag[1]) % 2 == 1 then
                        said[#said + 1] = flag[2]
                    end
                end
                if #said > 0 then
                    item:append_text(" (" .. table.concat(said, ", ") .. ")")
                end
            end
        end
    end
end

-- One packet at an offset. Answers its length, or nil where no packet can be told apart, and a summary.
local function packet(tvb, offset, last, tree)
    local rest = last - offset
    local captured = tvb:len() - offset
    if rest < PACKET_HEADER or captured < PACKET_HEADER then
        tree:add_proto_expert_info(malformed, string.format("%d bytes where a packet header of 24 should be", math.min(rest, captured)))
        return nil, "malformed"
    end

    local p = tvb(offset, PACKET_HEADER)
    local service, length, flags, header = p(0, 2):le_uint(), p(2, 2):le_uint(), p(4, 1):uint(), p(5, 1):uint()
    local fault
    if length > rest then
        fault = string.format("Packet length %d is beyond the frame: %d bytes are left", length, rest)
    elseif header > MOST_HEADER then
        fault = string.format("Service header of %d bytes; 64 is the most", header)
    elseif length < PACKET_HEADER + header then
        fault = string.format("Packet length %d is below its headers: 24 + %d", length, header)
    elseif flags > 1 then
        fault = string.format("Unknown packet flags 0x%02x", flags)
    end

    local bytes = fault and math.min(rest, captured) or math.min(length, captured)
    local branch = tree:add(camcube, tvb(offset, bytes), "CamCube packet")
    local declared = _G.camcube_headers[service]
    local name = services[service] or (declared and declared.name) or string.format("0x%04x", service)
    branch:add_le(f.service, p(0, 2))
    branch:add(f.service_name, p(0, 2), name):set_generated()
    branch:add_le(f.packet_length, p(2, 2))
    branch:add(f.packet_flags, p(4, 1)):add(f.to_key, p(4, 1))
    branch:add(f.header_length, p(5, 1))
    branch:add_le(f.hop_limit, p(6, 2))

    local route = p(8, 8):le_uint64()
    branch:add_le(f.route, p(8, 8))
    local to
    if flags % 2 == 1 then
        branch:add_le(f.destination_key, p(8, 8)):set_generated()
        to = "key " .. hex(route:tohex(16), 16)
    else
        to = coordinate(p(14, 2):le_uint(), p(12, 2):le_uint(), p(10, 2):le_uint())
        if p(8, 2):le_uint() ~= 0 and fault == nil then
            fault = "Bits 15-0 of the route to a server must be 0"
        end
    end
    branch:add(f.destination, p(8, 8), to):set_generated()

    local from = coordinate(p(16, 2):le_uint(), p(18, 2):le_uint(), p(20, 2):le_uint())
    branch:add(f.source, p(16, 6), from):set_generated()
    branch:add_le(f.source_x, p(16, 2))
    branch:add_le(f.source_y, p(18, 2))
    branch:add_le(f.source_z, p(20, 2))
    branch:add_le(f.reserved, p(22, 2))

    local summary = string.format("%s %s -> %s, %d hops left", name, from, to, p(6, 2):le_uint())
    if fault ~= nil then
        branch:add_proto_expert_info(malformed, fault)
        branch:append_text(": malformed")
        return nil, summary .. ", malformed"
    end

    if p(6, 2):le_uint() == 0 then
        branch:add_proto_expert_info(spent)
    end

    local there = math.min(length, captured)
    local body = length - PACKET_HEADER - header
    if header > 0 and there > PACKET_HEADER then
        branch:add(f.header, tvb(offset + PACKET_HEADER, math.min(header, there - PACKET_HEADER)))
    end
    if declared ~= nil and header < declared.length then
        local what = string.format("Header of %d bytes where %s declares %d", header, declared.name, declared.length)
        branch:add_proto_expert_info(malformed, what)
    elseif declared ~= nil and #declared.parts > 0 and there > PACKET_HEADER then
        declared_header(tvb, offset + PACKET_HEADER, math.min(declared.length, there - PACKET_HEADER), branch, declared)
    end
    branch:add(f.body_length, p(2, 2), body):set_generated()
    if body > 0 and there > PACKET_HEADER + header then
        branch:add(f.body, tvb(offset + PACKET_HEADER + header, there - PACKET_HEADER - header))
    end
    local starts = offset + PACKET_HEADER + header
    if has_streams(service) and header >= 24 and there >= PACKET_HEADER + header then
        local at, captured_body = offset + PACKET_HEADER, there - PACKET_HEADER - header
        local text = stream_packet(tvb, at, starts, body, captured_body, flags % 2 == 1, service, branch)
        if text == nil and service == KEY_VALUE and header >= KEY_VALUE_HEADER then
            text = kv_packet(tvb, at, starts, body, captured_body, branch)
        elseif text == nil and service == DISTRIBUTION and header >= DISTRIBUTION_HEADER then
            text = distribution_packet(tvb, at, starts, body, captured_body, branch)
        elseif text == nil and service == COLLECTIVES and header >= COLLECTIVES_HEADER then
            text = collectives_packet(tvb, at, starts, body, captured_body, branch)
        elseif text == nil and service == CAMDOOP and header >= CAMDOOP_HEADER then
            text = camdoop_packet(tvb, at, starts, body, captured_body, branch)
        end
        summary = text and summary .. ", " .. text or summary
    end
    if there < length then
        branch:add(f.not_captured, p(2, 2), length - there):set_generated()
    end

    branch:append_text(": " .. summary)
    return length, summary
end

function camcube.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol = "CamCube"
    local branch = tree:add(camcube, tvb(), "CamCube frame")
    if tvb:len() < FRAME_HEADER then
        branch:add_proto_expert_info(malformed, "Shorter than a frame header")
        pinfo.cols.info = "malformed"
        return tvb:len()
    end

    if tvb(0, 1):uint() == 0 then
        -- The cabling protocol (docs/cabling.md): only what kind of frame it is.
        local kind = control_kinds[tvb(1, 1):uint()] or string.format("kind %d", tvb(1, 1):uint())
        branch:append_text(": cabling, " .. kind)
        pinfo.cols.info = "cabling: " .. kind
        return tvb:len()
    end

    branch:add(f.version, tvb(0, 1))
    if tvb(0, 1):uint() ~= 1 then
        branch:add_proto_expert_info(other_version)
        pinfo.cols.info = string.format("version %d", tvb(0, 1):uint())
        return tvb:len()
    end

    branch:add(f.flags, tvb(1, 1))
    branch:add_le(f.length, tvb(2, 2))
    local length = tvb(2, 2):le_uint()
    local fault
    if tvb(1, 1):uint() ~= 0 then
        fault = "Frame flags must be 0"
    elseif length < FRAME_HEADER + PACKET_HEADER then
        fault = string.format("Frame length %d has no room for a packet", length)
    elseif length > tvb:reported_len() then
        fault = string.format("Frame length %d is beyond the %d bytes that came", length, tvb:reported_len())
    end
    if fault ~= nil then
        branch:add_proto_expert_info(malformed, fault)
        pinfo.cols.info = "malformed"
        return tvb:len()
    end

    local offset, count, info = FRAME_HEADER, 0, {}
    while offset < length do
        local n, summary = packet(tvb, offset, length, branch)
        info[#info + 1] = summary
        if n == nil then
            break
        end
        count = count + 1
        offset = offset + n
        if offset >= tvb:len() then
            -- Behind a packet that was not captured whole nothing is known.
            break
        end
    end

    branch:add(f.count, tvb(2, 2), count):set_generated()
    if length < tvb:len() then
        branch:add(f.padding, tvb(length))
    end
    pinfo.cols.info = table.concat(info, " | ")
    return tvb:len()
end

DissectorTable.get("ethertype"):add(ETHERTYPE, camcube)
