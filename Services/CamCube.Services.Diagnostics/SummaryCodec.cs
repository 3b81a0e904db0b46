using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.Diagnostics;

/// <summary>
/// A server's summary as bytes, little-endian, so that it fits into one packet: flags 1, incarnation 8, reachable 4,
/// view version 8, packets in use 4 and budget 4; number of links 1 and for each its number 1, up 1 and four counters
/// of 8; number of drops 1 and for each its reason 2 and count 8; number of services 1 and for each its id 2, running
/// 1, faults, arrived and sent 8 each, and its name (length 1, UTF-8). Services that do not fit any more are left out.
/// </summary>
internal static class SummaryCodec
{
    private const int LongestName = 63;

    /// <summary>Most bytes that are ever written.</summary>
    public const int MostBytes = 1_400;

    /// <summary>Writes a summary. Returns the number of bytes.</summary>
    public static int Write(ServerSummary summary, Span<byte> bytes)
    {
        var writer = new Writer(bytes);
        writer.Byte(summary.HasKeys ? 1 : 0);
        writer.Long((long)summary.Incarnation);
        writer.Int(summary.Reachable);
        writer.Long(summary.ViewVersion);
        writer.Int(summary.PacketsInUse);
        writer.Int(summary.PacketBudget);
        writer.Byte(summary.Links.Count);
        foreach (LinkSummary link in summary.Links)
        {
            writer.Byte((int)link.Link);
            writer.Byte(link.IsUp ? 1 : 0);
            writer.Long(link.SentPackets);
            writer.Long(link.SentBytes);
            writer.Long(link.ReceivedPackets);
            writer.Long(link.ReceivedBytes);
        }

        writer.Byte(summary.Drops.Count);
        foreach ((DropReason reason, long count) in summary.Drops)
        {
            writer.Short((int)reason);
            writer.Long(count);
        }

        int countAt = writer.Length;
        writer.Byte(0);
        foreach (ServiceSummary service in summary.Services)
        {
            byte[] name = Encoding.UTF8.GetBytes(
                service.Name.Length > LongestName / 3 ? service.Name[..(LongestName / 3)] : service.Name
            );
            if (writer.Left < 28 + name.Length)
            {
                break;
            }

            writer.Short(service.Id.Value);
            writer.Byte(service.IsRunning ? 1 : 0);
            writer.Long(service.Faults);
            writer.Long(service.Arrived);
            writer.Long(service.Sent);
            writer.Byte(name.Length);
            writer.Bytes(name);
            bytes[countAt]++;
        }

        return writer.Length;
    }

    /// <summary>Reads a summary. Null: the bytes are none.</summary>
    public static ServerSummary? Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new Reader(bytes);
        bool hasKeys = reader.Byte() != 0;
        ulong incarnation = (ulong)reader.Long();
        int reachable = reader.Int();
        long version = reader.Long();
        int inUse = reader.Int(),
            budget = reader.Int();
        var links = new List<LinkSummary>();
        for (int n = reader.Byte(); n > 0 && !reader.IsShort; n--)
        {
            links.Add(
                new LinkSummary(
                    (Link)Math.Min(reader.Byte(), Links.Cables - 1),
                    reader.Byte() != 0,
                    reader.Long(),
                    reader.Long(),
                    reader.Long(),
                    reader.Long()
                )
            );
        }

        var drops = new List<(DropReason, long)>();
        for (int n = reader.Byte(); n > 0 && !reader.IsShort; n--)
        {
            drops.Add(((DropReason)reader.Short(), reader.Long()));
        }

        var services = new List<ServiceSummary>();
        for (int n = reader.Byte(); n > 0 && !reader.IsShort; n--)
        {
            var id = new ServiceId((ushort)reader.Short());
            bool isRunning = reader.Byte() != 0;
            long faults = reader.Long(),
                arrived = reader.Long(),
                sent = reader.Long();
            services.Add(
                new ServiceSummary(
                    id,
                    Encoding.UTF8.GetString(reader.Bytes(reader.Byte())),
                    isRunning,
                    faults,
                    arrived,
                    sent
                )
            );
        }

        return reader.IsShort
            ? null
            : new ServerSummary(hasKeys, incarnation, reachable, version, inUse, budget, links, services, drops);
    }

    private ref struct Writer(Span<byte> bytes)
    {
        private readonly Span<byte> _bytes = bytes;

        public int Length { get; private set; }

        public readonly int Left => _bytes.Length - Length;

        public void Byte(int value) => _bytes[Length++] = (byte)value;

        public void Short(int value)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(_bytes[Length..], (ushort)value);
            Length += 2;
        }

        public void Int(int value)
        {
            BinaryPrimitives.WriteInt32LittleEndian(_bytes[Length..], value);
            Length += 4;
        }

        public void Long(long value)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_bytes[Length..], value);
            Length += 8;
        }

        public void Bytes(ReadOnlySpan<byte> value)
        {
            value.CopyTo(_bytes[Length..]);
            Length += value.Length;
        }
    }

    /// <summary>Answers zeros behind the end and remembers that it was there.</summary>
    private ref struct Reader(ReadOnlySpan<byte> bytes)
    {
        private readonly ReadOnlySpan<byte> _bytes = bytes;
        private int _at;

        public bool IsShort { get; private set; }

        public int Byte() => Take(1) is [byte value] ? value : 0;

        public int Short() => Take(2) is { Length: 2 } value ? BinaryPrimitives.ReadUInt16LittleEndian(value) : 0;

        public int Int() => Take(4) is { Length: 4 } value ? BinaryPrimitives.ReadInt32LittleEndian(value) : 0;

        public long Long() => Take(8) is { Length: 8 } value ? BinaryPrimitives.ReadInt64LittleEndian(value) : 0;

        public ReadOnlySpan<byte> Bytes(int length) => Take(length);

        private ReadOnlySpan<byte> Take(int length)
        {
            if (length > _bytes.Length - _at)
            {
                IsShort = true;
                return default;
            }

            ReadOnlySpan<byte> taken = _bytes.Slice(_at, length);
            _at += length;
            return taken;
        }
    }
}
