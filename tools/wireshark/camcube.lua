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
    [0x0104] = "second-load",
    [0x0105] = "third-load",
    [0x0106] = "routed-load",
    [0x0110] = "cache",
    [0x0112] = "messenger",
    [0x0120] = "link-disjoint",
    [0x0121] = "link-disjoint-native",
    [0x0122] = "shortest-path",
    [0x0123] = "mini-cube",
    [0x0124] = "mini-cube-native",
    [0x0125] = "cache-routing",
    [0x0126] = "cache-routing-native",
}

local camcube = Proto("camcube", "CamCube")
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

local malformed = ProtoExpert.new("camcube.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
local other_version = ProtoExpert.new(
    "camcube.other_version", "Another version of the wire format: dropped whole", expert.group.PROTOCOL, expert.severity.WARN)
local spent = ProtoExpert.new("camcube.hop_limit_spent", "No hops left: dropped", expert.group.PROTOCOL, expert.severity.WARN)
camcube.experts = { malformed, other_version, spent }

local control_kinds = { "hello", "report", "known reports", "map request", "map part" }

local function coordinate(x, y, z)
    return string.format("%d,%d,%d", x, y, z)
end

local function hex(number, digits)
    return "0x" .. string.rep("0", digits - #number) .. number
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
    local name = services[service] or string.format("0x%04x", service)
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
    branch:add(f.body_length, p(2, 2), body):set_generated()
    if body > 0 and there > PACKET_HEADER + header then
        branch:add(f.body, tvb(offset + PACKET_HEADER + header, there - PACKET_HEADER - header))
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
